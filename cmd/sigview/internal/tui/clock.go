package tui

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

func sortInts(v []int64) { slices.Sort(v) }

// clockMetrics are what the clock view shows over time.
var clockMetrics = []string{"true error and bound, ns", "residual, ns", "offset, ns", "rate, ppb"}

func clockValue(r trace.ClockRow, metric int) trace.Opt[float64] {
	switch metric {
	case 1:
		return r.ResidualNs
	case 2:
		return trace.Some(r.OffsetNs)
	case 3:
		return r.RatePPB
	}
	return r.TrueErrorNs
}

// clockNodes lists the nodes that the clock protocol followed.
func clockNodes(d *Data) []int64 {
	var out []int64
	for _, r := range d.Run.Clock {
		if !slices.Contains(out, r.Node) {
			out = append(out, r.Node)
		}
	}
	slices.Sort(out)
	return out
}

func clockNode(s *State, d *Data) (int64, int) {
	nodes := clockNodes(d)
	if len(nodes) == 0 {
		return 0, 0
	}
	at := min(max(s.Sel.Row, 0), len(nodes)-1)
	return nodes[at], at
}

func drawClock(c *cell.Canvas, s *State, d *Data) {
	if len(d.Run.Clock) == 0 {
		c.Para(1, 1, "This run has no rounds of the global clock. A run with --monitor full or --monitor clock that lasts longer than --clock-round has.", cell.Warn)
		return
	}
	node, at := clockNode(s, d)
	side := 0
	if c.W >= 100 {
		side = 48
	}
	foot := 4
	plot := c.Sub(0, 0, c.W-side, c.H-foot)
	metric := min(s.Sel.Metric, len(clockMetrics)-1)
	drawClockPlot(plot, s, d, node, metric)
	if side > 0 {
		drawClockNodes(c.Sub(c.W-side+1, 0, side-1, c.H-foot), d, at)
	}
	f := c.Sub(0, c.H-foot, c.W, foot)
	q := d.Run.Manifest.Clock
	y := f.Para(0, 0, fmt.Sprintf("Estimator %s, %d rounds, %d messages", q.Estimator, q.Rounds, q.Messages)+clockText(q)+".", cell.Plain)
	if o := s.over(); o != nil {
		f.Text(0, y, clockOver(o, node), cell.Second, 0)
		y++
	}
	f.Para(0, y, fmt.Sprintf("Node %d. j and k choose a node, m what is shown: %s.", node, clockMetrics[metric]), cell.Faint)
}

// clockOver is what the run laid over has of a node.
func clockOver(o *Data, node int64) string {
	switch {
	case len(o.Run.Clock) == 0:
		return "The other run has no rounds of the global clock."
	case !slices.Contains(clockNodes(o), node):
		return fmt.Sprintf("The other run has no node %d.", node)
	}
	return fmt.Sprintf("%c other run", secondMark) + clockText(o.Run.Manifest.Clock)
}

// clockText is the quality of a run's global clock in words.
func clockText(q trace.ClockQuality) string {
	text := ""
	for _, v := range []struct {
		name  string
		value *float64
		scale float64
		unit  string
	}{
		{"largest error", q.MaxErrorNs, 1000, " µs"}, {"p99 error", q.P99ErrorNs, 1000, " µs"}, {"typical bound", q.MedianBoundNs, 1000, " µs"},
		{"bounds that held", q.BoundCoverage, 0.01, "%"}, {"messages an hour", q.MessagesPerHour, 1, ""},
	} {
		if v.value != nil {
			text += fmt.Sprintf(", %s %.4g%s", v.name, *v.value/v.scale, v.unit)
		}
	}
	return text
}

func drawClockPlot(c *cell.Canvas, s *State, d *Data, node int64, metric int) {
	e, t := extent{}, extent{}
	var other []trace.ClockRow
	if o := s.over(); o != nil {
		other = clockRows(o, node)
	}
	for _, r := range other {
		t.add(trace.Some(float64(r.TimeNs) / 1e6))
		e.add(clockValue(r, metric))
	}
	far := farBound(d, node)
	rows := clockRows(d, node)
	for _, r := range d.Run.Clock {
		t.add(trace.Some(float64(r.TimeNs) / 1e6))
		if metric == 0 && r.Node == node && r.BoundNs.OK && r.BoundNs.Value <= far {
			e.add(trace.Some(r.BoundNs.Value))
			e.add(trace.Some(-r.BoundNs.Value))
		}
		e.add(clockValue(r, metric))
	}
	x := t.axis(max(c.W-axisWidth, 1))
	p := newPanel(c, fmt.Sprintf("%s, over global time, ms; node %d (%c) and all", clockMetrics[metric], node, c.Glyphs.Fit(stageLooks[trace.Net].strong)), x, e.axis(0), x.ticks(10))
	if at, ok := p.y.at(0); ok {
		for i := range p.field.W {
			p.field.Set(i, p.field.H-1-at, '┄', cell.Axis, 0)
		}
	}
	dots := cell.NewDots(p.field)
	w, h := dots.Size()
	for _, r := range d.Run.Clock {
		if v := clockValue(r, metric); v.OK && r.Node != node {
			dots.Set(p.x.fine(w).clamp(float64(r.TimeNs)/1e6), p.y.fine(h).clamp(v.Value), cell.Faint, 0)
		}
	}
	clockLine(dots, p, other, metric, 1, cell.Second)
	clockLine(dots, p, rows, metric, 2, cell.Net)
	dots.Paint(p.field)
	for _, r := range other {
		if v := clockValue(r, metric); v.OK {
			p.put(float64(r.TimeNs)/1e6, v.Value, secondMark, cell.Second, cell.Bold)
		}
	}
	for _, r := range rows {
		ms := float64(r.TimeNs) / 1e6
		if v := clockValue(r, metric); v.OK {
			p.put(ms, v.Value, stageLooks[trace.Net].strong, cell.Net, cell.Bold)
		}
		if metric == 0 && r.BoundNs.OK {
			p.put(ms, min(r.BoundNs.Value, p.y.hi), '▼', cell.Source, 0)
			p.put(ms, max(-r.BoundNs.Value, p.y.lo), '▲', cell.Source, 0)
		}
	}
	if !e.some {
		p.field.Para(1, 1, "Not known in this run.", cell.Warn)
	}
}

