package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) traceCommand() *cobra.Command {
	q, json, faultless := explain.Question{Top: 5}, false, false
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
is a table, and says how well the two agree. Records of programs that pass messages
do not tell when processes wait: there it tells for whom packets do.

--against splits the difference to the run time of another run along both critical
paths; --faultless does so for a run of the same specification without its faults,
which is made for it.

What takes long is kept in the user's cache directory, until a file of the run changes.

The phases of a run go from barrier to barrier or, without barriers, from one
rate of packets to another. With --phase the path and all findings are those of
one phase.`,
		Example: `  sigview run fft --trace=waits -o fft
  sigview trace fft
  sigview trace fft --phase 1
  sigview trace fft --records
  sigview trace fft --faster host_dma,cpu=1.5,send_slot=free
  sigview trace slow --against fft
  sigview trace fft --top 1 --json`,
		Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if q.Faster, err = parseFaster(faster); err != nil {
				return err
			}
			if faultless {
				made, err := os.MkdirTemp("", "sigview-faultless-")
				if err != nil {
					return err
				}
				defer os.RemoveAll(made)
				if q.Against, err = a.faultless(cmd.Context(), args[0], filepath.Join(made, "run")); err != nil {
					return err
				}
			}
			format := formatText
			if json {
				format = formatJSON
			}
			how := explanation{Question: q, Faster: faster, Format: format, Style: a.style()}
			return a.data("", func(w io.Writer) error {
				return how.write(w, args[0], !faultless)
			})
		},
	}
	cmd.Flags().IntVar(&q.Top, "top", q.Top, "findings to show, and operations of each kind")
	cmd.Flags().IntVar(&q.Phase, "phase", 0, "explain this phase of the run only, by its number")
	cmd.Flags().BoolVar(&q.Records, "records", false, "rebuild who waited for whom from the records of the monitors alone")
	cmd.Flags().StringSliceVar(&faster, "faster", nil, "predict the run time with these resources faster: RESOURCE, RESOURCE=FACTOR (default 2) or RESOURCE=free")
	cmd.Flags().StringVar(&q.Against, "against", "", "say of what the difference to this run directory is made")
	cmd.Flags().BoolVar(&faultless, "faultless", false, "say of what the difference to a run without the faults is made")
	cmd.MarkFlagsMutuallyExclusive("against", "faultless")
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

// faultless makes a run of a directory's specification without its faults, in the directory made, which it returns.
func (a *app) faultless(ctx context.Context, dir, made string) (string, error) {
	m, err := rundir.ReadManifest(dir)
	if err != nil {
		return "", err
	}
	spec, err := ranAs(dir, m)
	if err != nil {
		return "", err
	}
	if reflect.ValueOf(spec.Faults).IsZero() {
		return "", usagef("%s has no faults, want --against another run", dir)
	}
	spec.Faults = experiment.FaultSpec{}
	run, t, err := measure(ctx, a, spec, made, "", experiment.Run)
	if err != nil {
		return "", err
	}
	return made, a.writeRun(ctx, t, run)
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
