package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// compareView lists what differs between two runs, or a run and its baseline,
// with a plot of each interval about zero.
type compareView struct {
	ofRuns
	list list
}

func (v *compareView) words() []word { return []word{v.list.word()} }

// obeys: two runs are compared as wholes; findings beside the baseline are of the selection.
func (*compareView) obeys(s *Scene) settings {
	if s.over() != nil {
		return ofFilter
	}
	return s.Sel.diagnosed(s.data()) | ofFilter
}

func (*compareView) keys() []action { return []action{enter} }

// ahead is the size that makes most of the difference at the cursor.
func (v *compareView) ahead(s *Scene) Place {
	if list := s.compare().changes; len(list) > 0 {
		return s.data().placeOf(list[v.list.at(len(list))])
	}
	return Place{}
}

func (v *compareView) update(s *Scene, a action) bool {
	if a == enter {
		s.Note = "There is nothing to compare."
		if p := v.ahead(s); p.View != "" {
			s.Note = ""
			s.lead(p)
		}
		return true
	}
	if dx, dy := a.steps(); dx == 0 && dy == 0 {
		return false // without comparing
	}
	return v.list.update(a, len(s.compare().changes))
}

func (v *compareView) draw(c *cell.Canvas, s *Scene) {
	m := s.compare()
	head := "This run (B) against its baseline (A), by total time over all packets"
	if m.over != nil {
		head = fmt.Sprintf("A: %s, B: %s, at B's packet sizes, by total time over all packets", m.over.Dir, s.data().Dir)
	}
	c.Text(0, 0, head, cell.Strong, 0)
	y := 1
	if m.over != nil {
		y += c.Sub(0, 1, c.W, 2).Para(0, 0, originsApart(m.over, s.data()), cell.Second)
	}
	if len(m.changes) == 0 {
		c.Para(1, y+1, "There is nothing to compare for this selection. "+m.note+" Open another run with :open DIR, or name two on the command line.", cell.Warn)
		return
	}
	words := min(max(c.H/4, 4), 12)
	rows := min(len(m.changes)+1, c.H-words-y)
	v.drawChanges(c.Sub(0, y, c.W, rows), m.changes)
	foot := c.Sub(0, y+rows, c.W, c.H-y-rows)
	y = foot.Para(0, 0, changeText(m.changes[v.list.at(len(m.changes))], m.over != nil), cell.Accent)
	if m.note != "" {
		y = foot.Para(0, y, m.note, cell.Warn)
	}
	for _, t := range m.text {
		if y < foot.H {
			y = foot.Para(0, y, "- "+t, cell.Plain)
		}
	}
}

// foremost are the fields of origins that come first, because most depends on them.
var foremost = []string{"workload", "platform.name", "nodes", "layer", "size", "uncontended", "seeds"}

// originsApart says in what the origins of two runs differ, apart from their clocks.
func originsApart(a, b *Data) string {
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

// changeText describes a difference in words.
func changeText(x analysis.Change, runs bool) string {
	warnings := ""
	for _, w := range x.Warnings {
		warnings += " Warning: " + w + "."
	}
	if !x.DiffNs.OK {
		return fmt.Sprintf("%s of %s (tag %d) cannot be compared.%s", analysis.StageName(x.Stage), x.Class, x.Tag, warnings)
	}
	to, from := "above its baseline", "below its baseline"
	if runs {
		to, from = "up", "down"
	}
	way := map[analysis.Level]string{analysis.Above: "is " + to, analysis.Below: "is " + from, analysis.Within: "has not moved by more than 10%", analysis.Unclear: "has not clearly moved"}[x.Level]
	diff := analysis.WithUnit(analysis.SignedUs(x.DiffNs), "µs")
	text := fmt.Sprintf("%s of %s (tag %d) %s: %s (%+.0f%%), interval %s to %s, %s packets.",
		analysis.StageName(x.Stage), x.Class, x.Tag, way, diff, 100*x.Share(), analysis.Beside(diff, analysis.SignedUs(x.CILoNs)), analysis.Beside(diff, analysis.SignedUs(x.CIHiNs)), analysis.Digits(x.CountB))
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

// drawChanges lists differences with a plot of each interval about zero.
func (v *compareView) drawChanges(c *cell.Canvas, list []analysis.Change) {
	g := newGrid(analysis.ChangesView(list).Pick("level", "class", "stage", "mean_a_us", "mean_b_us", "difference_us", ""), 1, 61)
	c.Text(0, 0, "µs", cell.Faint, 0)
	g.head(c, 0)
	text := g.end() + 1
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
	v.list.draw(c, 1, c.H-1, len(list), func(i, y int, at bool) {
		d := list[i]
		_, ink := levelMark(d.Level)
		_, attr := here(c, y, at)
		g.row(c, y, i, cell.Plain, attr)
		plot.Set(us(0), y, '│', cell.Axis, 0)
		if !d.DiffNs.OK {
			return
		}
		for p := us(d.CILoNs.Value); d.CILoNs.OK && p <= us(d.CIHiNs.Value); p++ {
			plot.Set(p, y, '─', ink, 0)
		}
		plot.Set(us(d.DiffNs.Value), y, stageMark(d.Stage), ink, cell.Bold)
	})
}

func (*compareView) table(s *Scene) analysis.View { return analysis.ChangesView(s.compare().changes) }

// comparison is what the compare view lists: run B against run or baseline A.
type comparison struct {
	over    *Data // A; nil for the baseline
	changes []analysis.Change
	text    []string
	note    string
}

// compare compares the active run with the one laid over it, or with its baseline.
// Changes shown to be more than 10 % come first, then those that cost all packets together most.
func (s *Scene) compare() comparison {
	d := s.data()
	c := comparison{over: s.over()}
	switch made := s.Compared; {
	case c.over == nil:
		made := s.Sel.diagnosis(d)
		for _, f := range made.Findings {
			c.changes = append(c.changes, f.Change)
		}
		c.text = made.Summary
	case s.uncompared():
		c.note = "The runs are being compared."
	case made.err != nil:
		c.note = "The runs cannot be compared: " + made.err.Error()
	default:
		c.changes, c.text = made.made, analysis.Moved(made.made)
	}
	c.changes = filter(c.changes, func(x analysis.Change) bool {
		return s.Sel.lists(fmt.Sprintf("tag %d %s %s %s", x.Tag, x.Class, x.Stage, x.Level))
	})
	slices.SortStableFunc(c.changes, func(x, y analysis.Change) int {
		return cmp.Or(cmp.Compare(moved(y), moved(x)), cmp.Compare(y.Cost(), x.Cost()))
	})
	return c
}

// moved ranks changes that are shown before those that are not clear.
func moved(x analysis.Change) int {
	return map[analysis.Level]int{analysis.Above: 2, analysis.Below: 2, analysis.Unclear: 1}[x.Level]
}
