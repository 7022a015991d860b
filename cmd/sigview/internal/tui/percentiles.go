package tui

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// percentilesView shows latency by percentile, percentiles by size, and exact
// values under them.
type percentilesView struct {
	ofRuns
	metric choice
}

// percentileMetrics are what the left plot is of.
var percentileMetrics = []string{"the selected size at the cursor", "all sizes together"}

func (*percentilesView) keys() []action {
	return []action{enter, nextMetric, toggleBaseline, zoomIn, zoomOut}
}
func (v *percentilesView) words() []word { return []word{v.metric.word(percentileMetrics)} }

func (*percentilesView) obeys(s *Scene) settings {
	return s.Sel.byColumns(s.data()) | s.Sel.byBins(s.data()) | ofStage | ofSize
}

func (v *percentilesView) update(s *Scene, a action) bool {
	if a == nextMetric {
		return v.metric.next(s, percentileMetrics)
	}
	return s.updateSizes(a)
}

func (v *percentilesView) allSizes() bool { return v.metric != 0 }

func (v *percentilesView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	cols, note := s.Sel.columns(d)
	if len(cols) == 0 {
		c.Para(1, 1, "No packets are recorded for this selection. "+d.noSignature(), cell.Warn)
		return
	}
	table := 8
	if s.unknown(cols[s.Sel.cursor(cols)], s.Sel.histStage()) != "" {
		table = 11
	}
	h := c.H - table
	left := c.W / 2
	v.drawTails(c.Sub(0, 0, left, h), s)
	drawBySize(c.Sub(left+1, 0, c.W-left-1, h), s, s.Sel.shown(cols))
	s.legend(c, 1, h)
	drawPercentileTable(c.Sub(0, h+1, c.W, table-1), s, cols, note)
}

// nines maps a share to an axis on which every further nine has the same length.
func nines(share, most float64) float64 { return -portable.Log10(max(1-share, 1-most)) }

// labelledShares are the shares with a label on the axis of percentiles.
var labelledShares = []struct {
	share float64
	label string
}{{0.5, "50"}, {0.9, "90"}, {0.99, "99"}, {0.999, "99.9"}, {0.9999, "99.99"}, {0.99999, "99.999"}}

// drawTails draws latency against percentile for the four latencies.
func (v *percentilesView) drawTails(c *cell.Canvas, s *Scene) {
	d := s.data()
	var second []step
	if rows, _ := s.overBins(); len(rows) > 0 {
		second = s.Sel.steps(s.over(), s.Sel.histStage(), v.allSizes())
	}
	lists := made(trace.Stages()[:trace.NumStages], func(st trace.Stage) []step { return s.Sel.steps(d, st, v.allSizes()) })
	most := 0.9
	for _, list := range lists {
		if n := len(list); n > 1 {
			most = max(most, list[n-2].share)
		}
	}
	most = 1 - float64((1-most)/2)
	k := chart.Chart{Title: "latency", X: chart.Axis{Name: "percentile, all sizes", Hi: nines(most, most), Marks: []chart.Tick{}}, Y: report.TimeAxis("µs", chart.Log10)}
	var sizes trace.Sizes
	if rows, bySize, _ := s.Sel.bins(d); bySize && !v.allSizes() && len(rows) > 0 {
		sizes = s.Sel.ofSize(rows)[0].Sizes
		k.X.Name = "percentile, " + where(analysis.Packets{Sizes: sizes})
	}
	if s.Sel.byBins(d)&ofSender == 0 && (s.Sel.Sender != everyone || s.Sel.Receiver != everyone) {
		k.X.Name += ", all nodes"
	}
	for _, l := range labelledShares {
		if l.share < most {
			k.X.Marks = append(k.X.Marks, chart.Tick{Value: nines(l.share, 1), Text: l.label})
		}
	}
	base := trace.Opt[float64]{}
	if !s.Sel.NoBaseline && !v.allSizes() {
		base = inUs(s.Sel.statOf(d, sizes).BaselineNs)
	}
	k.Series = []chart.Series{{Points: []chart.Point{{Y: base.Value, Missing: !base.OK}}}} // on the axis
	for i, list := range append(lists, second) {
		look := chart.Look{Rune: secondMark, Ink: cell.Second}
		if i < len(lists) {
			look = stageLooks[i]
		}
		k.Series = append(k.Series, chart.Series{Draw: chart.Line, Look: look, Points: stairs(list, most)},
			chart.Series{Draw: chart.Marks, Look: look, Attr: cell.Bold, Top: true, Points: tails(list, most)})
	}
	plot{k.Draw(c, chart.Style{})}.level(base, 2, cell.Plain)
}

// stairs returns the corners of a cumulative distribution.
func stairs(list []step, most float64) []chart.Point {
	var out []chart.Point
	last := 0.0
	for _, q := range list {
		x := nines(q.share, most)
		out = append(out, chart.Point{X: last, Y: q.us}, chart.Point{X: x, Y: q.us})
		last = x
	}
	return out
}

// tails returns the first four labelled percentiles.
func tails(list []step, most float64) []chart.Point {
	var out []chart.Point
	for _, l := range labelledShares[:4] {
		if i := slices.IndexFunc(list, func(q step) bool { return q.share >= l.share }); i >= 0 && l.share < most {
			out = append(out, chart.Point{X: nines(l.share, 1), Y: list[i].us})
		}
	}
	return out
}

