package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

func (a *app) reportCommand() *cobra.Command {
	format := names.Word[formats](formatText)
	var baseline, out string
	var full bool
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show a run again, as text, Markdown, HTML or JSON",
		Long: `Reads a run directory and shows its signature. --baseline compares it with the
unloaded latencies of another directory instead of its own.`,
		Example: `  sigview report sigview-runs/fft-001
  sigview report sigview-runs/fft-001 --format html -o fft.html`,
		Args: exactly("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			run, err := a.lab.read(args[0])
			if err != nil {
				return err
			}
			run.Dir = args[0]
			shown := &run
			if baseline != "" {
				base, err := a.lab.read(baseline)
				if err != nil {
					return err
				}
				if shown, err = rebased(run, base); err != nil {
					return fmt.Errorf("baseline %s: %w", baseline, err)
				}
			}
			return a.data(out, func(w io.Writer) error {
				s := a.styleFor(out)
				s.Full = full
				return a.lab.printRun(w, shown, string(format), s)
			})
		},
	}
	fs := cmd.Flags()
	word(cmd, &format, "format", "output format")
	fs.StringVar(&baseline, "baseline", "", "directory of a baseline to compare the run with")
	fs.BoolVar(&full, "full", false, "show every size bin instead of doublings of the size")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	return cmd
}

// rebased returns a run with its signature compared with another baseline.
func rebased(run, base trace.Run) (*trace.Run, error) {
	b, err := analysis.BaselineOf(base)
	if err != nil {
		return nil, err
	}
	analysis.Of(run).Against(b).Store(&run)
	return &run, nil
}
