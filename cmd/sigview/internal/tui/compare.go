package tui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// difference is a latency of a size class in two runs, or in a run and its
// baseline.
type difference struct {
	tag      trace.Tag
	class    string
	stage    trace.Stage
	a, b     trace.Opt[float64]
	diff     trace.Opt[float64]
	lo, hi   trace.Opt[float64]
	share    float64
	effect   trace.Opt[float64]
	level    analysis.Level
	count    int64
	warnings []string
}

// cost is the time that the difference made for all packets.
func (d difference) cost() float64 { return math.Abs(float64(d.diff.Value * float64(d.count))) }

// Compared is run b against run a. It takes some time, so it is made once for
// each two, outside of Update.
type Compared struct {
	a, b *Data
	made analysis.Comparison
	err  error
}

// NewCompared compares the packets of all pairs of nodes together.
func NewCompared(a, b *Data) *Compared {
	c := &Compared{a: a, b: b}
	x, y := a.Signature, b.Signature
	x.Pairs, y.Pairs = nil, nil
	c.made, c.err = analysis.Compare(x, y)
	return c
}

// uncompared is whether the two runs shown have not been compared yet.
func (s *State) uncompared() bool {
	a, b := s.over(), s.data()
	return a != nil && b != nil && (s.Compared == nil || s.Compared.a != a || s.Compared.b != b)
}

// comparison is what the compare view lists.
type comparison struct {
	a, b *Data
	list []difference
	text []string
	note string
}

// compare is the run against the one laid over it, or against its baseline.
func (s *State) compare(d *Data) comparison {
	c := comparison{a: s.over(), b: d}
	if c.a == nil {
		for _, f := range d.Diagnosis.Findings {
			c.list = append(c.list, difference{
				tag: f.Tag, class: f.Class, stage: f.Stage, a: f.BaselineNs, b: trace.Some(f.MeanNs),
				diff: trace.Opt[float64]{Value: f.DeviationNs, OK: f.BaselineNs.OK}, lo: f.CILoNs, hi: f.CIHiNs,
				share: f.Share(), level: f.Level, count: f.Packets, warnings: f.Warnings,
			})
		}
		c.text = d.Diagnosis.Summary
	} else if s.uncompared() {
		c.note = "The two are being compared."
	} else if made, err := s.Compared.made, s.Compared.err; err != nil {
		c.note = "The two cannot be compared: " + err.Error()
	} else {
		for _, x := range made.Changes {
			c.list = append(c.list, difference{
				tag: x.Tag, class: x.Class, stage: x.Stage, a: x.MeanANs, b: x.MeanBNs, diff: x.DiffNs, lo: x.CILoNs, hi: x.CIHiNs,
				share: x.Share(), effect: x.Effect, level: x.Level, count: x.CountB, warnings: x.Warnings,
			})
		}
		c.text = made.Moved
		c.note = unlike(c.a, d)
	}
	c.list = slices.DeleteFunc(c.list, func(x difference) bool { return !s.Sel.lists(x) })
	slices.SortStableFunc(c.list, func(x, y difference) int {
		if mx, my := moved(x.level), moved(y.level); mx != my {
			return my - mx
		}
		switch dx, dy := x.cost(), y.cost(); {
		case dx > dy:
			return -1
		case dx < dy:
			return 1
		}
		return 0
	})
	return c
}

// moved ranks what certainly moved before what may have.
func moved(l analysis.Level) int {
	switch l {
	case analysis.Above, analysis.Below:
		return 2
	case analysis.Unclear:
		return 1
	}
	return 0
}

// lists narrows down by the words after the slash.
func (s *Selection) lists(x difference) bool {
	line := strings.ToLower(fmt.Sprintf("tag %d %s %s %s", x.tag, x.class, x.stage, x.level))
	for _, w := range strings.Fields(strings.ToLower(s.Words)) {
		if !strings.Contains(line, w) {
			return false
		}
	}
	return true
}

