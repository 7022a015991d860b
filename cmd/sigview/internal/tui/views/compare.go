package views

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// CompareView lists what differs between two runs, or a run and its baseline,
// with a plot of each interval about zero. Before that come the parts of the waterfall.
type CompareView struct {
	ofRuns
	List list
	Over int // 1: a part leads to the run that is laid over
}

func (v *CompareView) Words() []scene.Word {
	return []scene.Word{v.List.word(), scene.NumberWord("side", "0 or 1", &v.Over, 0, 1)}
}

// Obeys implements View: two runs are compared as wholes; findings beside the baseline are of the selection.
func (*CompareView) Obeys(s *scene.Scene) scene.Settings {
	if s.Second() != nil {
		return scene.OfFilter
	}
	return scene.Diagnosed(&s.Sel, s.Data()) | scene.OfFilter
}

func (*CompareView) Keys() []action.Action { return []action.Action{action.Enter} }

// Ahead is where the part at the cursor is longest, or the size that makes most of the difference there.
func (v *CompareView) Ahead(s *scene.Scene) data.Place {
	if p := v.part(s); p != nil {
		see := []string{p.SeeB, p.SeeA}[v.Over]
		if see == "" {
			return data.Place{}
		}
		return data.Place{View: "timeline", Sel: see, Over: v.Over == 1}
	}
	if x := v.change(s, Compare(s).Changes); x != nil {
		return s.Data().PlaceOf(*x)
	}
	return data.Place{}
}

// mostParts is how many parts of a waterfall are told apart.
const mostParts = 4

// parts are those of the waterfall.
func parts(s *scene.Scene) []report.Step {
	if s.Second() == nil || s.Uncompared() || s.Compared.Err != nil {
		return nil
	}
	return report.Steps(s.Compared.Diff, mostParts)
}

// part is the part of the waterfall at the cursor, nil if that is at none.
func (v *CompareView) part(s *scene.Scene) *report.Step {
	if all := parts(s); v.List.Row < len(all) {
		return &all[v.List.Row]
	}
	return nil
}

// change is the difference of a list at the cursor, nil if that is at none.
func (v *CompareView) change(s *scene.Scene, list []analysis.Change) *analysis.Change {
	if at := v.List.Row - len(parts(s)); at >= 0 && len(list) > 0 {
		return &list[min(at, len(list)-1)]
	}
	return nil
}

func (v *CompareView) Act(s *scene.Scene, a action.Action) bool {
	if a == action.Enter {
		s.Note = "There is nothing to compare."
		if v.part(s) != nil {
			s.Note = fmt.Sprintf("%s has no place of its own.", []string{"In B this", "In A this"}[v.Over])
		}
		if p := v.Ahead(s); p.View != "" {
			s.Note = ""
			s.Lead(p)
		}
		return true
	}
	dx, dy := a.Steps()
	if dx == 0 && dy == 0 {
		return false // without comparing
	}
	if dy == 0 {
		v.Over = map[bool]int{true: 1}[dx < 0]
		return true
	}
	return v.List.Act(a, len(parts(s))+len(Compare(s).Changes))
}

func (v *CompareView) Draw(c *cell.Canvas, s *scene.Scene) {
	m := Compare(s)
	head := "This run (B) against its baseline (A), by total time over all packets"
	if m.over != nil {
		head = fmt.Sprintf("A: %s, B: %s, at B's packet sizes, by total time over all packets", m.over.Dir, s.Data().Dir)
	}
	c.Text(0, 0, head, cell.Strong, 0)
	y := 1
	if m.over != nil {
		y += c.Sub(0, 1, c.W, 2).Para(0, 0, OriginsApart(m.over, s.Data()), cell.Second)
	}
	if len(m.Changes) == 0 {
		c.Para(1, y+1, "There is nothing to compare for this selection. "+m.note+" Open another run with :open DIR, or name two on the command line.", cell.Warn)
		return
	}
	y += v.drawWaterfall(c.Sub(0, y, c.W, c.H-y), s)
	words := min(max(c.H/4, 4), 12)
	rows := min(len(m.Changes)+1, c.H-words-y)
	v.drawChanges(c.Sub(0, y, c.W, rows), m.Changes, s)
	foot := c.Sub(0, y+rows, c.W, c.H-y-rows)
	y = foot.Para(0, 0, v.Row(s), cell.Accent)
	if m.note != "" {
		y = foot.Para(0, y, m.note, cell.Warn)
	}
	for _, t := range m.text {
		if y < foot.H {
			y = foot.Para(0, y, "- "+t, cell.Plain)
		}
	}
}

