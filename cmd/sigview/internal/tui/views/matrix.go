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

// MatrixView shows a figure for each pair of nodes, or for each pair of blocks of nodes.
type MatrixView struct {
	ofRuns
	Metric Choice
	block  int // nodes of a block; 0: as many as the number of nodes asks for
}

// What the matrix shows.
const (
	pairMean = iota
	pairDeviation
	pairPackets
	PairDifference
)

var pairMetrics = []string{"mean latency, µs", "deviation from the baseline, µs", "packets", "difference from the run laid over, µs"}

func (*MatrixView) Keys() []action.Action {
	return []action.Action{action.Enter, action.NextMetric, action.ZoomIn, action.ZoomOut}
}

func (v *MatrixView) Words() []scene.Word {
	return []scene.Word{v.Metric.word(pairMetrics), scene.NumberWord("block", "nodes of a block, or any", &v.block, 1, 1<<16).Called("any", &v.block, 0)}
}

// Crumb names the step of a trail at which blocks have been entered.
func (v *MatrixView) Crumb() string {
	switch v.block {
	case 0:
		return ""
	case 1:
		return "each pair"
	}
	return fmt.Sprintf("blocks of %d", v.block)
}

// Can reports whether a zoom changes the blocks.
func (v *MatrixView) Can(s *scene.Scene, a action.Action) bool {
	switch b := v.Block(s.Nodes()); a {
	case action.ZoomIn:
		return b > 1
	case action.ZoomOut:
		return 2*b < s.Nodes()
	}
	return true
}

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
	b := v.Block(n)
	switch {
	case a == action.Enter:
		s.Lead(v.Ahead(s))
	case a == action.ZoomIn:
		v.block = max(b/2, 1)
	case a == action.ZoomOut:
		if v.Can(s, a) {
			v.block = 2 * b
		}
	case a == action.NextMetric:
		v.Metric.next(s, pairMetrics)
	case dx == 0 && dy == 0:
		return false
	case *from == data.Everyone || *to == data.Everyone:
		*from, *to = max(*from, 0), max(*to, 0)
	default:
		*from, *to = min(max(*from/b+dy, 0), (n-1)/b)*b, min(max(*to/b+dx, 0), (n-1)/b)*b
	}
	return true
}

// Ahead is the block at the cursor, with the cursor at the pair that is farthest in it, or without a cursor the
// block that has the farthest of all. Of a pair it is the latencies: its signature where only classes of pairs are recorded.
func (v *MatrixView) Ahead(s *scene.Scene) data.Place {
	if b := v.Block(s.Nodes()); b > 1 {
		at := v.blocks(s).chosen(&s.Sel)
		return s.Narrowed("matrix", fmt.Sprintf("metric=%d block=%d sender=%d receiver=%d", v.Metric, max(b/mostBlocks, 1), at.from, at.to))
	}
	if s.Data().Packets == nil {
		return s.Narrowed("signature")
	}
	return s.Narrowed("histogram")
}

// Block returns how many nodes are a block: a single one unless there are many.
func (v *MatrixView) Block(nodes int) int {
	if v.block > 0 {
		return min(v.block, max(nodes, 1))
	}
	b := 1
	for nodes > 2*mostBlocks && nodes > b*mostBlocks {
		b *= 2
	}
	return b
}

// blocks sums up the pairs that have packets.
func (v *MatrixView) blocks(s *scene.Scene) blocks {
	how := asMean
	switch {
	case v.signed():
		how = asFarthest
	case v.Metric.Of(pairMetrics) == pairPackets:
		how = asNumber
	}
	out := newBlocks(s.Nodes(), v.Block(s.Nodes()), how)
	for _, pair := range s.Sel.Linked(s.Data()) {
		from, to := int(pair.Sender), int(pair.Receiver)
		if x := v.Value(s, from, to); x.OK && max(from, to) < s.Nodes() {
			col, _ := s.Sel.OfPair(s.Data(), from, to, s.Sel.Stage)
			out.add(from, to, x, col.Count(), col.Stat(s.Sel.Stage))
		}
	}
	return out
}

