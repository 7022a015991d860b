package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
)

// validateFast prints programs in both details.
func (a *app) validateFast(ctx context.Context, spec experiment.BesideSpec, json bool) error {
	watch, done := a.watch()
	rows, err := a.lab.besides(ctx, spec, watch)
	done()
	if err != nil {
		return err
	}
	document := struct {
		judge.Stamp
		Rows []experiment.Beside `json:"rows"`
	}{platformStamp(trace.SchemaVersion, spec.Seed, spec.Platform), rows}
	return a.print(json, document, besideTable(spec, rows))
}

func besideTable(spec experiment.BesideSpec, rows []experiment.Beside) report.Tables {
	type row = experiment.Beside
	number := func(name string, digits int, of func(row) float64) analysis.Col[row] {
		return analysis.Text(name, func(b row) string { return strconv.FormatFloat(of(b), 'f', digits, 64) })
	}
	return report.Tables{
		Title: fmt.Sprintf("Fast beside full on %s, seed %d", spec.Platform, spec.Seed),
		Views: []analysis.View{analysis.Tabulate(rows,
			analysis.Text("<program", func(b row) string { return b.Workload }),
			number("nodes", 0, func(b row) float64 { return float64(b.Nodes) }),
			number("full, ms", 3, func(b row) float64 { return b.FullUs / 1000 }),
			number("fast, ms", 3, func(b row) float64 { return b.FastUs / 1000 }),
			analysis.Text("departure, %", func(b row) string { return fmt.Sprintf("%+.1f", b.Percent) }),
			number("packets wait, µs", 2, func(b row) float64 { return b.WaitsUs }),
			analysis.Text("<most in", func(b row) string { return cmp.Or(b.Where, analysis.None) }))},
		Remarks: []string{
			"Packets wait: mean time of the full model's packets beyond that on idle nodes. A fast run knows gaps in each direction of an interface, and no buses, switches or processors of interfaces that sends and receives share.",
		},
	}
}