// drawWaterfall draws the way from one run time to the other, and returns how many lines it takes.
func (v *CompareView) drawWaterfall(c *cell.Canvas, s *scene.Scene) int {
	n := len(parts(s))
	if n == 0 {
		return 0
	}
	w := report.Waterfall(s.Compared.Diff, mostParts)
	w.X.Name = "ms"
	lines := w.Lanes + 3
	w.Draw(c.Sub(0, 0, c.W, lines), chart.Style{Letters: true})
	const first = 2 // below the heading and A
	v.List.drawFrom(c.Sub(0, 0, c.W, lines), first, n, 0, n, v.List.Row, "", func(_, y int, at bool) { here(c, y, at) })
	return lines
}

// foremost are the fields of origins that come first, because most depends on them.
var foremost = []string{"workload", "platform.name", "nodes", "layer", "size", "uncontended", "seeds"}

// OriginsApart says in what the origins of two runs differ, apart from their clocks.
func OriginsApart(a, b *data.Data) string {
	rank := func(field string) int {
		if i := slices.Index(foremost, field); i >= 0 {
			return i
		}
		return len(foremost)
	}
	list := analysis.Differs(a.Run.Manifest, b.Run.Manifest)
	for i := range list {
		list[i].Field = strings.TrimPrefix(list[i].Field, "specification.")
	}
	slices.SortStableFunc(list, func(x, y analysis.Difference) int { return cmp.Compare(rank(x.Field), rank(y.Field)) })
	var out []string
	for _, x := range list {
		if !strings.HasPrefix(x.Field, "clock.") {
			out = append(out, fmt.Sprintf("%s %s → %s", x.Field, plainValue(x.A), plainValue(x.B)))
		}
	}
	if out == nil {
		return "A and B have the same specification and seed."
	}
	return "A → B: " + strings.Join(out, ", ") + "."
}

