package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
)

// validateFast writes programs in both details, to a file unless it is "".
func (a *app) validateFast(ctx context.Context, spec experiment.BesideSpec, json bool, file string) error {
	if err := a.begin(spec); err != nil {
		return err
	}
	watch, done := a.watch()
	found, err := experiment.RunBesides(ctx, spec, watch)
	done()
	if err != nil {
		return err
	}
	document := struct {
		judge.Stamp
		Layer string `json:"layer"` // "": the platform's own
		Seeds int    `json:"seeds"`
		*experiment.Besides
	}{platformStamp(trace.SchemaVersion, spec.Seeds.First, spec.Platform), spec.Layer, spec.Seeds.N, found}
	return a.printTo(file, json, document, besideTable(spec, found))
}

func besideTable(spec experiment.BesideSpec, found *experiment.Besides) report.Tables {
	type row = experiment.Beside
	number := func(name string, digits int, of func(row) float64) analysis.Col[row] {
		return analysis.Float(name, "", digits, of)
	}
	cols := []analysis.Col[row]{
		analysis.Text("<program", func(b row) string { return b.Workload }),
		number("nodes", 0, func(b row) float64 { return float64(b.Nodes) }),
		number("full, ms", 3, func(b row) float64 { return b.FullUs / 1000 }),
		number("fast, ms", 3, func(b row) float64 { return b.FastUs / 1000 }),
		analysis.Text("departure, %", func(b row) string { return fmt.Sprintf("%+.1f", b.Percent) }),
	}
	if spec.Seeds.N > 1 {
		cols = append(cols, analysis.Text("of seeds", func(b row) string { return fmt.Sprintf("%+.1f to %+.1f", b.Least, b.Most) }))
	}
	cols = append(cols,
		number("waits, µs", 2, func(b row) float64 { return b.WaitsUs }),
		analysis.Text("<most in", func(b row) string { return cmp.Or(b.Where, analysis.None) }))
	at := spec.Platform
	if spec.Layer != "" {
		at += ", " + spec.Layer
	}
	remarks := []string{
		"Waits: mean time of the full model's packets beyond that on idle nodes, with the first seed. A fast run knows gaps in each direction of an interface and in both, and no buses, switches or windows.",
	}
	for _, r := range found.Refused {
		remarks = append(remarks, "Not compared: "+r)
	}
	return report.Tables{
		Title:   fmt.Sprintf("Fast beside full on %s, seeds %v", at, spec.Seeds),
		Views:   []analysis.View{analysis.Tabulate(found.Rows, cols...)},
		Remarks: remarks,
	}
}
