package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/trace"
)

// Diff is what a report of a comparison shows.
type Diff struct {
	compare.Comparison
	Verdict    compare.Verdict     // Pass if there are no conditions
	Judgements []compare.Judgement // one per condition
	Causes     *causal.Difference  // of what the difference of the run times is made; nil: not known, or the runs are the same
	Link       causal.Link         // to the pages of the runs; nil: there are none
}

func (d Diff) title() string {
	title := fmt.Sprintf("%s (B) against %s (A)", d.B.Name, d.A.Name)
	if len(d.Judgements) > 0 || d.Verdict == compare.Same {
		title = strings.ToUpper(string(d.Verdict)) + ": " + title
	}
	return title
}

// headline says the verdict in a sentence.
func (d Diff) headline() string {
	var which []string
	for _, j := range d.Judgements {
		if j.Verdict == d.Verdict {
			which = append(which, j.Condition)
		}
	}
	on := strings.Join(which, ", ")
	switch {
	case d.Verdict == compare.Same:
		return d.Moved()[0]
	case len(d.Judgements) == 0:
		return "No conditions are given, so nothing is a failure."
	case d.Verdict == compare.Fail:
		return "Fails on " + on + "."
	case d.Verdict == compare.Inconclusive:
		return "The runs cannot tell " + on + "."
	}
	return "Passes " + on + "."
}

func sideLine(name string, s compare.Side) string {
	m := s.Manifest()
	runs := "1 run"
	if n := len(s.Runs); n > 1 {
		runs = fmt.Sprintf("%d runs", n)
	}
	text := fmt.Sprintf("%s is %s: %s on %s, ", name, s.Name, m.Workload, m.Platform.Name)
	if m.Nodes > 0 {
		text += fmt.Sprintf("%d nodes, %s packets, ", m.Nodes, analysis.Digits(m.Packets))
	}
	if m.Captured() {
		return text + fmt.Sprintf("captured, sigview %s.", m.ToolVersion)
	}
	if m.Detail == trace.DetailWatch {
		return text + fmt.Sprintf("%s, watched, sigview %s.", runs, m.ToolVersion)
	}
	seeds := "seed"
	if len(s.Runs) > 1 {
		seeds = "seeds"
	}
	return text + fmt.Sprintf("%s, %s %s, sigview %s.", runs, seeds, trace.SeedsText(m.Seeds), m.ToolVersion)
}

func (d Diff) blocks(bool) []block {
	out := []block{heading(1, d.title()), para(d.headline()), para(sideLine("A", d.A)), para(sideLine("B", d.B))}
	moved := d.Moved()
	if d.Causes != nil {
		moved = append([]string{d.Causes.String()}, moved...)
	}
	out = append(out, heading(2, "What changed"), bullets(moved))
	if c := Waterfall(d, mostSteps); !c.Empty() && !d.Same {
		out = append(out, figure(c))
	}
	if len(d.Differs) > 0 {
		out = append(out, heading(2, "In what they differ"), view(d.differs()))
	}
	if d.Causes != nil {
		out = append(out, difference(d.Causes, d.Link)...)
	}
	for _, p := range d.Programs {
		if len(p.Parts) > 0 && !d.Same {
			title := "Run time by its parts"
			if p.Program != "" {
				title = "Run time of " + p.Program + " by its parts"
			}
			out = append(out, heading(2, title), view(p.View()))
		}
	}
	if v := d.Seen(); len(v.Rows) > 0 {
		out = append(out, heading(2, "What the kernel was seen to do"), view(v))
	}
	if len(d.Judgements) > 0 {
		out = append(out, heading(2, "Conditions: "+string(d.Verdict)))
		for _, j := range d.Judgements {
			out = append(out, bullets(append([]string{fmt.Sprintf("%s: %s", j.Condition, j.Verdict)}, j.Why...)))
		}
	}
	out = append(out, heading(2, "Every figure"), view(d.View()))
	return append(out, warnings(d.Warnings)...)
}

// Waterfall draws the way from A's run time to B's, in at most so many parts. It is empty if that is not known, or the same.
func Waterfall(d Diff, parts int) chart.Chart {
	from, to, _ := d.steps()
	return waterfall(from, to, Steps(d, parts))
}

// Steps are the parts of a waterfall, the largest first and what is left last.
func Steps(d Diff, parts int) []Step {
	from, to, steps := d.steps()
	return largest(from, to, steps, parts)
}

// steps are what the difference of the run times is made of: parts of the critical paths, or without two traces of the run time of the
// first program.
func (d Diff) steps() (from, to float64, out []Step) {
	switch {
	case d.Causes != nil:
		from, to = float64(d.Causes.A)/1000, float64(d.Causes.B)/1000
		for _, s := range d.Causes.Shifts {
			i := slices.IndexFunc(out, func(x Step) bool { return x.Name == s.What })
			if i < 0 {
				i, out = len(out), append(out, Step{Name: s.What})
			}
			x := &out[i]
			x.Diff += float64(s.Diff()) / 1000
			x.SeeA, x.SeeB = cmp.Or(x.SeeA, s.SeeA), cmp.Or(x.SeeB, s.SeeB) // the largest shift comes first
		}
	case len(d.Programs) > 0 && d.Programs[0].A.OK && d.Programs[0].B.OK:
		p := d.Programs[0]
		from, to = p.A.Value, p.B.Value
		for _, x := range p.Parts {
			if x.Diff.OK {
				out = append(out, Step{Name: x.Quantity, Diff: x.Diff.Value})
			}
		}
	}
	return from, to, out
}

