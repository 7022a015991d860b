package views

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
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
	metric Choice
}

// percentileMetrics are what the left plot is of.
var percentileMetrics = []string{"the selected size at the cursor", "all sizes together"}

func (*percentilesView) Keys() []action.Action {
	return []action.Action{action.Enter, action.NextMetric, action.ToggleBaseline, action.ZoomIn, action.ZoomOut}
}
func (v *percentilesView) Words() []scene.Word { return []scene.Word{v.metric.word(percentileMetrics)} }

func (*percentilesView) Obeys(s *scene.Scene) scene.Settings {
	return scene.ByColumns(&s.Sel, s.Data()) | scene.ByBins(&s.Sel, s.Data()) | scene.OfStage | scene.OfSize
}

func (v *percentilesView) Act(s *scene.Scene, a action.Action) bool {
	if a == action.NextMetric {
		return v.metric.next(s, percentileMetrics)
	}
	return updateSizes(s, a)
}

func (v *percentilesView) allSizes() bool { return v.metric != 0 }

func (v *percentilesView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	cols, note := s.Sel.Columns(d)
	if len(cols) == 0 {
		c.Para(1, 1, "No packets are recorded for this selection. "+noSignature(d), cell.Warn)
		return
	}
	table := 8
	if Unknown(s, cols[s.Sel.Cursor(cols)], s.Sel.HistStage()) != "" {
		table = 11
	}
	h := c.H - table
	left := c.W / 2
	v.drawTails(c.Sub(0, 0, left, h), s)
	drawBySize(c.Sub(left+1, 0, c.W-left-1, h), s, s.Sel.Shown(cols))
	s.Legend(c, 1, h)
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
func (v *percentilesView) drawTails(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	var second []scene.Step
	if rows, _ := overBins(s); len(rows) > 0 {
		second = scene.Steps(&s.Sel, s.Second(), s.Sel.HistStage(), v.allSizes())
	}
	lists := lists.Map(trace.RecordedStages(), func(st trace.Stage) []scene.Step { return scene.Steps(&s.Sel, d, st, v.allSizes()) })
	most := 0.9
	for _, list := range lists {
		if n := len(list); n > 1 {
			most = max(most, list[n-2].Share)
		}
	}
	most = 1 - float64((1-most)/2)
	k := chart.Chart{Title: "latency", X: chart.Axis{Name: "percentile, all sizes", Hi: nines(most, most), Marks: []chart.Tick{}}, Y: report.TimeAxis("µs", chart.Log10)}
	var sizes trace.Sizes
	if rows, bySize, _ := scene.Bins(&s.Sel, d); bySize && !v.allSizes() && len(rows) > 0 {
		sizes = scene.RowsOfSize(&s.Sel, rows)[0].Sizes
		k.X.Name = "percentile, " + data.Where(analysis.Packets{Sizes: sizes})
	}
	if scene.ByBins(&s.Sel, d)&scene.OfSender == 0 && (s.Sel.Sender != data.Everyone || s.Sel.Receiver != data.Everyone) {
		k.X.Name += ", all nodes"
	}
	for _, l := range labelledShares {
		if l.share < most {
			k.X.Marks = append(k.X.Marks, chart.Tick{Value: nines(l.share, 1), Text: l.label})
		}
	}
	base := trace.Opt[float64]{}
	if !s.Sel.NoBaseline && !v.allSizes() {
		base = scene.InUs(s.Sel.StatOf(d, sizes).BaselineNs)
	}
	k.Series = []chart.Series{{Points: []chart.Point{{Y: base.Value, Missing: !base.OK}}}} // on the axis
	for i, list := range append(lists, second) {
		look := chart.Look{Rune: scene.SecondMark, Ink: cell.Second}
		if i < len(lists) {
			look = scene.StageLooks[i]
		}
		k.Series = append(k.Series, chart.Series{Draw: chart.Line, Look: look, Points: stairs(list, most)},
			chart.Series{Draw: chart.Marks, Look: look, Attr: cell.Bold, Top: true, Points: tails(list, most)})
	}
	scene.Plot{Field: k.Draw(c, chart.Style{})}.Level(base, 2, cell.Plain)
}

// stairs returns the corners of a cumulative distribution.
func stairs(list []scene.Step, most float64) []chart.Point {
	var out []chart.Point
	last := 0.0
	for _, q := range list {
		x := nines(q.Share, most)
		out = append(out, chart.Point{X: last, Y: q.Us}, chart.Point{X: x, Y: q.Us})
		last = x
	}
	return out
}

// tails returns the first four labelled percentiles.
func tails(list []scene.Step, most float64) []chart.Point {
	var out []chart.Point
	for _, l := range labelledShares[:4] {
		if i := slices.IndexFunc(list, func(q scene.Step) bool { return q.Share >= l.share }); i >= 0 && l.share < most {
			out = append(out, chart.Point{X: nines(l.share, 1), Y: list[i].Us})
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
func drawBySize(c *cell.Canvas, s *scene.Scene, cols []analysis.Packets) {
	stage := s.Sel.Stage
	k := chart.Chart{Title: s.Data().StageName(stage), Y: report.TimeAxis("µs", chart.Log10), X: scene.SizeAxis(&s.Sel)}
	k.X.Name = "size: 5 p50, 9 p90, x p99"
	if !s.Sel.NoBaseline {
		k.Series = append(k.Series, chart.Series{Draw: chart.Line, Gap: 3, Look: chart.Look{Ink: cell.Plain}, Points: scene.SizePoints(cols, func(c *analysis.Packets) trace.Opt[float64] { return c.Stat(stage).BaselineNs })})
	}
	for _, q := range bySize {
		value := func(col *analysis.Packets) trace.Opt[float64] {
			p := q.get(col.Stat(stage)).Ns
			return trace.Opt[float64]{Value: float64(p.Value), OK: p.OK}
		}
		k.Series = append(k.Series, scene.OverSeries(s.OverColumns(), value)...)
		k.Series = append(k.Series, chart.Series{Draw: chart.Marks, Top: true, Look: q.look, Points: scene.SizePoints(cols, value)})
	}
	p := scene.Plot{Field: k.Draw(c, chart.Style{Letters: true})}
	if k.Empty() {
		p.Sub(1, 1, p.W-2, 6).Para(0, 0, noPercentiles(cols, stage), cell.Warn)
	}
	s.SizeCursor(p)
}

func noPercentiles(cols []analysis.Packets, st trace.Stage) string {
	for _, c := range cols {
		if r := c.Stat(st).P50.Reason; r != "" {
			return "No percentiles: " + r + "."
		}
	}
	return "No percentiles."
}

func drawPercentileTable(c *cell.Canvas, s *scene.Scene, cols []analysis.Packets, note string) {
	i := s.Sel.Cursor(cols)
	col := cols[i]
	there, _ := data.Alike(col, s.OverColumns())
	v := s.BySize(cols[i:i+1], trace.RecordedStages(), "mean_us", "p50_us", "p90_us", "p99_us")
	columns := []string{"stage", "count", "min", "p50", "p90", "p99", "max", "mean"}
	if s.Second() != nil {
		columns = append(columns, "+p50", "+p90", "+p99", "+mean")
		if c.W < 120 {
			columns = []string{"stage", "count", "p50", "p90", "p99", "mean", "+p50", "+p99", "+mean"}
		}
	}
	s.StageRows(c, 0, v.Pick(columns...))
	y := 5
	if why := Unknown(s, col, s.Sel.HistStage()); why != "" {
		y += c.Sub(0, y, c.W, 3).Para(0, 0, why+".", cell.Faint)
	}
	if s.Second() != nil && y < c.H {
		a, b := there.Stat(s.Sel.Stage), col.Stat(s.Sel.Stage)
		c.Text(0, y, fmt.Sprintf("%c other run; %s differs by %s (p50) %s (p90) %s (p99) %s (mean)", scene.SecondMark, s.Data().StageName(s.Sel.Stage),
			apart(b.P50, a.P50), apart(b.P90, a.P90), apart(b.P99, a.P99), analysis.SignedUs(data.Minus(b.MeanNs, a.MeanNs))), cell.Second, 0)
		y++
	}
	text := data.Where(col) + ", µs"
	if note != "" {
		text += ", " + note
	}
	text += "; > at least, < at most; dots: baseline" + c.Keys("; m: one size or all") + "."
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
	return analysis.SignedUs(data.Minus(known(b), known(a)))
}

func (*percentilesView) Complete(s *scene.Scene) error { return s.Cut(false) }

func (v *percentilesView) Table(s *scene.Scene) analysis.View {
	return s.OfEach(func(d *data.Data) analysis.View {
		t := analysis.Raw("stage", "share", "latency_us", "at_least")
		for st := range trace.NumStages {
			for _, p := range scene.Steps(&s.Sel, d, st, v.allSizes()) {
				t.Add(st, p.Share, p.Us, p.Open)
			}
		}
		return t
	})
}