// clockRows are the rounds of a node.
func clockRows(d *Data, node int64) []trace.ClockRow {
	var out []trace.ClockRow
	for _, r := range d.Run.Clock {
		if r.Node == node {
			out = append(out, r)
		}
	}
	return out
}

// clockLine joins the rounds of a node.
func clockLine(dots *cell.Dots, p panel, rows []trace.ClockRow, metric, gap int, ink cell.Ink) {
	w, h := dots.Size()
	lastX, lastY, drawn := 0, 0, false
	for _, r := range rows {
		v := clockValue(r, metric)
		if !v.OK {
			continue
		}
		x, y := p.x.fine(w).clamp(float64(r.TimeNs)/1e6), p.y.fine(h).clamp(v.Value)
		if drawn {
			dots.Line(lastX, lastY, x, y, gap, ink, 0)
		}
		lastX, lastY, drawn = x, y, true
	}
}

// farBound is the bound from which on a point only shows at the edge: the
// first rounds know far less than the rest, which must be seen too.
func farBound(d *Data, node int64) float64 {
	var all []float64
	for _, r := range d.Run.Clock {
		if r.Node == node && r.BoundNs.OK {
			all = append(all, r.BoundNs.Value)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return 6 * all[len(all)/2]
}

// drawClockNodes lists the last round of each node.
func drawClockNodes(c *cell.Canvas, d *Data, at int) {
	c.Text(0, 0, fmt.Sprintf("%4s %12s %10s %9s %8s", "node", "offset s", "rate ppb", "bound µs", "error µs"), cell.Faint, 0)
	nodes := clockNodes(d)
	top := scroll(at, len(nodes), c.H-1)
	for i := top; i < len(nodes) && i-top < c.H-1; i++ {
		var last trace.ClockRow
		for _, r := range d.Run.Clock {
			if r.Node == nodes[i] {
				last = r
			}
		}
		attr, ink := cell.Attr(0), cell.Plain
		if i == at {
			attr, ink = cell.Reverse, cell.Accent
		}
		rate := "-"
		if last.RatePPB.OK {
			rate = strconv.FormatFloat(last.RatePPB.Value, 'f', 1, 64)
		}
		c.Text(0, 1+i-top, fmt.Sprintf("%4d %12.6f %10s %9s %8s", nodes[i], last.OffsetNs/1e9, rate, analysis.Us(last.BoundNs), analysis.Us(last.TrueErrorNs)), ink, attr)
		c.Zone(0, 1+i-top, c.W, 1, place{panel: "list", y0: i})
	}
}

func moveClock(s *State, d *Data, _, dy int) {
	_, at := clockNode(s, d)
	s.Sel.Row = min(max(at+dy, 0), max(len(clockNodes(d))-1, 0))
}

// pointList takes the cursor to a line of a list; the zone says which.
func pointList(s *State, _ *Data, z place) {
	if z.panel == "list" {
		s.Sel.Row = z.y0
	}
}

func clockTable(s *State, d *Data) table {
	t := table{head: []string{"run", "estimator", "round", "node", "time_ns", "offset_ns", "rate_ppb", "residual_ns", "bound_ns", "true_error_ns"}}
	for _, run := range s.shown(d) {
		for _, r := range run.Run.Clock {
			t.rows = append(t.rows, []string{
				run.Dir, r.Estimator, strconv.FormatInt(r.Round, 10), strconv.FormatInt(r.Node, 10), strconv.FormatInt(r.TimeNs, 10), cellOf(trace.Some(r.OffsetNs)),
				cellOf(r.RatePPB), cellOf(r.ResidualNs), cellOf(r.BoundNs), cellOf(r.TrueErrorNs),
			})
		}
	}
	return t
}