// bySize are the percentiles that are drawn by size.
var bySize = []struct {
	look chart.Look
	get  func(trace.Stat) trace.Percentile
}{
	{chart.Look{Letter: '5', Ink: cell.Net}, func(t trace.Stat) trace.Percentile { return t.P50 }},
	{chart.Look{Letter: '9', Ink: cell.LANai}, func(t trace.Stat) trace.Percentile { return t.P90 }},
	{chart.Look{Letter: 'x', Ink: cell.Source}, func(t trace.Stat) trace.Percentile { return t.P99 }},
}

// drawBySize draws three percentiles of the selected latency against size.
func drawBySize(c *cell.Canvas, s *Scene, cols []analysis.Packets) {
	stage := s.Sel.Stage
	k := chart.Chart{Title: analysis.StageName(stage), Y: report.TimeAxis("µs", chart.Log10), X: s.Sel.sizeAxis()}
	k.X.Name = "size: 5 p50, 9 p90, x p99"
	if !s.Sel.NoBaseline {
		k.Series = append(k.Series, chart.Series{Draw: chart.Line, Gap: 3, Look: chart.Look{Ink: cell.Plain}, Points: sizePoints(cols, func(c *analysis.Packets) trace.Opt[float64] { return c.Stat(stage).BaselineNs })})
	}
	for _, q := range bySize {
		value := func(col *analysis.Packets) trace.Opt[float64] {
			p := q.get(col.Stat(stage)).Ns
			return trace.Opt[float64]{Value: float64(p.Value), OK: p.OK}
		}
		k.Series = append(k.Series, overSeries(s.overColumns(), value)...)
		k.Series = append(k.Series, chart.Series{Draw: chart.Marks, Top: true, Look: q.look, Points: sizePoints(cols, value)})
	}
	p := plot{k.Draw(c, chart.Style{Letters: true})}
	if k.Empty() {
		p.Sub(1, 1, p.W-2, 6).Para(0, 0, noPercentiles(cols, stage), cell.Warn)
	}
	s.sizeCursor(p)
}

func noPercentiles(cols []analysis.Packets, st trace.Stage) string {
	for _, c := range cols {
		if r := c.Stat(st).P50.Reason; r != "" {
			return "No percentiles: " + r + "."
		}
	}
	return "No percentiles."
}

func drawPercentileTable(c *cell.Canvas, s *Scene, cols []analysis.Packets, note string) {
	i := s.Sel.cursor(cols)
	col := cols[i]
	there, _ := alike(col, s.overColumns())
	v := s.bySize(cols[i:i+1], trace.Stages()[:trace.NumStages], "mean_us", "p50_us", "p90_us", "p99_us")
	columns := []string{"stage", "count", "min", "p50", "p90", "p99", "max", "mean"}
	if s.over() != nil {
		columns = append(columns, "+p50", "+p90", "+p99", "+mean")
		if c.W < 120 {
			columns = []string{"stage", "count", "p50", "p90", "p99", "mean", "+p50", "+p99", "+mean"}
		}
	}
	s.stageRows(c, 0, v.Pick(columns...))
	y := 5
	if why := s.unknown(col, s.Sel.histStage()); why != "" {
		y += c.Sub(0, y, c.W, 3).Para(0, 0, why+".", cell.Faint)
	}
	if s.over() != nil && y < c.H {
		a, b := there.Stat(s.Sel.Stage), col.Stat(s.Sel.Stage)
		c.Text(0, y, fmt.Sprintf("%c other run; %s differs by %s (p50) %s (p90) %s (p99) %s (mean)", secondMark, analysis.StageName(s.Sel.Stage),
			apart(b.P50, a.P50), apart(b.P90, a.P90), apart(b.P99, a.P99), analysis.SignedUs(less(b.MeanNs, a.MeanNs))), cell.Second, 0)
		y++
	}
	text := where(col) + ", µs"
	if note != "" {
		text += ", " + note
	}
	text += "; > at least, < at most; dots: baseline; m: one size or all."
	switch {
	case y >= c.H:
		return
	case y == c.H-1:
		c.Text(0, y, text, cell.Faint, 0)
		return
	}
	c.Para(0, y, text, cell.Faint)
}

// apart writes the difference of two percentiles, unless one is only a bound.
func apart(b, a trace.Percentile) string {
	known := func(p trace.Percentile) trace.Opt[float64] {
		return trace.Opt[float64]{Value: float64(p.Ns.Value), OK: p.Ns.OK && !p.LowerBound && !p.UpperBound}
	}
	return analysis.SignedUs(less(known(b), known(a)))
}

func (*percentilesView) complete(s *Scene) error { return s.cut(false) }

func (v *percentilesView) table(s *Scene) analysis.View {
	return s.ofEach(func(d *Data) analysis.View {
		t := analysis.Raw("stage", "share", "latency_us", "at_least")
		for st := range trace.NumStages {
			for _, p := range s.Sel.steps(d, st, v.allSizes()) {
				t.Add(st, p.share, p.us, p.open)
			}
		}
		return t
	})
}
