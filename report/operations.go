package report

import (
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// operations is the section on operations of several packets, in runs that
// recorded them.
func (r Run) operations() []block {
	var whole, phases []analysis.Operation
	for _, o := range r.Operations {
		if o.Operation == string(trace.OpPhase) {
			phases = append(phases, o)
		} else {
			whole = append(whole, o)
		}
	}
	var out []block
	if len(whole) > 0 {
		out = append(out, heading{2, "Operations"}, r.operationGrid(whole))
	}
	if len(phases) > 0 {
		out = append(out, heading{2, "Phases"}, r.phaseGrid(phases))
	}
	return out
}

func (r Run) operationGrid(all []analysis.Operation) grid {
	g := grid{
		head: []string{"operation", "count", "stage", "in", "mean", "p50", "p99", "share"},
		left: []bool{true, false, true, false, false, false, false, false},
		note: "Times in µs. A stage's figures are those of the operations that went through it, how many is told under in; " +
			"share is its part of the time of all, so shares sum to 100%.",
	}
	for _, o := range all {
		line := append([]string{r.operationName(o), analysis.Digits(o.Duration.Count()), "whole", ""}, times(o.Duration)...)
		g.rows = append(g.rows, append(line, ""))
		for _, s := range o.Stages {
			line := append([]string{"", "", s.Stage, analysis.Digits(s.Count())}, times(s.Times)...)
			g.rows = append(g.rows, append(line, strconv.FormatFloat(100*s.Share, 'f', 1, 64)+"%"))
		}
	}
	return g
}

func (r Run) phaseGrid(all []analysis.Operation) grid {
	g := grid{
		head: []string{"phase", "times", "mean", "p50", "p99"},
		left: []bool{true, false, false, false, false},
		note: "Times in µs, over nodes.",
	}
	for _, o := range all {
		g.rows = append(g.rows, append([]string{r.operationName(o), analysis.Digits(o.Duration.Count())}, times(o.Duration)...))
	}
	return g
}

// operationName says which program an operation belongs to, if there are several.
func (r Run) operationName(o analysis.Operation) string {
	name := o.Operation
	if o.Name != "" {
		name = o.Name
	}
	if len(r.Manifest.Tags) > 1 {
		name = r.program(o.Tag) + ": " + name
	}
	return name
}

// times are mean, median and 99th percentile in µs.
func times(t analysis.Times) []string {
	one := func(ns float64) string { return strconv.FormatFloat(ns/1000, 'f', 1, 64) }
	return []string{one(t.MeanNs()), one(float64(t.Percentile(50))), one(float64(t.Percentile(99)))}
}

// timesDoc is the same in a JSON document.
type timesDoc struct {
	Count  int64   `json:"count"`
	MeanUs float64 `json:"mean_us"`
	P50Us  float64 `json:"p50_us"`
	P99Us  float64 `json:"p99_us"`
	MaxUs  float64 `json:"max_us"`
}

type operationDoc struct {
	Tag       trace.Tag `json:"tag"`
	Operation string    `json:"operation"`
	Name      string    `json:"name,omitempty"` // of a phase
	Packets   int64     `json:"packets"`
	timesDoc
	Stages []stageDoc `json:"stages"`
}

type stageDoc struct {
	Stage string `json:"stage"`
	timesDoc
	Share float64 `json:"share"` // of the time of all such operations, 0 to 1
}

func timesOf(t analysis.Times) timesDoc {
	return timesDoc{
		Count: t.Count(), MeanUs: t.MeanNs() / 1000,
		P50Us: float64(t.Percentile(50)) / 1000, P99Us: float64(t.Percentile(99)) / 1000, MaxUs: float64(t.Percentile(100)) / 1000,
	}
}

func operationDocs(all []analysis.Operation) []operationDoc {
	out := []operationDoc{}
	for _, o := range all {
		d := operationDoc{
			Tag: o.Tag, Operation: o.Operation, Name: o.Name, Packets: o.Packets, timesDoc: timesOf(o.Duration), Stages: []stageDoc{},
		}
		for _, s := range o.Stages {
			d.Stages = append(d.Stages, stageDoc{s.Stage, timesOf(s.Times), s.Share})
		}
		out = append(out, d)
	}
	return out
}