// marks reports whether a sender, a receiver or both are selected and in blocks of so many nodes.
func marks(s *data.Selection, from, to, nodes int) bool {
	return (s.Sender != data.Everyone || s.Receiver != data.Everyone) &&
		(s.Sender == data.Everyone || s.Sender/nodes == from) && (s.Receiver == data.Everyone || s.Receiver/nodes == to)
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
	e := chart.Extent{}
	metric, blocks := v.Metric.Of(pairMetrics), v.blocks(s)
	b, n := v.Block(s.Nodes()), blocks.side
	var halves []float64 // of the intervals of means
	for i := range blocks.list {
		if k := &blocks.list[i]; k.value.OK {
			e.Add(k.value.Value)
			if k.half.OK {
				halves = append(halves, k.half.Value)
			}
		}
	}
	e = Calm(e, halves)
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
	g.top, g.left = scroll(max(s.Sel.Sender, 0)/b, n, g.rows), scroll(max(s.Sel.Receiver, 0)/b, n, g.columns)
	c.Ends(0, v.title(s, unit), cell.Strong, g.part(s.Nodes(), b), cell.Warn)
	for to := g.left; to < g.left+g.columns; to++ {
		x := 4 + (to-g.left)*g.wide
		if label := strconv.Itoa(to * b); g.wide > len(label) || to%5 == 0 {
			c.Text(x+max(g.wide-len(label)-1, 0)/2, 1, label, cell.Axis, 0)
		}
	}
	for from := g.top; from < g.top+g.rows; from++ {
		y := 2 + (from-g.top)*g.tall
		c.Right(3, y+(g.tall-1)/2, strconv.Itoa(from*b), cell.Axis, 0)
		for to := g.left; to < g.left+g.columns; to++ {
			x := 4 + (to-g.left)*g.wide
			v.drawBlock(c.Sub(x, y, g.wide, g.tall), blocks.at(from, to), e, us)
			for row := range g.tall {
				c.Mark(x, y+row, g.wide, scene.AttrIf(marks(&s.Sel, from, to, b), cell.Reverse))
			}
		}
	}
	c.Zone(4, 2, g.columns*g.wide, g.rows*g.tall, action.Pointed(func(dx, dy int) {
		s.Sel.Sender, s.Sel.Receiver = (g.top+dy/g.tall)*b, (g.left+dx/g.wide)*b
	}))
	e.Lo, e.Hi = e.Lo/us, e.Hi/us
	text := c.Sub(0, c.H-foot, c.W, foot)
	if drawScale(text, e, b); b > 1 {
		v.drawBlockText(text, s, blocks)
		return
	}
	drawPairText(text, s)
}

// Calm widens a scale on which a step would be less than half of most intervals, so that what may be chance looks alike. A scale of values
// of which none is below 0 begins at 0 or above.
func Calm(e chart.Extent, halves []float64) chart.Extent {
	if len(halves) == 0 {
		return e
	}
	slices.Sort(halves)
	more := float64(cell.HeatSteps*halves[len(halves)/2]) - (e.Hi - e.Lo)
	if more <= 0 {
		return e
	}
	lo, hi := e.Lo-float64(more/2), e.Hi+float64(more/2)
	if lo < 0 && e.Lo >= 0 {
		lo, hi = 0, hi-lo
	}
	e.Lo, e.Hi = lo, hi
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
	text := fmt.Sprintf("%s, %s, size class %s; rows send, columns receive", what, s.Data().StageName(s.Sel.Stage), s.Sel.Class)
	b := v.Block(s.Nodes())
	switch {
	case b == 1:
		return text
	case v.signed():
		return fmt.Sprintf("farthest of %d×%d nodes: %s", b, b, text)
	}
	return fmt.Sprintf("%d×%d nodes: %s", b, b, text)
}

// pairGrid is the part of the pairs that is shown, and the size of one on characters.
type pairGrid struct{ top, left, rows, columns, wide, tall int }

