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
	Verdict    analysis.Verdict     // Pass without conditions
	Judgements []analysis.Judgement // one per condition
}

// DiffText is the comparison for a terminal.
func DiffText(d Diff, s Style) string { return s.render(d.blocks(s.detail())) }

// DiffMarkdown is the comparison as a Markdown page.
func DiffMarkdown(d Diff) string { return markdown(d.blocks(detail{wide: true})) }

// DiffHTML is the comparison as one self-contained page.
func DiffHTML(d Diff) string { return page(d.title(), d.blocks(detail{wide: true})) }

func (d Diff) title() string { return d.A.Workload + " against " + d.B.Workload }

// warnings say what else than the stages differs, beside the comparison's own.
func (d Diff) warnings() []string {
	var out []string
	for _, x := range []struct{ what, a, b string }{
		{"workload", d.A.Workload, d.B.Workload},
		{"platform", d.A.Platform.Name, d.B.Platform.Name},
		{"platform digest", d.A.Platform.Digest, d.B.Platform.Digest},
		{"nodes", strconv.Itoa(d.A.Nodes), strconv.Itoa(d.B.Nodes)},
		{"tool version", d.A.ToolVersion, d.B.ToolVersion},
	} {
		if x.a != x.b {
			out = append(out, fmt.Sprintf("the runs differ in %s: %s and %s", x.what, x.a, x.b))
		}
	}
	for i, m := range []trace.Manifest{d.A, d.B} {
		if !m.Verified {
			out = append(out, fmt.Sprintf("the result of the %s run is not verified", [...]string{"first", "second"}[i]))
		}
	}
	return append(out, d.Comparison.Warnings...)
}

func (d Diff) blocks(room detail) []block {
	out := []block{
		heading{1, d.title()},
		para{"A: " + Run{Manifest: d.A}.title() + fmt.Sprintf(", %s packets.", analysis.Digits(d.A.Packets))},
		para{"B: " + Run{Manifest: d.B}.title() + fmt.Sprintf(", %s packets.", analysis.Digits(d.B.Packets))},
	}
	if w := d.warnings(); len(w) > 0 {
		out = append(out, heading{2, "Warnings"}, bullets{w})
	}
	out = append(out, heading{2, "What moved"}, bullets{d.Comparison.Moved}, heading{2, "Stage by stage"}, d.changes(room))
	if len(d.Judgements) == 0 {
		return out
	}
	out = append(out, heading{2, "Conditions: " + string(d.Verdict)})
	for _, j := range d.Judgements {
		out = append(out, bullets{append([]string{fmt.Sprintf("%s: %s", j.Condition, j.Verdict)}, j.Why...)})
	}
	return out
}

func (d Diff) changes(room detail) grid {
	g := grid{
		head: []string{"class", "stage", "A", "B", "diff", "", "", "from", "to", "effect"},
		left: []bool{true, true, false, false, false, false, true, false, false, false},
		note: "Times in µs. diff is B's mean less what A's would be with B's packet sizes, from and to its 95% interval, effect its size in standard deviations of one packet (Hedges' g): " +
			mark(analysis.Above, room.ascii) + " up, " + mark(analysis.Below, room.ascii) + " down, " + mark(analysis.Within, room.ascii) + " within 10%, " + mark(analysis.Unclear, room.ascii) + " cannot be told.",
	}
	if room.wide {
		g.head = append(g.head, "by sizes", "packets A", "packets B")
		g.left = append(g.left, false, false, false)
	}
	tagged := false
	for _, c := range d.Comparison.Changes {
		tagged = tagged || c.Tag != d.Comparison.Changes[0].Tag
	}
	last := ""
	for _, c := range d.Comparison.Changes {
		name := c.Class
		if tagged {
			name = fmt.Sprintf("tag %d, %s", c.Tag, c.Class)
		}
		shown := name
		if name == last {
			shown = ""
		}
		last = name
		line := []string{
			shown, analysis.StageName(c.Stage), analysis.Us(c.MeanANs), analysis.Us(c.MeanBNs), analysis.SignedUs(c.DiffNs), analysis.None, mark(c.Level, room.ascii),
			analysis.SignedUs(c.CILoNs), analysis.SignedUs(c.CIHiNs), analysis.None,
		}
		if c.DiffNs.OK {
			line[5] = fmt.Sprintf("%+.0f%%", 100*c.Share())
		}
		if c.Effect.OK {
			line[9] = fmt.Sprintf("%+.2f", c.Effect.Value)
		}
		if room.wide {
			line = append(line, analysis.SignedUs(trace.Some(c.MixNs)), strconv.FormatInt(c.CountA, 10), strconv.FormatInt(c.CountB, 10))
		}
		g.rows = append(g.rows, line)
	}
	return g
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

type changeRow struct {
	Tag      trace.Tag      `json:"tag"`
	Class    string         `json:"class"`
	Stage    string         `json:"stage"`
	CountA   int64          `json:"count_a"`
	CountB   int64          `json:"count_b"`
	MeanAUs  *float64       `json:"mean_a_us"`
	MeanBUs  *float64       `json:"mean_b_us"`
	DiffUs   *float64       `json:"difference_us"`
	LoUs     *float64       `json:"ci_lo_us"`
	HiUs     *float64       `json:"ci_hi_us"`
	MixUs    float64        `json:"by_sizes_us"`
	Effect   *float64       `json:"effect_size"`
	Level    analysis.Level `json:"level"`
	Warnings []string       `json:"warnings,omitempty"`
}

type judgement struct {
	Condition string           `json:"condition"`
	Verdict   analysis.Verdict `json:"verdict"`
	Why       []string         `json:"why,omitempty"`
}

type diffDoc struct {
	SchemaVersion int              `json:"schema_version"`
	ToolVersion   string           `json:"tool_version"`
	A             side             `json:"a"`
	B             side             `json:"b"`
	Verdict       analysis.Verdict `json:"verdict"`
	Conditions    []judgement      `json:"conditions"`
	Moved         []string         `json:"moved"`
	Warnings      []string         `json:"warnings"`
	Changes       []changeRow      `json:"changes"`
}

// DiffJSON is the comparison as one JSON document; toolVersion is that of the
// program that compares.
func DiffJSON(d Diff, toolVersion string) ([]byte, error) {
	doc := diffDoc{
		SchemaVersion: trace.SchemaVersion, ToolVersion: toolVersion, A: sideOf(d.A), B: sideOf(d.B), Verdict: d.Verdict,
		Conditions: []judgement{}, Moved: list(d.Comparison.Moved), Warnings: list(d.warnings()), Changes: []changeRow{},
	}
	for _, j := range d.Judgements {
		doc.Conditions = append(doc.Conditions, judgement(j))
	}
	for _, c := range d.Comparison.Changes {
		x := changeRow{
			Tag: c.Tag, Class: c.Class, Stage: c.Stage.String(), CountA: c.CountA, CountB: c.CountB,
			MeanAUs: inUs(c.MeanANs), MeanBUs: inUs(c.MeanBNs), DiffUs: inUs(c.DiffNs), LoUs: inUs(c.CILoNs), HiUs: inUs(c.CIHiNs),
			MixUs: c.MixNs / 1000, Level: c.Level, Warnings: c.Warnings,
		}
		if c.Effect.OK {
			x.Effect = &c.Effect.Value
		}
		doc.Changes = append(doc.Changes, x)
	}
	return encode(doc)
}

func sideOf(m trace.Manifest) side {
	return side{m.ToolVersion, m.Seed, m.Workload, m.Platform.Name, m.Nodes, m.Verified, m.Packets}
}
