package main

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
)

func (a *app) traceCommand() *cobra.Command {
	q, json := explain.Question{Top: 5}, false
	var faster []string
	cmd := &cobra.Command{
		Use:   "trace DIR",
		Short: "Explain a traced run: who waited for whom, and what that cost",
		Long: `Reads a traced run and shows its critical path, the waiting for each resource
with those for whom it was, and the findings by the run time that they cost.
Findings are of the grade attributed: the trace shows who waited for whom. What
a cost would be without the cause is a replay of the trace; sigview why runs the
program to test it. --faster asks for other replays.

A run with --trace=waits has a table in which the model itself says who waited
for whom. From any other trace of packets and operations that is rebuilt, as it
would be from the monitors of real interfaces. --records does so although there
is a table, and says how well the two agree. A trace of packets alone has phases
and bursts only.

The phases of a run go from barrier to barrier or, without barriers, from one
rate of packets to another. With --phase the path and all findings are those of
one phase.`,
		Example: `  sigview run fft --trace=waits -o fft
  sigview trace fft
  sigview trace fft --phase 1
  sigview trace fft --records
  sigview trace fft --faster host_dma,cpu=1.5,send_slot=free
  sigview trace fft --top 1 --json`,
		Args: exactly("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			if q.Faster, err = parseFaster(faster); err != nil {
				return err
			}
			// What is made of a trace is large and stays: little garbage, collected often.
			defer debug.SetGCPercent(debug.SetGCPercent(10))
			found, err := explain.Explain(args[0], q)
			if err != nil {
				return err
			}
			format := formatText
			if json {
				format = formatJSON
			}
			t := report.Trace{Trace: found}
			return a.data("", func(w io.Writer) error {
				return print(w, t, format, a.style(), func() ([]byte, error) { return report.TraceJSON(t, version.Tool()) })
			})
		},
	}
	cmd.Flags().IntVar(&q.Top, "top", q.Top, "findings to show, and operations of each kind")
	cmd.Flags().IntVar(&q.Phase, "phase", 0, "explain this phase of the run only, by its number")
	cmd.Flags().BoolVar(&q.Records, "records", false, "rebuild who waited for whom from the records of the monitors alone")
	cmd.Flags().StringSliceVar(&faster, "faster", nil, "predict the run time with these resources faster: RESOURCE, RESOURCE=FACTOR (default 2) or RESOURCE=free")
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

// parseFaster reads the changes of a what-if.
func parseFaster(texts []string) (list []causal.Faster, err error) {
	for _, text := range texts {
		f, err := causal.ParseFaster(text)
		if err != nil {
			return nil, usagef("--faster %s: %v", text, err)
		}
		list = append(list, f)
	}
	return list, nil
}