// part says which of n senders and receivers are shown, in blocks of so many, if not all are.
func (g pairGrid) part(n, block int) string {
	var out []string
	if g.rows*block < n {
		out = append(out, fmt.Sprintf("rows %d to %d", g.top*block, min((g.top+g.rows)*block, n)-1))
	}
	if g.columns*block < n {
		out = append(out, fmt.Sprintf("columns %d to %d", g.left*block, min((g.left+g.columns)*block, n)-1))
	}
	if out == nil {
		return ""
	}
	return strings.Join(out, ", ") + fmt.Sprintf(" of %d", n)
}

// drawBlock draws a pair or a block as a number in units of so many µs or, where cells are narrow, as a
// shade. One without packets is blank.
func (v *MatrixView) drawBlock(c *cell.Canvas, k *block, e chart.Extent, us float64) {
	x := k.value
	if !x.OK {
		return
	}
	step := cell.HeatSteps - 1
	if e.Hi > e.Lo {
		step = int((x.Value - e.Lo) / (e.Hi - e.Lo) * (cell.HeatSteps - 1))
	}
	shaded := c.W
	switch {
	case c.W >= 7:
		shaded = 1
	case c.W >= 5:
		shaded = 0
	}
	for i := range shaded * c.H {
		c.Heat(i%shaded, i/shaded, step)
	}
	if c.W < 5 {
		if v.signed() && c.W > 1 {
			c.Set(0, 0, map[bool]rune{true: '-', false: '+'}[x.Value < 0], cell.Plain, 0)
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
	c.Right(c.W-1, (c.H-1)/2, text, cell.Plain, scene.AttrIf(k.weak, cell.Dim))
}

func drawScale(c *cell.Canvas, e chart.Extent, block int) {
	keys := "   m shows another value, c another class, enter the pair's latencies"
	if block > 1 {
		keys = "   + - smaller and larger blocks, enter goes into one"
	}
	x := c.Text(0, 0, chart.Short(round3(e.Lo))+" ", cell.Faint, 0)
	for step := range cell.HeatSteps {
		c.Heat(x+step, 0, step)
	}
	c.Text(x+cell.HeatSteps+1, 0, chart.Short(round3(e.Hi))+"   blank: no packets"+c.Keys(keys), cell.Faint, 0)
}

// drawBlockText says all of the block at the cursor.
func (v *MatrixView) drawBlockText(c *cell.Canvas, s *scene.Scene, all blocks) {
	if s.Sel.Sender == data.Everyone || s.Sel.Receiver == data.Everyone {
		c.Text(0, 1, c.Keys("The arrows choose a block."), cell.Accent, 0)
		return
	}
	b, n := v.Block(s.Nodes()), s.Nodes()
	k := all.chosen(&s.Sel)
	from, to := s.Sel.Sender/b*b, s.Sel.Receiver/b*b
	text := fmt.Sprintf("%d–%d to %d–%d: ", from, min(from+b, n)-1, to, min(to+b, n)-1)
	if k.pairs == 0 {
		c.Text(0, 1, text+"no packets", cell.Accent, 0)
		return
	}
	x := c.Text(0, 1, text+analysis.Plural(int(k.packets), "packet")+" of "+analysis.Plural(k.pairs, "pair"), cell.Accent, 0)
	if v.Metric.Of(pairMetrics) != pairPackets {
		c.Text(x, 1, fmt.Sprintf(", mean %s %s", s.Data().StageName(s.Sel.Stage), analysis.WithUnit(analysis.Us(trace.Some(k.mean()*1000)), "µs")), cell.Accent, 0)
	}
	what := map[bool]string{true: "farthest", false: "most"}[v.signed()]
	far := strconv.FormatFloat(k.far.Value, 'f', 2, 64) + " µs"
	if v.Metric.Of(pairMetrics) == pairPackets {
		far = analysis.Digits(int64(k.far.Value))
	}
	c.Text(0, 2, fmt.Sprintf("%s: %d to %d, %s", what, k.from, k.to, far), cell.Plain, 0)
}

func drawPairText(c *cell.Canvas, s *scene.Scene) {
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
	x := c.Text(0, 1, fmt.Sprintf("%d to %d: %s packets, %s %s%s%s, baseline %s ", from, to, analysis.Digits(col.Count()),
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
