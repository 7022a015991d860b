package views

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// MatrixView shows a figure for each pair of nodes.
type MatrixView struct {
	ofRuns
	Metric Choice
}

// What the matrix shows.
const (
	pairMean = iota
	pairDeviation
	pairPackets
	PairDifference
)

var pairMetrics = []string{"mean latency, µs", "deviation from the baseline, µs", "packets", "difference from the run laid over, µs"}

func (*MatrixView) Keys() []action.Action { return []action.Action{action.Enter, action.NextMetric} }
func (v *MatrixView) Words() []scene.Word { return []scene.Word{v.Metric.word(pairMetrics)} }

func (*MatrixView) Obeys(s *scene.Scene) scene.Settings {
	own := scene.OfTag | scene.OfSender | scene.OfReceiver | scene.OfClass | scene.OfStage
	if s.Sel.Timed(s.Data()) {
		own |= scene.OfKind | scene.OfTime // the trace has these of pairs
	}
	return own
}

func (v *MatrixView) Act(s *scene.Scene, a action.Action) bool {
	dx, dy := a.Steps()
	from, to, n := &s.Sel.Sender, &s.Sel.Receiver, s.Data().Nodes
	switch {
	case a == action.Enter:
		s.Lead(v.Ahead(s))
	case a == action.NextMetric:
		v.Metric.next(s, pairMetrics)
	case dx == 0 && dy == 0:
		return false
	case *from == data.Everyone || *to == data.Everyone:
		*from, *to = max(*from, 0), max(*to, 0)
	default:
		*from, *to = min(max(*from+dy, 0), n-1), min(max(*to+dx, 0), n-1)
	}
	return true
}

// Ahead is the latencies of the pair: its signature where only classes of pairs are recorded.
func (*MatrixView) Ahead(s *scene.Scene) data.Place {
	if s.Data().Packets == nil {
		return s.Narrowed("signature")
	}
	return s.Narrowed("histogram")
}

// marks reports whether a sender, a receiver or both are selected and a pair is of them.
func marks(s *data.Selection, from, to int) bool {
	return (s.Sender != data.Everyone || s.Receiver != data.Everyone) &&
		(s.Sender == data.Everyone || s.Sender == from) && (s.Receiver == data.Everyone || s.Receiver == to)
}

// Value returns the figure of a pair.
func (v *MatrixView) Value(s *scene.Scene, from, to int) trace.Opt[float64] {
	metric := v.Metric.Of(pairMetrics)
	stages := []trace.Stage{s.Sel.Stage}
	if metric == pairPackets {
		stages = nil
	}
	c, ok := s.Sel.OfPair(s.Data(), from, to, stages...)
	if !ok {
		return trace.Opt[float64]{}
	}
	st := c.Stat(s.Sel.Stage)
	switch metric {
	case PairDifference:
		if o := s.Second(); o != nil {
			other, _ := s.Sel.OfPair(o, from, to, s.Sel.Stage)
			return scene.InUs(data.Minus(st.MeanNs, other.Stat(s.Sel.Stage).MeanNs))
		}
		return trace.Opt[float64]{}
	case pairDeviation:
		return scene.InUs(st.DeviationNs)
	case pairPackets:
		return trace.Some(float64(c.Count()))
	default:
		return scene.InUs(st.MeanNs)
	}
}

func (v *MatrixView) signed() bool {
	m := v.Metric.Of(pairMetrics)
	return m == pairDeviation || m == PairDifference
}