// unlike says what else than the latencies differs.
func unlike(a, b *Data) string {
	var out []string
	x, y := a.Run.Manifest, b.Run.Manifest
	for _, v := range []struct{ what, a, b string }{
		{"workload", x.Workload, y.Workload}, {"platform", x.Platform.Name, y.Platform.Name},
		{"profile", x.Platform.Digest, y.Platform.Digest}, {"nodes", strconv.Itoa(x.Nodes), strconv.Itoa(y.Nodes)},
		{"tool", x.ToolVersion, y.ToolVersion},
	} {
		if v.a != v.b {
			out = append(out, fmt.Sprintf("%s %s and %s", v.what, v.a, v.b))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "The runs also differ in " + strings.Join(out, ", ") + "."
}

func drawCompare(c *cell.Canvas, s *State, d *Data) {
	m := s.compare(d)
	head := "This run (B) against its baseline (A), by what it cost all packets"
	if m.a != nil {
		head = fmt.Sprintf("A: %s, B: %s, by what it cost all packets", m.a.Dir, d.Dir)
	}
	c.Text(0, 0, head, cell.Strong, 0)
	if len(m.list) == 0 {
		c.Para(1, 2, "There is nothing to compare for this selection. "+m.note+" Open another run with :open DIR, or name two on the command line.", cell.Warn)
		return
	}
	words := min(max(c.H/4, 4), 12)
	list := c.Sub(0, 1, c.W, c.H-words-1)
	at := min(s.Sel.Row, len(m.list)-1)
	drawDifferences(list, m.list, at)
	foot := c.Sub(0, c.H-words, c.W, words)
	x := m.list[at]
	y := foot.Para(0, 0, x.text(m.a != nil), cell.Accent)
	if m.note != "" {
		y = foot.Para(0, y, m.note, cell.Warn)
	}
	for _, t := range m.text {
		if y < foot.H {
			y = foot.Para(0, y, "- "+t, cell.Plain)
		}
	}
}

// text is a difference in words.
func (x difference) text(runs bool) string {
	to, from := "above its baseline", "below its baseline"
	if runs {
		to, from = "up", "down"
	}
	way := map[analysis.Level]string{analysis.Above: "is " + to, analysis.Below: "is " + from, analysis.Within: "has not moved by more than 10%", analysis.Unclear: "cannot be told to have moved"}[x.level]
	text := fmt.Sprintf("%s of %s (tag %d) %s: %s µs (%+.0f%%), interval %s to %s, %s packets.",
		analysis.StageName(x.stage), x.class, x.tag, way, analysis.SignedUs(x.diff), 100*x.share, analysis.SignedUs(x.lo), analysis.SignedUs(x.hi), analysis.Digits(x.count))
	if x.effect.OK {
		text += fmt.Sprintf(" Effect size %.2f standard deviations of one packet.", x.effect.Value)
	}
	for _, w := range x.warnings {
		text += " Warning: " + w + "."
	}
	return text
}

// drawDifferences lists them with a plot of each interval about zero.
func drawDifferences(c *cell.Canvas, list []difference, at int) {
	const text = 58
	type heading struct {
		name  string
		width int
		left  bool
	}
	heads := []heading{{"", 2, true}, {"class", 14, true}, {"stage", 10, true}, {"A", 9, false}, {"B", 9, false}, {"diff µs", 9, false}, {"", 6, false}}
	x := 0
	for _, h := range heads {
		if h.left {
			c.Text(x, 0, h.name, cell.Faint, 0)
		} else {
			c.Right(x+h.width-1, 0, h.name, cell.Faint, 0)
		}
		x += h.width
	}
	e := extent{}
	e.add(trace.Some(0.))
	for _, d := range list {
		e.add(inUs(d.diff))
		if d.level == analysis.Above || d.level == analysis.Below {
			e.add(inUs(d.lo))
			e.add(inUs(d.hi))
		}
	}
	plot := c.Sub(text+2, 0, c.W-text-3, c.H)
	ax := e.axis(plot.W)
	for _, v := range ax.ticks(9) {
		p, _ := ax.at(v)
		t := short(v)
		plot.Text(min(max(p-len(t)/2, 0), plot.W-len(t)), 0, t, cell.Axis, 0)
	}
	zero, _ := ax.at(0)
	rows := c.H - 1
	top := min(max(at-rows/2, 0), max(len(list)-rows, 0))
	for i := range min(rows, len(list)-top) {
		d := list[top+i]
		y := 1 + i
		mark, ink := levelMark(d.level)
		attr := cell.Attr(0)
		if top+i == at {
			attr = cell.Bold
			c.Set(0, y, '▶', cell.Accent, cell.Bold)
		}
		c.Set(1, y, mark, ink, cell.Bold)
		c.Text(2, y, d.class, cell.Plain, attr)
		c.Text(16, y, analysis.StageName(d.stage), stageLooks[d.stage].ink, attr)
		c.Right(34, y, analysis.Us(d.a), cell.Plain, attr)
		c.Right(43, y, analysis.Us(d.b), cell.Plain, attr)
		c.Right(52, y, analysis.SignedUs(d.diff), ink, attr)
		if d.diff.OK {
			c.Right(59, y, fmt.Sprintf("%+.0f%%", 100*d.share), ink, attr)
		}
		plot.Set(zero, y, '│', cell.Axis, 0)
		if d.diff.OK {
			for p := ax.clamp(d.lo.Value / 1000); d.lo.OK && p <= ax.clamp(d.hi.Value/1000); p++ {
				plot.Set(p, y, '─', ink, 0)
			}
			plot.Set(ax.clamp(d.diff.Value/1000), y, stageLooks[d.stage].strong, ink, cell.Bold)
		}
		c.Zone(0, y, c.W, 1, place{panel: "list", y0: top + i})
	}
	if left := len(list) - top - rows; left > 0 {
		c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more ", left), cell.Faint, 0)
	}
}

func moveCompare(s *State, d *Data, _, dy int) {
	s.Sel.Row = min(max(s.Sel.Row+dy, 0), max(len(s.compare(d).list)-1, 0))
}

func compareTable(s *State, d *Data) table {
	t := table{head: []string{"tag", "class", "stage", "a_ns", "b_ns", "difference_ns", "ci_lo_ns", "ci_hi_ns", "effect_size", "level", "packets"}}
	for _, x := range s.compare(d).list {
		t.rows = append(t.rows, []string{
			strconv.Itoa(int(x.tag)), x.class, x.stage.String(), cellOf(x.a), cellOf(x.b), cellOf(x.diff), cellOf(x.lo), cellOf(x.hi),
			cellOf(x.effect), string(x.level), strconv.FormatInt(x.count, 10),
		})
	}
	return t
}
