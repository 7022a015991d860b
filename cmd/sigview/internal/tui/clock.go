package tui

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
)

// clockView plots the rounds of the global clock over time: one node in front, all
// others behind it.
type clockView struct {
	ofRuns
	node   list
	metric choice
}

// What the clock view shows over time.
var (
	clockMetrics = []string{"true error and bound, ns", "residual, ns", "offset, ns", "rate, ppb"}
	clockValues  = []func(trace.ClockRow) trace.Opt[float64]{
		func(r trace.ClockRow) trace.Opt[float64] { return r.TrueErrorNs },
		func(r trace.ClockRow) trace.Opt[float64] { return r.ResidualNs },
		func(r trace.ClockRow) trace.Opt[float64] { return trace.Some(r.OffsetNs) },
		func(r trace.ClockRow) trace.Opt[float64] { return r.RatePPB },
	}
)

func (*clockView) keys() []action  { return []action{nextMetric} }
func (v *clockView) words() []word { return []word{v.metric.word(clockMetrics), v.node.word()} }

func (v *clockView) update(s *Scene, a action) bool {
	switch a {
	case toggleBaseline:
		return s.withoutBaseline("clocks")
	case nextMetric:
		return v.metric.next(s, clockMetrics)
	}
	return v.node.update(a, len(s.data().clockNodes()))
}

// clockNodes lists the nodes that the clock protocol followed.
func (d *Data) clockNodes() []int64 {
	out := made(d.Run.Clock, func(r trace.ClockRow) int64 { return r.Node })
	slices.Sort(out)
	return slices.Compact(out)
}

// clockRows are the rounds of a node.
func (d *Data) clockRows(node int64) []trace.ClockRow {
	return filter(d.Run.Clock, func(r trace.ClockRow) bool { return r.Node == node })
}

func (v *clockView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	nodes := d.clockNodes()
	if len(nodes) == 0 {
		c.Para(1, 1, "This run has no rounds of the global clock. A run with --monitor full or --monitor clock has them if it lasts longer than --clock-round.", cell.Warn)
		return
	}
	node := nodes[v.node.at(len(nodes))]
	side := 0
	if c.W >= 100 {
		side = 48
	}
	foot := 4
	v.drawPlot(c.Sub(0, 0, c.W-side, c.H-foot), s, node)
	if side > 0 {
		v.drawNodes(c.Sub(c.W-side+1, 0, side-1, c.H-foot), d, nodes)
	}
	f := c.Sub(0, c.H-foot, c.W, foot)
	y := f.Para(0, 0, "Global clock: "+report.Clock(d.Run.Manifest.Clock, true)+".", cell.Plain)
	if o := s.over(); o != nil {
		f.Text(0, y, clockOver(o, node), cell.Second, 0)
		y++
	}
	f.Para(0, y, fmt.Sprintf("Node %d. j and k choose a node, m what is shown: %s.", node, clockMetrics[v.metric.of(clockMetrics)]), cell.Faint)
}

// clockOver describes the clock of the other run at a node.
func clockOver(o *Data, node int64) string {
	switch {
	case len(o.Run.Clock) == 0:
		return "The other run has no rounds of the global clock."
	case !slices.Contains(o.clockNodes(), node):
		return fmt.Sprintf("The other run has no node %d.", node)
	}
	return fmt.Sprintf("%c other run: %s", secondMark, report.Clock(o.Run.Manifest.Clock, true))
}

func (v *clockView) drawPlot(c *cell.Canvas, s *Scene, node int64) {
	d := s.data()
	metric := v.metric.of(clockMetrics)
	value := clockValues[metric]
	mark := stageMark(trace.Net)
	var other []trace.ClockRow
	if o := s.over(); o != nil {
		other = o.clockRows(node)
	}
	rows := d.clockRows(node)
	ex, ey := chart.Extent{}, chart.Extent{}
	for _, r := range slices.Concat(other, d.Run.Clock) {
		ex.Add(ms(r))
		if x := value(r); x.OK {
			ey.Add(x.Value)
		}
	}
	far := farBound(rows)
	for _, r := range rows {
		if metric == 0 && r.BoundNs.OK && r.BoundNs.Value <= far {
			ey.Add(r.BoundNs.Value, -r.BoundNs.Value)
		}
	}
	x := ex.Axis(chart.Axis{})
	x.Marks = x.Ticks(max(c.W-chart.AxisWidth, 1), 10)
	p := frame(c, fmt.Sprintf("%s, over global time, ms; node %d (%c) and all", clockMetrics[metric], node, c.Glyphs.Fit(mark)), x, ey.Axis(chart.Axis{}))
	if _, ok := p.Y.Part(0); ok {
		for i := range p.W {
			p.Set(i, p.Row(0), '┄', cell.Axis, 0)
		}
	}
	points := func(rows []trace.ClockRow) []chart.Point {
		var out []chart.Point
		for _, r := range rows {
			if y := value(r); y.OK {
				out = append(out, chart.Point{X: ms(r), Y: y.Value})
			}
		}
		return out
	}
	for _, q := range points(d.Run.Clock) {
		p.Line([]chart.Point{q}, 1, cell.Faint)
	}
	p.Line(points(other), 1, cell.Second)
	p.Line(points(rows), 2, cell.Net)
	p.Paint()
	for _, q := range points(other) {
		p.Put(q.X, q.Y, secondMark, cell.Second, cell.Bold)
	}
	for _, r := range rows {
		if y := value(r); y.OK {
			p.Put(ms(r), y.Value, mark, cell.Net, cell.Bold)
		}
		if metric == 0 && r.BoundNs.OK {
			p.Put(ms(r), min(r.BoundNs.Value, p.Y.Hi), '▼', cell.Source, 0)
			p.Put(ms(r), max(-r.BoundNs.Value, p.Y.Lo), '▲', cell.Source, 0)
		}
	}
	if !ey.Some {
		p.Para(1, 1, "Not known in this run.", cell.Warn)
	}
}

func ms(r trace.ClockRow) float64 { return float64(r.TimeNs) / 1e6 }

// farBound returns the largest bound that widens the axis. The first rounds have
// far larger bounds than the rest; they are drawn at the edge.
func farBound(rows []trace.ClockRow) float64 {
	var all []float64
	for _, r := range rows {
		if r.BoundNs.OK {
			all = append(all, r.BoundNs.Value)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return 6 * all[len(all)/2]
}

// drawNodes lists the last round of each node.
func (v *clockView) drawNodes(c *cell.Canvas, d *Data, nodes []int64) {
	last := made(nodes, func(node int64) trace.ClockRow {
		rows := d.clockRows(node)
		return rows[len(rows)-1]
	})
	g := newGrid(analysis.ClocksView(last), 0, c.W)
	g.head(c, 0)
	v.node.draw(c, 1, c.H-1, len(nodes), func(i, y int, at bool) {
		ink := cell.Plain
		if at {
			ink = cell.Accent
		}
		g.row(c, y, i, ink, 0)
		c.Mark(0, y, g.end(), attrIf(at, cell.Reverse))
	})
}

func (*clockView) table(s *Scene) analysis.View {
	return s.ofEach(func(d *Data) analysis.View { return analysis.Records(d.Run.Clock) })
}
