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
// with a plot of each interval about zero.
type CompareView struct {
	ofRuns
	List list
}

func (v *CompareView) Words() []scene.Word { return []scene.Word{v.List.word()} }

// Obeys implements View: two runs are compared as wholes; findings beside the baseline are of the selection.
func (*CompareView) Obeys(s *scene.Scene) scene.Settings {
	if s.Second() != nil {
		return scene.OfFilter
	}
	return scene.Diagnosed(&s.Sel, s.Data()) | scene.OfFilter
}

func (*CompareView) Keys() []action.Action { return []action.Action{action.Enter} }

// Ahead is the size that makes most of the difference at the cursor.
func (v *CompareView) Ahead(s *scene.Scene) data.Place {
	if list := Compare(s).Changes; len(list) > 0 {
		return s.Data().PlaceOf(list[v.List.At(len(list))])
	}
	return data.Place{}
}

func (v *CompareView) Act(s *scene.Scene, a action.Action) bool {
	if a == action.Enter {
		s.Note = "There is nothing to compare."
		if p := v.Ahead(s); p.View != "" {
			s.Note = ""
			s.Lead(p)
		}
		return true
	}
	if dx, dy := a.Steps(); dx == 0 && dy == 0 {
		return false // without comparing
	}
	return v.List.Act(a, len(Compare(s).Changes))
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
	y += drawWaterfall(c.Sub(0, y, c.W, (c.H-y)/2), s)
	words := min(max(c.H/4, 4), 12)
	rows := min(len(m.Changes)+1, c.H-words-y)
	v.drawChanges(c.Sub(0, y, c.W, rows), m.Changes, s.Sel.Filter)
	foot := c.Sub(0, y+rows, c.W, c.H-y-rows)
	y = foot.Para(0, 0, ChangeText(m.Changes[v.List.At(len(m.Changes))], m.over != nil), cell.Accent)
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
func drawWaterfall(c *cell.Canvas, s *scene.Scene) int {
	const around = 5 // lines of both run times, of the axis and of the heading
	if s.Second() == nil || s.Uncompared() || s.Compared.Err != nil || c.H < around+1 {
		return 0
	}
	w := report.Waterfall(s.Compared.Diff, c.H-around-1) // all else has a line too
	if w.Empty() {
		return 0
	}
	w.X.Name = "ms"
	lines := w.Lanes + 3
	w.Draw(c.Sub(0, 0, c.W, lines), chart.Style{Letters: true})
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

// drawChanges lists differences, found by words, with a plot of each interval about zero.
func (v *CompareView) drawChanges(c *cell.Canvas, list []analysis.Change, words string) {
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
	v.List.Draw(c, 1, c.H-1, len(list), words, func(i, y int, at bool) {
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

// Row is the difference at the cursor.
func (v *CompareView) Row(s *scene.Scene) string {
	if list := Compare(s).Changes; len(list) > 0 {
		return ChangeText(list[v.List.At(len(list))], s.Second() != nil)
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