func (v *MatrixView) Draw(c *cell.Canvas, s *scene.Scene) {
	n := s.Data().Nodes
	e := chart.Extent{}
	metric := v.Metric.Of(pairMetrics)
	var halves []float64 // of the intervals of means
	for from := range n {
		for to := range n {
			x := v.Value(s, from, to)
			if !x.OK {
				continue
			}
			e.Add(x.Value)
			col, _ := s.Sel.OfPair(s.Data(), from, to, s.Sel.Stage)
			if st := col.Stat(s.Sel.Stage); metric != pairPackets && st.CILoNs.OK && st.CIHiNs.OK {
				halves = append(halves, (st.CIHiNs.Value-st.CILoNs.Value)/2000)
			}
		}
	}
	e = Calm(e, halves, v.signed())
	if !e.Some {
		c.Text(0, 0, v.title(s, "µs"), cell.Strong, 0)
		text := "No packets between nodes are recorded for this selection. c changes the size class, t the tag."
		switch d := s.Data(); {
		case metric == PairDifference && s.Second() == nil:
			text = "There is no run laid over. Open one with :open DIR and lay it over with v, or press m for another figure."
		case len(d.Pairs) == 0 && !s.Sel.Timed(d):
			text = unpaired(d)
		}
		c.Para(1, 2, text, cell.Warn)
		return
	}
	unit, us := "µs", 1.0 // in which figures are written
	if most := max(math.Abs(e.Lo), math.Abs(e.Hi)); metric != pairPackets && most >= 1e4 {
		unit, us = analysis.UnitOf(1000 * most)
		us /= 1000
	}
	foot := 3
	if s.Second() != nil {
		foot++
	}
	g := pairGrid{wide: min(max((c.W-5)/n, 1), 9), rows: c.H - foot - 2}
	if g.wide < 5 {
		g.wide = min(g.wide, 2)
	}
	g.tall = min(max(g.rows/n, 1), 3)
	g.rows, g.columns = min(g.rows/g.tall, n), min((c.W-5)/g.wide, n)
	g.top, g.left = scroll(s.Sel.Sender, n, g.rows), scroll(s.Sel.Receiver, n, g.columns)
	c.Ends(0, v.title(s, unit), cell.Strong, g.part(n), cell.Warn)
	for to := g.left; to < g.left+g.columns; to++ {
		x := 4 + (to-g.left)*g.wide
		if label := strconv.Itoa(to); g.wide > len(label) || to%5 == 0 {
			c.Text(x+max(g.wide-len(label)-1, 0)/2, 1, label, cell.Axis, 0)
		}
	}
	for from := g.top; from < g.top+g.rows; from++ {
		y := 2 + (from-g.top)*g.tall
		c.Right(3, y+(g.tall-1)/2, strconv.Itoa(from), cell.Axis, 0)
		for to := g.left; to < g.left+g.columns; to++ {
			x := 4 + (to-g.left)*g.wide
			v.drawPair(c.Sub(x, y, g.wide, g.tall), s, from, to, e, us)
			for row := range g.tall {
				c.Mark(x, y+row, g.wide, scene.AttrIf(marks(&s.Sel, from, to), cell.Reverse))
			}
		}
	}
	c.Zone(4, 2, g.columns*g.wide, g.rows*g.tall, action.Pointed(func(dx, dy int) {
		s.Sel.Sender, s.Sel.Receiver = g.top+dy/g.tall, g.left+dx/g.wide
	}))
	e.Lo, e.Hi = e.Lo/us, e.Hi/us
	drawPairText(c.Sub(0, c.H-foot, c.W, foot), s, e)
}

// Calm widens a scale on which a step would be less than half of most intervals, so that what may be chance looks alike. Only signed values
// are below 0.
func Calm(e chart.Extent, halves []float64, signed bool) chart.Extent {
	if len(halves) == 0 {
		return e
	}
	slices.Sort(halves)
	more := float64(cell.HeatSteps*halves[len(halves)/2]) - (e.Hi - e.Lo)
	if more <= 0 {
		return e
	}
	e.Lo, e.Hi = e.Lo-float64(more/2), e.Hi+float64(more/2)
	if !signed && e.Lo < 0 {
		e.Lo, e.Hi = 0, e.Hi-e.Lo
	}
	return e
}

// unpaired says why no pair of nodes has packets.
func unpaired(d *data.Data) string {
	if d.Run.Manifest.Detail == trace.DetailFast || len(d.Signature.Rows) == 0 {
		return noSignature(d)
	}
	text := fmt.Sprintf("The monitors have kept no sums of the pairs of %d nodes: their memory is too small.", d.Nodes)
	for _, w := range d.Run.Manifest.Warnings {
		if strings.HasPrefix(w, "histograms coarsened") {
			text += " " + strings.ToUpper(w[:1]) + w[1:] + "."
		}
	}
	if d.HasTrace() {
		return text + " The trace knows the pairs of a part of the run: choose one in the timeline, with 6 and +."
	}
	return text + " A run with --trace knows the pairs of each part of the run."
}

func (v *MatrixView) title(s *scene.Scene, unit string) string {
	what := strings.Replace(pairMetrics[v.Metric.Of(pairMetrics)], "µs", unit, 1)
	return fmt.Sprintf("%s, %s, size class %s; rows send, columns receive", what, s.Data().StageName(s.Sel.Stage), s.Sel.Class)
}

// pairGrid is the part of the pairs that is shown, and the size of one on characters.
type pairGrid struct{ top, left, rows, columns, wide, tall int }

// part says which of n senders and receivers are shown, if not all are.
func (g pairGrid) part(n int) string {
	var out []string
	if g.rows < n {
		out = append(out, fmt.Sprintf("rows %d to %d", g.top, g.top+g.rows-1))
	}
	if g.columns < n {
		out = append(out, fmt.Sprintf("columns %d to %d", g.left, g.left+g.columns-1))
	}
	if out == nil {
		return ""
	}
	return strings.Join(out, ", ") + fmt.Sprintf(" of %d", n)
}

