package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/rundir"
)

func (a *app) traceCommand() *cobra.Command {
	top, json := 5, false
	cmd := &cobra.Command{
		Use:   "trace DIR",
		Short: "Explain a traced run: who waited for whom, and what that cost",
		Long: `Reads a run that was recorded with --trace=waits and shows its critical path, the
waiting for each resource with those for whom it was, and the findings by the
run time that they cost. Findings are of the grade attributed: the trace shows
who waited for whom. What a cost would be without the cause is a replay of the
trace; sigview why runs the program to test it.`,
		Example: `  sigview run fft --trace=waits -o fft
  sigview trace fft
  sigview trace fft --top 1 --json`,
		Args: exactly("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if top < 1 {
				return usagef("--top %d: wanted 1 or more", top)
			}
			run, err := a.lab.summary(args[0])
			if err != nil {
				return err
			}
			account, err := a.lab.waits(args[0])
			if errors.Is(err, rundir.ErrNoTable) {
				return fmt.Errorf("%s has no table of waiting: record it with sigview run --trace=waits", args[0])
			}
			if err != nil {
				return err
			}
			e := causal.Explain(causal.NewGraph(account), 0)
			findings := e.Findings()
			t := report.Trace{Manifest: run.Manifest, Explanation: e, Findings: findings[:min(len(findings), top)]}
			t.More = len(findings) - len(t.Findings)
			format := formatText
			if json {
				format = formatJSON
			}
			return a.data("", func(w io.Writer) error {
				return print(w, t, format, a.style(), func() ([]byte, error) { return report.TraceJSON(t, version.Tool()) })
			})
		},
	}
	cmd.Flags().IntVar(&top, "top", top, "findings to show")
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

// scanWaits reads the tables of who waited for whom.
func scanWaits(dir string) (*causal.Account, error) {
	var r causal.Reader
	if err := rundir.Scan(dir, r.Actors); err != nil {
		return nil, err
	}
	if err := rundir.Scan(dir, r.Waits); err != nil {
		return nil, err
	}
	return r.Account()
}
