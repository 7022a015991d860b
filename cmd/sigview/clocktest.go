package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
)

// clocktestSchema is the version of clocktest's JSON document.
const clocktestSchema = 1

func (a *app) clocktestCommand() *cobra.Command {
	spec := experiment.DefaultClockTest()
	var json bool
	cmd := &cobra.Command{
		Use:   "clocktest",
		Short: "Measure the error of the global clock against true time",
		Long: `Runs the global clock on idle or busy interfaces and compares the estimators on
the same clocks: by the maximum and the 99th percentile of the error over all
ordered pairs of nodes, the share of errors within the reported bound, and the
number of messages.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, _, err := measure(cmd.Context(), a, spec, "", "", experiment.ClockTest)
			if err != nil {
				return err
			}
			return a.print(json, clockDocument{platformStamp(clocktestSchema, q.Seed, q.Platform), q}, clockTables(spec, q))
		},
	}
	specFlags(cmd, &spec, "clock-estimator") // all are compared
	jsonFlag(cmd.Flags(), &json)
	a.completePlaces(cmd)
	return cmd
}

// clockDocument is clocktest's JSON document.
type clockDocument struct {
	judge.Stamp
	*experiment.ClockQuality
}

func clockTables(spec experiment.ClockTestSpec, q *experiment.ClockQuality) report.Tables {
	type row = experiment.EstimatorError
	number := func(name string, digits int, of func(row) float64) analysis.Col[row] {
		return analysis.Float(name, "", digits, of)
	}
	return report.Tables{
		Title: fmt.Sprintf("Error of the global clock on %s, %d nodes, %s oscillators, %s, %s simulated, seed %d",
			q.Platform, q.Nodes, spec.Clock.Oscillators, spec.Load, flags.SpanText(spec.Length), q.Seed),
		Views: []analysis.View{analysis.Tabulate(q.Estimators,
			analysis.Text("<estimator", func(e row) string { return string(e.Estimator) }),
			number("max error, µs", 3, func(e row) float64 { return e.MaxErrorUs }),
			number("p99 error, µs", 3, func(e row) float64 { return e.P99ErrorUs }),
			number("median bound, µs", 3, func(e row) float64 { return e.MedianBoundUs }),
			number("bound held, %", 2, func(e row) float64 { return 100 * e.BoundCoverage }),
			number("messages/hour", 1, func(e row) float64 { return e.MessagesPerHour }))},
		Remarks: q.Remarks,
	}
}
