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

// ClockView plots the rounds of the global clock over time: one node in front, all
// others behind it.
type ClockView struct {
	ofRuns
	Node   list
	metric Choice
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

func (*ClockView) Keys() []action.Action { return []action.Action{action.NextMetric} }
func (v *ClockView) Words() []scene.Word {
	return []scene.Word{v.metric.word(clockMetrics), v.Node.word()}
}

func (v *ClockView) Act(s *scene.Scene, a action.Action) bool {
	switch a {
	case action.ToggleBaseline:
		return withoutBaseline(s, "clocks")
	case action.NextMetric:
		return v.metric.next(s, clockMetrics)
	}
	return v.Node.Act(a, len(ClockNodes(s.Data())))
}

// ClockNodes lists the nodes that the clock protocol followed.
func ClockNodes(d *data.Data) []int64 {
	out := lists.Map(d.Run.Clock, func(r trace.ClockRow) int64 { return r.Node })
	slices.Sort(out)
	return slices.Compact(out)
}

// clockRows are the rounds of a node.
func clockRows(d *data.Data, node int64) []trace.ClockRow {
	return lists.Filter(d.Run.Clock, func(r trace.ClockRow) bool { return r.Node == node })
}

func (v *ClockView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	nodes := ClockNodes(d)
	if len(nodes) == 0 {
		c.Para(1, 1, "This run has no rounds of the global clock. A run with --monitor full or --monitor clock has them if it lasts longer than --clock-round.", cell.Warn)
		return
	}
	node := nodes[v.Node.At(len(nodes))]
	side := 0
	if c.W >= 100 {
		side = 50
	}
	foot := 5
	v.drawPlot(c.Sub(0, 0, c.W-side, c.H-foot), s, node)
	if side > 0 {
		v.drawNodes(c.Sub(c.W-side+1, 0, side-1, c.H-foot), d, nodes)
	}
	f := c.Sub(0, c.H-foot, c.W, foot)
	y := f.Para(0, 0, "Global clock: "+report.Clock(d.Run.Manifest.Clock, true)+".", cell.Plain)
	if o := s.Second(); o != nil {
		y += f.Sub(0, y, f.W, f.H-y).Para(0, 0, clockOver(o, node), cell.Second)
	}
	f.Para(0, y, fmt.Sprintf("Node %d (%c). j and k choose a node, m what is shown: %s.", node, scene.StageMark(trace.Net), clockMetrics[v.metric.Of(clockMetrics)]), cell.Faint)
}

// clockOver describes the clock of the other run at a node.
func clockOver(o *data.Data, node int64) string {
	switch {
	case len(o.Run.Clock) == 0:
		return "The other run has no rounds of the global clock."
	case !slices.Contains(ClockNodes(o), node):
		return fmt.Sprintf("The other run has no node %d.", node)
	}
	return fmt.Sprintf("%c other run: %s", scene.SecondMark, report.Clock(o.Run.Manifest.Clock, true))
}

func (v *ClockView) drawPlot(c *cell.Canvas, s *scene.Scene, node int64) {
	k := v.Chart(s, node)
	p := scene.Plot{Field: k.Draw(c, chart.Style{})}
	p.Level(trace.Some(0.0), 1, cell.Axis)
	if k.Empty() {
		p.Para(1, 1, "Not known in this run.", cell.Warn)
	}
}

// Chart returns a figure of a node over time, the same of the other run behind it, and
// points of all nodes behind both.
func (v *ClockView) Chart(s *scene.Scene, node int64) chart.Chart {
	metric := v.metric.Of(clockMetrics)
	value := clockValues[metric]
	title, unit, _ := strings.Cut(clockMetrics[metric], ", ")
	k := chart.Chart{Title: title, Y: chart.Axis{Name: unit}}
	k.X = report.TimeAxis("ms", chart.Linear)
	k.X.Name = fmt.Sprintf("global time, ms; node %d and all", node)
	add := func(s chart.Series, rows []trace.ClockRow, value func(trace.ClockRow) trace.Opt[float64]) {
		for _, r := range rows {
			y := value(r)
			s.Points = append(s.Points, chart.Point{X: float64(r.TimeNs) / 1e6, Y: y.Value, Missing: !y.OK})
			if s.Draw == chart.Line { // as dots
				s.Points = append(s.Points, chart.Point{Missing: true})
			}
		}
		k.Series = append(k.Series, s)
	}
	line := chart.Series{Draw: chart.Line | chart.Marks, Top: true, Attr: cell.Bold}
	add(chart.Series{Draw: chart.Line, Look: chart.Look{Ink: cell.Faint}}, s.Data().Run.Clock, value)
	if o := s.Second(); o != nil {
		line.Name, line.Look = o.Dir, chart.Look{Ink: cell.Second, Rune: scene.SecondMark}
		add(line, clockRows(o, node), value)
	}
	rows := clockRows(s.Data(), node)
	line.Name, line.Look, line.Gap = fmt.Sprintf("node %d", node), chart.Look{Form: chart.Diamond, Ink: cell.Net}, 2
	add(line, rows, value)
	if metric != 0 {
		return k
	}
	// The first rounds have far larger bounds than the rest, which lie at the ends of an
	// axis that fits without them.
	own := k.Series
	for _, most := range []float64{farBound(rows), math.Inf(1)} {
		k.Series = own
		for i, sign := range []float64{1, -1} {
			look := chart.Look{Form: []chart.Form{chart.Down, chart.Up}[i], Ink: cell.Source}
			add(chart.Series{Name: []string{"bound", ""}[i], Draw: chart.Marks, Top: true, Look: look}, rows, func(r trace.ClockRow) trace.Opt[float64] {
				return trace.Opt[float64]{Value: sign * r.BoundNs.Value, OK: r.BoundNs.OK && r.BoundNs.Value <= most}
			})
		}
		_, k.Y = k.Fit()
	}
	return k
}

// farBound returns the largest bound that widens the axis.
func farBound(rows []trace.ClockRow) float64 {
	known := lists.Filter(rows, func(r trace.ClockRow) bool { return r.BoundNs.OK })
	if len(known) == 0 {
		return 0
	}
	slices.SortFunc(known, func(a, b trace.ClockRow) int { return cmp.Compare(a.BoundNs.Value, b.BoundNs.Value) })
	return 6 * known[len(known)/2].BoundNs.Value
}

// drawNodes lists the last round of each node.
func (v *ClockView) drawNodes(c *cell.Canvas, d *data.Data, nodes []int64) {
	last := lists.Map(nodes, func(node int64) trace.ClockRow {
		rows := clockRows(d, node)
		return rows[len(rows)-1]
	})
	g := scene.NewGrid(analysis.ClocksView(last), 0, c.W)
	g.Head(c, 0)
	v.Node.Draw(c, 1, c.H-1, len(nodes), "", func(i, y int, at bool) {
		ink := cell.Plain
		if at {
			ink = cell.Accent
		}
		g.Row(c, y, i, ink, 0)
		c.Mark(0, y, g.End(), scene.AttrIf(at, cell.Reverse))
	})
}

func (*ClockView) Table(s *scene.Scene) analysis.View {
	return s.OfEach(func(d *data.Data) analysis.View { return analysis.Records(d.Run.Clock) })
}
