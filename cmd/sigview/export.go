package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report/export"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) exportCommand() *cobra.Command {
	var to names.Word[export.Format]
	var spec export.Spec
	var out string
	cmd := &cobra.Command{
		Use:   "export DIR --to FORMAT -o PATH",
		Short: "Write a run or a measurement in the forms of other tools",
		Long: `Writes a run directory in the form of another tool. Every file says of what run
it is. A directory of runs with several seeds becomes one with a folder, or a
file, for each, and for Perfetto an archive of their traces, to be opened as one.

  parquet   a directory with a file per table, for DuckDB, pyarrow, polars, …
  csv       the same as text; columns.csv has units and meanings, run.csv the run
  hlog      HdrHistogram log of latencies, and of operations of a traced run
  hgrm      a directory with their percentiles, for HdrHistogram's plotter
  perfetto  a trace for ui.perfetto.dev: a process per node with phases, operations,
            stages of packets and, of a run with --trace=waits, engines
  goal      a schedule for LogGOPSim, of a run with --trace=waits
  htsim     a connection matrix for csg-htsim, of a run with --trace=packets: who
            sends how many bytes to whom, from when on

Directories of logp, bandwidth, perturb, tpil, verbs and sweep have figures but no packets:
they become parquet or csv.`,
		Example: `  sigview export sigview-runs/fft-001 --to parquet -o fft-parquet
  sigview export sigview-runs/fft-001 --to csv --table classes,signature -o fft-csv
  sigview export sigview-runs/fft-001 --to hlog -o fft.hlog
  sigview export traced --to perfetto -o traced.pftrace
  sigview export set --to perfetto -o set.zip`,
		Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case to == "":
				return usagef("--to is missing, want one of %v", to.Words().Names())
			case out == "":
				return usagef("-o is missing, want a file or a directory to write")
			}
			if err := to.Into(&spec.To); err != nil {
				return err
			}
			spec.Dir = args[0]
			return a.export(cmd.Context(), spec, out)
		},
	}
	word(cmd, &to, "to", "form")
	cmd.Flags().StringSliceVar(&spec.Tables, "table", nil, "for parquet and csv: tables, separated by commas (default: all that the run has)")
	mustComplete(cmd, "table", inList(cobra.FixedCompletions(export.Tables(), cobra.ShellCompDirectiveNoFileComp)))
	cmd.Flags().StringVarP(&out, "output", "o", "", "file, or new or empty directory, to write")
	return cmd
}

// export writes the files of a form: one file, or a directory.
func (a *app) export(ctx context.Context, spec export.Spec, out string) error {
	files, err := spec.Files(ctx)
	if err != nil {
		return err
	}
	if len(files) != 1 || files[0].Name != "" {
		if err := rundir.CheckTarget(out); err != nil {
			return usage(err)
		}
		err := rundir.WriteDir(ctx, out, files)
		if err == nil {
			a.say("wrote %s", out)
		}
		return err
	}
	return a.data(out, func(w io.Writer) error { return files[0].Write(w) })
}
