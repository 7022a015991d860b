package report

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/why"
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
		if w.Single() {
			out = append(out, heading(2, "Run time of "+name), view(w.SingleView(tag)))
			continue
		}
		if v := w.LatenciesView(tag); len(v.Rows) > 0 {
			out = append(out, heading(2, "Latencies of "+name), view(v))
		}
		out = append(out, heading(2, "Run time of "+name), view(w.RunTimeView(tag)))
	}
	return out
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
