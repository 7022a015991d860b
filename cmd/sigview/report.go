package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) reportCommand() *cobra.Command {
	format := names.Word[formats](formatText)
	var baseline, out string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show a run or a measurement again, as text, Markdown, HTML or JSON",
		Long: `Reads the directory of a run and shows its signature. --baseline compares it with
the unloaded latencies of another directory instead of its own. Directories that
logp, bandwidth, perturb, tpil, verbs and sweep have left are shown as these commands do.`,
		Example: `  sigview report sigview-runs/fft-001
  sigview report sigview-runs/fft-001 --format html -o fft.html`,
		Args: exactly("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			style := a.styleFor(out)
			style.Lines, style.Full = 0, a.full
			show, err := a.readReport(args[0], baseline)
			if err != nil {
				return err
			}
			return a.data(out, func(w io.Writer) error { return show(w, string(format), style) })
		},
	}
	fs := cmd.Flags()
	word(cmd, &format, "format", "output format")
	fs.StringVar(&baseline, "baseline", "", "directory of a baseline to compare the run with")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	return cmd
}

// readSweep reads the report of a sweep. lead leads from combinations to their runs, as far as these are there.
func readSweep(dir string, lead func(runs string) report.Lead) (report.Sweep, error) {
	m, runs, err := rundir.ReadSweep(dir)
	s := report.SweepOf(m, runs)
	if _, gone := os.Stat(sweep.RunsOf(dir, "")); gone == nil {
		s.Lead = lead
	}
	return s, err
}

// readReport reads a directory, and returns what writes its report in a format.
func (a *app) readReport(dir, baseline string) (func(io.Writer, string, report.Style) error, error) {
	m, err := bench.Read(dir)
	switch {
	case err == nil && baseline != "":
		return nil, usagef("--baseline is given for a measurement, want a run")
	case err == nil:
		return func(w io.Writer, format string, s report.Style) error {
			return print(w, report.Measured(m), format, s, func() ([]byte, error) { return m.Document, nil })
		}, nil
	case !errors.Is(err, bench.ErrNotMeasured):
		return nil, err
	}
	if rundir.IsSweep(dir) {
		s, err := readSweep(dir, func(runs string) report.Lead {
			return report.Lead{Text: "sigview view " + scene.ShellQuote(sweep.RunsOf(dir, runs))}
		})
		if err == nil && baseline != "" {
			err = usagef("--baseline is given for a sweep, want a run")
		}
		return func(w io.Writer, format string, style report.Style) error { return printSweep(w, s, format, style) }, err
	}
	run, err := explain.ReadSummary(dir)
	if err != nil {
		return nil, err
	}
	if baseline != "" {
		base, err := explain.ReadSummary(baseline)
		if err != nil {
			return nil, err
		}
		b, err := analysis.BaselineOf(base)
		if err != nil {
			return nil, fmt.Errorf("baseline %s: %w", baseline, err)
		}
		analysis.SetBaseline(&run, b)
	}
	return func(w io.Writer, format string, s report.Style) error { return printRun(w, &run, format, s) }, nil
}
