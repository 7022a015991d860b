package report

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// Why is what a report of what a program waits for shows.
type Why struct{ why.Explanation }

func (w Why) title() string {
	title := fmt.Sprintf("Why %s on %s, %d nodes, waits", w.Workload, w.Platform.Name, w.Nodes)
	if len(w.At) > 0 {
		title += fmt.Sprintf(": resources of %s %s", map[bool]string{true: "node", false: "nodes"}[len(w.At) == 1], strings.Trim(fmt.Sprint(w.At), "[]"))
	}
	switch {
	case w.Port != "":
		title += ": port " + w.Port
	case w.Program != "":
		title += ": program " + w.Program
	}
	return title
}

func (w Why) blocks(bool) []block {
	out := []block{heading(1, w.title())}
	summary := w.Summary()
	out = append(out, para(summary[0]), bullets(summary[1:]))
	out = append(out, warnings(w.Warnings)...)
	for tag, name := range w.Programs {
		runTime, latencies := w.Bars(tag)
		whole := []block{heading(2, "Run time of "+name), picture(savedChart("run-time", "ms", runTime))}
		if w.Single() {
			out = append(append(out, whole...), view(w.SingleView(tag)))
			continue
		}
		if v := w.LatenciesView(tag); len(v.Rows) > 0 {
			out = append(out, heading(2, "Latencies of "+name), picture(savedChart("latencies", "µs", latencies)), view(v))
		}
		out = append(append(out, whole...), view(w.RunTimeView(tag)))
	}
	return out
}

// savedChart returns a lane for each change, with a bar of what it saves alone and one of what it costs last, each with
// its interval.
func savedChart(name, unit string, bars []why.Bar) chart.Chart {
	length := map[string]float64{"µs": 1e3, "ms": 1e6}[unit]
	alone, last := chart.Series{Name: "alone", Look: chart.LookOf(0)}, chart.Series{Name: "last", Look: chart.LookOf(4)}
	c := chart.Chart{
		Name: name, Title: "What the change saves", X: TimeAxis(unit, chart.Linear), Y: chart.Axis{Hi: float64(len(bars)), Marks: []chart.Tick{}},
		Tall: float64(36 * len(bars)), Room: 60, Notes: []string{"lines: 95 % intervals"},
	}
	for k, b := range bars {
		label := b.Name
		if !b.RunTime {
			label = fmt.Sprintf("%s, %s: %s", b.Class, analysis.StageName(b.Stage, analysis.Modelled), b.Name)
		}
		c.Room = max(c.Room, float64(8*len(label)+10))
		lane := float64(len(bars) - 1 - k)
		c.Y.Marks = append([]chart.Tick{{Value: lane + 0.5, Text: label}}, c.Y.Marks...)
		put := func(e why.Effect, middle float64, name string, look chart.Look) {
			v, lo, hi := e.Value/length, e.Lo.Value/length, e.Hi.Value/length
			hint := fmt.Sprintf("%s, %s: %.4g %s", label, name, v, unit)
			if e.Lo.OK {
				hint += fmt.Sprintf(", interval %.4g to %.4g", lo, hi)
			}
			c.Boxes = append(c.Boxes, chart.Box{X0: min(v, 0), X1: max(v, 0), Y0: lane + middle - 0.16, Y1: lane + middle + 0.16, Look: look, Hint: hint})
			if e.Lo.OK {
				c.Boxes = append(c.Boxes, chart.Box{X0: lo, X1: hi, Y0: lane + middle - 0.02, Y1: lane + middle + 0.02, Look: chart.Look{Ink: cell.Plain}, Hint: hint})
			}
		}
		put(b.Alone, 0.7, "alone", alone.Look)
		if b.HasLast {
			put(b.Last, 0.3, "last", last.Look)
			c.Series = []chart.Series{alone, last}
		}
	}
	return c
}

type whyDoc struct {
	SchemaVersion  int           `json:"schema_version"`
	ToolVersion    string        `json:"tool_version"`
	Seed           uint64        `json:"seed"`
	Seeds          []uint64      `json:"seeds"`
	Workload       string        `json:"workload"`
	Platform       string        `json:"platform"`
	PlatformDigest string        `json:"platform_digest"`
	Nodes          int           `json:"nodes"`
	At             []int         `json:"at_nodes,omitempty"` // whose resources alone become free
	Port           string        `json:"port,omitempty"`     // that alone becomes free
	Program        string        `json:"program,omitempty"`  // that alone is absent or faster
	Grade          trace.Grade   `json:"grade"`
	Summary        []string      `json:"summary"`
	Warnings       []string      `json:"warnings"`
	Causes         analysis.View `json:"causes"`
	Interactions   analysis.View `json:"interactions"`
}

// whySchema is the version of the JSON document of why.
const whySchema = 1

// WhyJSON returns the explanation as one JSON document, with the version of the program
// that explains.
func WhyJSON(w Why, toolVersion string) ([]byte, error) {
	return encode(whyDoc{
		SchemaVersion: whySchema, ToolVersion: toolVersion, Seed: w.Seeds[0], Seeds: w.Seeds, Workload: w.Workload,
		Platform: w.Platform.Name, PlatformDigest: w.Platform.Digest, Nodes: w.Nodes, At: w.At, Port: w.Port, Program: w.Program, Grade: w.Grade,
		Summary: list(w.Summary()), Warnings: list(w.Warnings), Causes: w.CausesView(), Interactions: w.InteractionsView(),
	})
}