// drawPair draws a pair as a number in units of so many µs or, where cells are narrow, as a
// shade. A pair without packets is blank.
func (v *MatrixView) drawPair(c *cell.Canvas, s *scene.Scene, from, to int, e chart.Extent, us float64) {
	x := v.Value(s, from, to)
	if !x.OK {
		return
	}
	step := cell.HeatSteps - 1
	if e.Hi > e.Lo {
		step = int((x.Value - e.Lo) / (e.Hi - e.Lo) * (cell.HeatSteps - 1))
	}
	ink, shaded := cell.Heat+cell.Ink(step), c.W
	switch {
	case c.W >= 7:
		shaded = 1
	case c.W >= 5:
		shaded = 0
	}
	for i := range shaded * c.H {
		c.Set(i%shaded, i/shaded, c.Glyphs.Shade(step), ink, 0)
	}
	if c.W < 5 {
		if v.signed() && c.W > 1 {
			c.Set(0, 0, map[bool]rune{true: '-', false: '+'}[x.Value < 0], ink, 0)
		}
		return
	}
	text := strconv.FormatFloat(x.Value/us, 'f', 1, 64)
	switch {
	case v.Metric.Of(pairMetrics) == pairPackets:
		text = chart.Short(x.Value)
	case v.signed():
		text = fmt.Sprintf("%+.1f", x.Value/us)
	}
	if len(text) > c.W-1 {
		text = strconv.FormatFloat(math.Round(x.Value/us), 'f', 0, 64)
	}
	col, _ := s.Sel.OfPair(s.Data(), from, to, s.Sel.Stage)
	c.Right(c.W-1, (c.H-1)/2, text, cell.Plain, scene.AttrIf(col.Stat(s.Sel.Stage).Weak, cell.Dim))
}

func drawPairText(c *cell.Canvas, s *scene.Scene, e chart.Extent) {
	x := c.Text(0, 0, chart.Short(round3(e.Lo))+" ", cell.Faint, 0)
	for step := range cell.HeatSteps {
		c.Set(x+step, 0, c.Glyphs.Shade(step), cell.Heat+cell.Ink(step), 0)
	}
	c.Text(x+cell.HeatSteps+1, 0, chart.Short(round3(e.Hi))+"   blank: no packets"+c.Keys("   m shows another value, c another class, enter the pair's latencies"), cell.Faint, 0)
	from, to := s.Sel.Sender, s.Sel.Receiver
	if from == data.Everyone || to == data.Everyone {
		c.Text(0, 1, c.Keys("The arrows choose a pair."), cell.Accent, 0)
		return
	}
	col, ok := s.Sel.OfPair(s.Data(), from, to)
	if !ok {
		c.Text(0, 1, fmt.Sprintf("%d to %d: no packets", from, to), cell.Accent, 0)
		return
	}
	st, name := col.Stat(s.Sel.Stage), s.Data().StageName(s.Sel.Stage)
	mark, ink := scene.LevelMark(analysis.LevelOf(st))
	interval := ""
	if st.CILoNs.OK {
		interval = " (" + analysis.Us(st.CILoNs) + " to " + analysis.Us(st.CIHiNs) + ")"
	}
	x = c.Text(0, 1, fmt.Sprintf("%d to %d: %s packets, %s %s%s%s, baseline %s ", from, to, analysis.Digits(col.Count()),
		name, analysis.WithUnit(analysis.Us(st.MeanNs), "µs"), interval, scene.Weakly(st), analysis.Us(st.BaselineNs)), cell.Accent, 0)
	c.Set(x, 1, mark, ink, cell.Bold)
	c.Text(x+1, 1, analysis.SignedUs(st.DeviationNs)+" "+scene.Share(st), ink, 0)
	text := ""
	for _, stage := range trace.Stages() {
		text += fmt.Sprintf("%s %s  ", s.Data().StageName(stage), analysis.Us(col.Stat(stage).MeanNs))
	}
	c.Text(0, 2, text, cell.Plain, 0)
	if o := s.Second(); o != nil {
		text := "the other run has no such packets"
		if other, ok := s.Sel.OfPair(o, from, to); ok {
			m := other.Stat(s.Sel.Stage).MeanNs
			text = fmt.Sprintf("other run: %s packets, %s %s, difference %s", analysis.Digits(other.Count()), name, analysis.WithUnit(analysis.Us(m), "µs"), analysis.SignedUs(data.Minus(st.MeanNs, m)))
		}
		c.Text(0, 3, text, cell.Second, 0)
	}
}

func round3(v float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return out
}

func (*MatrixView) Table(s *scene.Scene) analysis.View {
	var out analysis.View
	d := s.Data()
	for from := range d.Nodes {
		for to := range d.Nodes {
			col, ok := s.Sel.OfPair(d, from, to)
			if !ok {
				continue
			}
			v := s.Latencies([]analysis.Packets{col}, []trace.Stage{s.Sel.Stage}, func(o *data.Data, _ analysis.Packets) (analysis.Packets, bool) { return s.Sel.OfPair(o, from, to) }, "mean_us", "count")
			v = v.Under("receiver", to).Under("sender", from)
			out.Columns, out.Rows = v.Columns, append(out.Rows, v.Rows...)
		}
	}
	return out
}
