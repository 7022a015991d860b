package main

import (
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// measuredSchema is the version of the JSON documents of measurements.
const measuredSchema = 1

// specification says what a command runs.
type specification interface {
	Validate(experiment.Catalogue) error
}

// measure runs a specification and shows the progress. It first checks the specification
// and the directory for the results; see newTarget.
func measure[S specification, R any](ctx context.Context, a *app, spec S, dir, name string, run func(context.Context, S, experiment.Watch) (R, error)) (r R, t target, err error) {
	if err = a.ready(spec); err != nil {
		return r, t, err
	}
	if t, err = a.newTarget(dir, name); err != nil {
		return r, t, err
	}
	watch, done := a.watchInto(t.dir)
	r, err = run(ctx, spec, watch)
	done()
	if err != nil {
		err = t.unwritten(err)
	}
	return r, t, err
}

// stamp begins the documents of logp and bandwidth.
type stamp struct {
	SchemaVersion int    `json:"schema_version"`
	ToolVersion   string `json:"tool_version"`
	Seed          uint64 `json:"seed"`
}

// platformStamp begins the documents of measurements of one platform.
func platformStamp(schema int, seed uint64, platform string) judge.Stamp {
	return judge.Stamp{SchemaVersion: schema, ToolVersion: version.Tool(), Seed: seed, Platform: platform}
}

// toolLabels say how a measurement's table was made.
func toolLabels(seed uint64) []trace.Label {
	return []trace.Label{{Key: "sigview.tool_version", Value: version.Tool()}, {Key: "sigview.seed", Value: strconv.FormatUint(seed, 10)}}
}

// document is the JSON document of one result, made by single, or of several in
// a list.
func document[T any](seed uint64, results []T, single func(stamp, T) any) any {
	s := stamp{SchemaVersion: measuredSchema, ToolVersion: version.Tool(), Seed: seed}
	if len(results) == 1 {
		return single(s, results[0])
	}
	return struct {
		stamp
		Results []T `json:"results"`
	}{s, results}
}

// measured is the output of a measurement of layers.
type measured struct {
	name     string // of its files
	document any
	report   report.Document
	charts   []chart.Chart
	table    func(io.Writer) error
}

// measuring completes a command that measures a specification: with the flags of its results,
// with names that the shell completes, and with what it does. All other flags are there before.
func measuring[S specification, R any](a *app, cmd *cobra.Command, spec *S, run func(context.Context, S, experiment.Watch) (R, error), of func(R) measured) *cobra.Command {
	var out string
	var json bool
	cmd.Flags().StringVarP(&out, "output", "o", "", "directory for the figures and their plots, new or empty")
	jsonFlag(cmd.Flags(), &json)
	a.completePlaces(cmd)
	cmd.Args = exactly()
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return measureAndKeep(cmd.Context(), a, *spec, out, json, run, of)
	}
	return cmd
}

// measureAndKeep measures a specification, writes the directory unless it is "", and prints the
// figures.
func measureAndKeep[S specification, R any](ctx context.Context, a *app, spec S, dir string, json bool, run func(context.Context, S, experiment.Watch) (R, error), of func(R) measured) error {
	result, _, err := measure(ctx, a, spec, dir, "", run)
	if err != nil {
		return err
	}
	return a.keepMeasured(ctx, dir, json, of(result))
}

// keepMeasured writes a measurement into a directory, unless that is "", and prints it.
func (a *app) keepMeasured(ctx context.Context, dir string, json bool, m measured) error {
	if dir != "" {
		if err := rundir.WriteDir(ctx, dir, m.parts()); err != nil {
			return err
		}
	}
	err := a.print(json, m.document, m.report)
	if err == nil && dir != "" {
		a.say("wrote %s", dir)
	}
	return err
}

// parts are the files of a measurement's directory.
func (m measured) parts() []rundir.Part {
	out := []rundir.Part{
		{Name: m.name + ".json", Write: sealed(func(w io.Writer) error { return writeJSON(w, m.document) })},
		{Name: m.name + rundir.Ending, Write: m.table},
		{Name: m.name + ".html", Write: func(w io.Writer) error { return text(w, report.HTML(m.report)) }},
		{Name: m.name + ".md", Write: func(w io.Writer) error { return text(w, report.Markdown(m.report)) }},
	}
	for _, c := range m.charts {
		out = append(out,
			rundir.Part{Name: c.Name + ".svg", Write: func(w io.Writer) error { return text(w, chart.SVG(c)) }},
			rundir.Part{Name: c.Name + ".png", Write: func(w io.Writer) error { return chart.PNG(w, c) }})
	}
	return out
}

// print writes a result to standard output, as JSON or as text.
func (a *app) print(json bool, document any, shown report.Document) error {
	return a.printTo("", json, document, shown)
}

// printTo is print for a file, or for standard output.
func (a *app) printTo(file string, json bool, document any, shown report.Document) error {
	return a.data(file, func(w io.Writer) error {
		if json {
			return writeJSON(w, document)
		}
		return text(w, report.Text(shown, a.styleFor(file)))
	})
}