func (d Diff) differs() analysis.View {
	return analysis.Tabulate(d.Differs,
		analysis.Text("<field", func(x analysis.Difference) string { return x.Field }),
		analysis.Text("<A", func(x analysis.Difference) string { return x.A }),
		analysis.Text("<B", func(x analysis.Difference) string { return x.B }))
}

type diffDoc struct {
	SchemaVersion int                   `json:"schema_version"`
	ToolVersion   string                `json:"tool_version"`
	Verdict       compare.Verdict       `json:"verdict"`
	Conditions    []compare.Judgement   `json:"conditions"`
	A             side                  `json:"a"`
	B             side                  `json:"b"`
	Paired        bool                  `json:"paired"`
	Differs       []analysis.Difference `json:"differs"`
	Summary       []string              `json:"summary"`
	Warnings      []string              `json:"warnings"`
	RunTime       *runTimeDoc           `json:"run_time"`  // of the first program
	RunTimes      []runTimeDoc          `json:"run_times"` // of all
	Causes        *causesDoc            `json:"causes"`    // null: there are not two traces
	Cells         analysis.View         `json:"cells"`
	Seen          *analysis.View        `json:"seen,omitempty"` // what the kernel was seen to do with messages of programs as they are
}

type side struct {
	Name           string   `json:"name"`
	ToolVersion    string   `json:"tool_version"`
	Seeds          []uint64 `json:"seeds"`
	Workload       string   `json:"workload"`
	Platform       string   `json:"platform"`
	PlatformDigest string   `json:"platform_digest"`
	Nodes          int      `json:"nodes"`
	Packets        int64    `json:"packets"`
}

type runTimeDoc struct {
	Program string `json:"program"`
	partDoc
	Parts []partDoc `json:"parts"`
}

type partDoc struct {
	Part    string    `json:"part"`
	A       *float64  `json:"a_us"`
	B       *float64  `json:"b_us"`
	Diff    *float64  `json:"difference_us"`
	Lo      *float64  `json:"ci_lo_us"`
	Hi      *float64  `json:"ci_hi_us"`
	Points  float64   `json:"points"` // per cent of A's run time
	Outcome string    `json:"outcome,omitempty"`
	Of      []partDoc `json:"of,omitempty"`
}

func partOf(c compare.Cell, points float64, of []compare.Part) partDoc {
	us := func(v trace.Opt[float64]) *float64 {
		if !v.OK {
			return nil
		}
		x := v.Value / 1000
		return &x
	}
	p := partDoc{Part: c.Quantity, A: us(c.A), B: us(c.B), Diff: us(c.Diff), Lo: us(c.Lo), Hi: us(c.Hi), Points: points, Outcome: string(c.Outcome)}
	if c.Kind != "" {
		p.Part, p.Outcome = fmt.Sprintf("%v of %s", c.Stage, c.Kind), ""
	}
	for _, o := range of {
		p.Of = append(p.Of, partOf(o.Cell, o.Points, nil))
	}
	return p
}

// DiffJSON returns the comparison as one JSON document, with the version of the program
// that compares.
func DiffJSON(d Diff, toolVersion string) ([]byte, error) {
	sideOf := func(s compare.Side) side {
		m := s.Manifest()
		return side{s.Name, m.ToolVersion, m.Seeds, m.Workload, m.Platform.Name, m.Platform.Digest, m.Nodes, m.Packets}
	}
	doc := diffDoc{
		SchemaVersion: trace.SchemaVersion, ToolVersion: toolVersion, A: sideOf(d.A), B: sideOf(d.B), Paired: d.Pairs, Verdict: d.Verdict,
		Conditions: list(d.Judgements), Differs: list(d.Differs), Summary: list(d.Moved()), Warnings: list(d.Warnings),
		RunTimes: []runTimeDoc{}, Cells: d.View(),
	}
	for _, p := range d.Programs {
		points := 0.0
		if s := p.Share(); s.OK {
			points = 100 * s.Value
		}
		r := runTimeDoc{Program: p.Program, partDoc: partOf(p.Cell, points, nil), Parts: []partDoc{}}
		for _, x := range p.Parts {
			r.Parts = append(r.Parts, partOf(x.Cell, x.Points, x.Of))
		}
		doc.RunTimes = append(doc.RunTimes, r)
	}
	if d.Causes != nil {
		doc.Causes = &causesDoc{d.Causes.String(), d.Causes.View()}
	}
	if v := d.Seen(); len(v.Rows) > 0 {
		doc.Seen = &v
	}
	if len(doc.RunTimes) > 0 {
		doc.RunTime = &doc.RunTimes[0]
	}
	return encode(doc)
}
