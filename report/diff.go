package report

import (
	"fmt"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Diff is what a report of the comparison of two runs shows.
type Diff struct {
	A, B       trace.Manifest
	Comparison analysis.Comparison
	Verdict    analysis.Verdict     // Pass if there are no conditions
	Judgements []analysis.Judgement // one per condition
}

func (d Diff) title() string { return d.A.Workload + " against " + d.B.Workload }

func (d Diff) blocks(bool) []block {
	out := []block{heading(1, d.title())}
	for i, m := range []trace.Manifest{d.A, d.B} {
		out = append(out, para(fmt.Sprintf("%c: %s, %s packets.", 'A'+i, m.Title(), analysis.Digits(m.Packets))))
	}
	out = append(out, warnings(d.warnings())...)
	out = append(out, heading(2, "What moved"), bullets(d.Comparison.Moved), heading(2, "Stage by stage"), view(d.Comparison.View()))
	if len(d.Judgements) == 0 {
		return out
	}
	out = append(out, heading(2, "Conditions: "+string(d.Verdict)))
	for _, j := range d.Judgements {
		out = append(out, bullets(append([]string{fmt.Sprintf("%s: %s", j.Condition, j.Verdict)}, j.Why...)))
	}
	return out
}

// Unlike says what differs between two runs apart from their latencies.
func Unlike(a, b trace.Manifest) []string {
	var out []string
	for _, x := range []struct{ what, a, b string }{
		{"workload", a.Workload, b.Workload},
		{"platform", a.Platform.Name, b.Platform.Name},
		{"platform digest", a.Platform.Digest, b.Platform.Digest},
		{"nodes", strconv.Itoa(a.Nodes), strconv.Itoa(b.Nodes)},
		{"tool version", a.ToolVersion, b.ToolVersion},
	} {
		if x.a != x.b {
			out = append(out, fmt.Sprintf("the runs differ in %s: %s and %s", x.what, x.a, x.b))
		}
	}
	return out
}

// warnings returns how the runs differ apart from the stages, and the comparison's own
// warnings.
func (d Diff) warnings() []string {
	out := Unlike(d.A, d.B)
	for i, m := range []trace.Manifest{d.A, d.B} {
		if !m.Verified {
			out = append(out, fmt.Sprintf("the result of the %s run is not verified", [...]string{"first", "second"}[i]))
		}
	}
	return append(out, d.Comparison.Warnings...)
}

type diffDoc struct {
	SchemaVersion int                  `json:"schema_version"`
	ToolVersion   string               `json:"tool_version"`
	A             side                 `json:"a"`
	B             side                 `json:"b"`
	Verdict       analysis.Verdict     `json:"verdict"`
	Conditions    []analysis.Judgement `json:"conditions"`
	Moved         []string             `json:"moved"`
	Warnings      []string             `json:"warnings"`
	Changes       analysis.View        `json:"changes"`
}

type side struct {
	ToolVersion string `json:"tool_version"`
	Seed        uint64 `json:"seed"`
	Workload    string `json:"workload"`
	Platform    string `json:"platform"`
	Nodes       int    `json:"nodes"`
	Verified    bool   `json:"verified"`
	Packets     int64  `json:"packets"`
}

// DiffJSON returns the comparison as one JSON document, with the version of the program
// that compares.
func DiffJSON(d Diff, toolVersion string) ([]byte, error) {
	sideOf := func(m trace.Manifest) side {
		return side{m.ToolVersion, m.Seed, m.Workload, m.Platform.Name, m.Nodes, m.Verified, m.Packets}
	}
	return encode(diffDoc{
		SchemaVersion: trace.SchemaVersion, ToolVersion: toolVersion, A: sideOf(d.A), B: sideOf(d.B), Verdict: d.Verdict,
		Conditions: list(d.Judgements), Moved: list(d.Comparison.Moved), Warnings: list(d.warnings()), Changes: d.Comparison.View(),
	})
}