// plainValue writes a JSON value of an origin: a list of words as words, and of what is long the
// beginning.
func plainValue(text string) string {
	const most = 32
	text = strings.NewReplacer(`","`, ", ", `["`, "", `"]`, "").Replace(text)
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// ChangeText describes a difference in words.
func ChangeText(x analysis.Change, runs bool) string {
	warnings := ""
	for _, w := range x.Warnings {
		warnings += " Warning: " + w + "."
	}
	if !x.DiffNs.OK {
		return fmt.Sprintf("%s of %s (tag %d) cannot be compared.%s", x.StageName(), x.Class, x.Tag, warnings)
	}
	ways := map[analysis.Level]string{analysis.Above: "is above its baseline", analysis.Below: "is below its baseline", analysis.Within: "has not moved by more than 10%", analysis.Unclear: "has not clearly moved"}
	if runs {
		ways = map[analysis.Level]string{analysis.Above: "has risen", analysis.Below: "has fallen", analysis.Within: "is the same", analysis.Unclear: "cannot be told"}
	}
	diff := analysis.WithUnit(analysis.SignedUs(x.DiffNs), "µs")
	text := fmt.Sprintf("%s of %s (tag %d) %s: %s (%+.0f%%), interval %s to %s, %s packets.",
		x.StageName(), x.Class, x.Tag, ways[x.Level], diff, 100*x.Share(), analysis.Beside(diff, analysis.SignedUs(x.CILoNs)), analysis.Beside(diff, analysis.SignedUs(x.CIHiNs)), analysis.Digits(x.CountB))
	if x.Effect.OK {
		of := "packet"
		if x.RunToRun {
			of = "run"
		}
		text += fmt.Sprintf(" Effect size %.2f standard deviations of one %s.", x.Effect.Value, of)
	}
	if runs && math.Abs(x.MixNs) >= math.Abs(x.DiffNs.Value)/10 {
		text += fmt.Sprintf(" The means differ by a further %s because the packets of the class have other sizes.", analysis.WithUnit(analysis.SignedUs(trace.Some(x.MixNs)), "µs"))
	}
	if runs && !x.MeanANs.OK {
		text += " A has no packets of this class: the difference is to what A's other sizes would give."
	}
	return text + warnings
}

// drawChanges lists differences, with a plot of each interval about zero.
func (v *CompareView) drawChanges(c *cell.Canvas, list []analysis.Change, s *scene.Scene) {
	g := scene.NewGrid(analysis.ChangesView(list).Pick("level", "class", "stage", "mean_a_us", "mean_b_us", "difference_us", ""), 1, 61)
	c.Text(0, 0, "µs", cell.Faint, 0)
	g.Head(c, 0)
	text := g.End() + 1
	e := chart.Extent{}
	e.Add(0) // unknown values are 0 as well
	for _, d := range list {
		e.Add(d.DiffNs.Value / 1000)
		if d.Level == analysis.Above || d.Level == analysis.Below {
			e.Add(d.CILoNs.Value/1000, d.CIHiNs.Value/1000)
		}
	}
	plot := c.Sub(text, 0, c.W-text-1, c.H)
	ax := e.Axis(chart.Axis{})
	for _, t := range ax.Ticks(plot.W, 9) {
		p, _ := ax.Place(t.Value, plot.W)
		plot.Text(min(max(p-len(t.Text)/2, 0), plot.W-len(t.Text)), 0, t.Text, cell.Axis, 0)
	}
	us := func(ns float64) int { return ax.Clamp(ns/1000, plot.W) }
	first := len(parts(s))
	v.List.drawFrom(c, 1, c.H-1, first, len(list), min(v.List.Row-first, len(list)-1), s.Sel.Filter, func(i, y int, at bool) {
		d := list[i]
		_, ink := scene.LevelMark(d.Level)
		_, attr := here(c, y, at)
		g.Row(c, y, i, cell.Plain, attr)
		plot.Set(us(0), y, '│', cell.Axis, 0)
		if !d.DiffNs.OK {
			return
		}
		for p := us(d.CILoNs.Value); d.CILoNs.OK && p <= us(d.CIHiNs.Value); p++ {
			plot.Set(p, y, '─', ink, 0)
		}
		plot.Set(us(d.DiffNs.Value), y, scene.StageMark(d.Stage), ink, cell.Bold)
	})
}

// Findings says all that has moved between two runs: there may be room for a part only.
func (v *CompareView) Findings(s *scene.Scene) []scene.Section {
	out := v.ofRuns.Findings(s)
	if m := Compare(s); m.over != nil {
		out = append([]scene.Section{{Head: "What has moved from " + m.over.Dir + " to " + s.Data().Dir, Items: m.text}}, out...)
	}
	return out
}

// Row is the part or the difference at the cursor.
func (v *CompareView) Row(s *scene.Scene) string {
	if p := v.part(s); p != nil {
		text := fmt.Sprintf("%s: %s of run time.", p.Name, analysis.SignedTime(p.Diff))
		if p.SeeA+p.SeeB != "" {
			text += fmt.Sprintf(" Enter shows where it is longest in %s; left is A, right is B.", []string{"B", "A"}[v.Over])
		}
		return text
	}
	if x := v.change(s, Compare(s).Changes); x != nil {
		return ChangeText(*x, s.Second() != nil)
	}
	return ""
}

func (*CompareView) Table(s *scene.Scene) analysis.View {
	return analysis.ChangesView(Compare(s).Changes)
}

// comparison is what the compare view lists: run B against run or baseline A.
type comparison struct {
	over    *data.Data // A; nil for the baseline
	Changes []analysis.Change
	text    []string
	note    string
}

// Compare compares the active run with the one laid over it, or with its baseline.
// Changes shown to be more than 10 % come first, then those that cost all packets together most.
func Compare(s *scene.Scene) comparison {
	d := s.Data()
	c := comparison{over: s.Second()}
	switch made := s.Compared; {
	case c.over == nil:
		made := scene.Diagnosis(&s.Sel, d)
		for _, f := range made.Findings {
			c.Changes = append(c.Changes, f.Change)
		}
		c.text = made.Summary
	case s.Uncompared():
		c.note = "The runs are being compared."
	case made.Err != nil:
		c.note = "The runs cannot be compared: " + made.Err.Error()
	default:
		c.Changes, c.text = made.Made, made.Said
	}
	c.Changes = lists.Filter(c.Changes, func(x analysis.Change) bool {
		return s.Sel.Lists(fmt.Sprintf("tag %d %s %s %s", x.Tag, x.Class, x.Stage, x.Level))
	})
	slices.SortStableFunc(c.Changes, func(x, y analysis.Change) int {
		return cmp.Or(cmp.Compare(moved(y), moved(x)), cmp.Compare(y.Cost(), x.Cost()))
	})
	return c
}

// moved ranks changes that are shown before those that are not clear.
func moved(x analysis.Change) int {
	return map[analysis.Level]int{analysis.Above: 2, analysis.Below: 2, analysis.Unclear: 1}[x.Level]
}
