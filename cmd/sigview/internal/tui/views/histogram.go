package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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

// histogramView shows packets by size and latency as a heat map, and those of
// one size by latency as bars.
type histogramView struct{ ofRuns }

func (*histogramView) Obeys(s *scene.Scene) scene.Settings {
	return scene.ByBins(&s.Sel, s.Data()) | scene.OfStage
}

func (*histogramView) Keys() []action.Action {
	return []action.Action{action.Enter, action.ToggleBaseline, action.ZoomIn, action.ZoomOut}
}

func (*histogramView) Act(s *scene.Scene, a action.Action) bool {
	if a == action.Enter {
		leadToPacket(s)
		return true
	}
	dx, dy := a.Steps()
	if dx == 0 && dy == 0 {
		return false
	}
	rows, bySize, _ := scene.Bins(&s.Sel, s.Data())
	if len(rows) == 0 {
		return true
	}
	if bySize {
		moveBin(&s.Sel, s.Data(), rows, dx)
		rows = scene.RowsOfSize(&s.Sel, rows)
	}
	if i := scene.LatencyCursor(&s.Sel, rows); i >= 0 && dy != 0 {
		s.Sel.LatencyNs = rows[min(max(i-dy, 0), len(rows)-1)].LatencyLoNs
	}
	return true
}

// moveBin moves the cursor to another size bin of the histogram: to the largest size in it that
// the signature keeps.
func moveBin(s *data.Selection, d *data.Data, rows []trace.HistogramRow, by int) {
	bins := lists.Map(rows, func(r trace.HistogramRow) trace.Sizes { return r.Sizes })
	slices.SortFunc(bins, func(a, b trace.Sizes) int { return cmp.Compare(a.SizeHiBytes, b.SizeHiBytes) })
	bins = slices.Compact(bins)
	to := bins[min(max(slices.Index(bins, scene.RowsOfSize(s, rows)[0].Sizes)+by, 0), len(bins)-1)]
	cols, _ := s.Columns(d)
	for _, c := range slices.Backward(cols) {
		if by != 0 && c.SizeHiBytes > to.SizeLoBytes && c.SizeHiBytes <= to.SizeHiBytes {
			s.GoToSize(c.SizeHiBytes)
			return
		}
	}
}

// leadToPacket leads to the first packet of the bin at the cursor in the timeline.
func leadToPacket(s *scene.Scene) {
	rows, bySize, _ := scene.Bins(&s.Sel, s.Data())
	if bySize && len(rows) > 0 {
		rows = scene.RowsOfSize(&s.Sel, rows)
	}
	i, p := scene.LatencyCursor(&s.Sel, rows), s.Data().Packets
	if i < 0 || p == nil {
		s.Note = "Single packets are known of runs with --trace, once it has been read."
		return
	}
	of := s.Sel.Key()
	for k := range slices.Values(p.List) {
		if !of.Matches(&k) || !Within(&k, rows[i]) {
			continue
		}
		begin, end := k.Begin(), slices.Max(k.At[:])
		around := 4 * max(end-begin, 1000)
		s.Narrow("timeline", fmt.Sprintf("row=%d sender=%d receiver=%d from=%d to=%d at=%d packet=%d:%d", k.Sender, k.Sender, k.Receiver, max(begin-around, 0), end+around, begin, k.Sender, k.Number))
		return
	}
	s.Note = "None of the packets that were read of the trace is in this bin."
}

// Within reports whether a packet counts in a bin.
func Within(k *data.Packet, r trace.HistogramRow) bool {
	from, to, _ := k.Stage(r.Stage)
	size, ns := int64(k.Size), to-from
	return from != data.Never && to != data.Never && r.Holds(size) &&
		ns >= r.LatencyLoNs && (!r.LatencyHiNs.OK || ns < r.LatencyHiNs.Value)
}

func (*histogramView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	rows, bySize, note := scene.Bins(&s.Sel, d)
	if len(rows) == 0 {
		c.Para(1, 1, "No latencies are recorded for this selection. "+noSignature(d), cell.Warn)
		return
	}
	other, _ := overBins(s)
	y := LatencyAxis(slices.Concat(rows, other))
	foot := 4
	side := min(max(c.W/3, 26), 60)
	if !bySize {
		side = c.W - 1
	}
	one := rows
	if bySize {
		one = scene.RowsOfSize(&s.Sel, rows)
		drawHeat(c.Sub(0, 0, c.W-side-1, c.H-foot), s, rows, y)
	}
	second := SecondBins(s, one[0].Sizes)
	drawDistribution(c.Sub(c.W-side, 0, side, c.H-foot), s, one, second, y)
	drawBin(c.Sub(0, c.H-foot, c.W, foot), s, one, second, note)
}

// overBins returns the bins of the other run, unless only one of the two runs has
// a trace to select nodes from.
func overBins(s *scene.Scene) (rows []trace.HistogramRow, bySize bool) {
	o := s.Second()
	if o == nil || s.Sel.Sliced(o) != s.Sel.Sliced(s.Data()) {
		return nil, true
	}
	rows, bySize, _ = scene.Bins(&s.Sel, o)
	return rows, bySize
}

// SecondBins returns the bins of the other run for the same packets and sizes.
func SecondBins(s *scene.Scene, sizes trace.Sizes) []trace.HistogramRow {
	rows, bySize := overBins(s)
	if !bySize {
		return rows
	}
	return lists.Filter(rows, func(r trace.HistogramRow) bool { return r.Sizes == sizes })
}

// LatencyAxis returns a logarithmic axis over all bins.
func LatencyAxis(rows []trace.HistogramRow) chart.Axis {
	e := chart.Extent{Scale: chart.Log10}
	for _, r := range rows {
		of := cellOf(r)
		e.Add(of.Y0, of.Y1)
	}
	return e.Tight(report.TimeAxis("µs", chart.Log10))
}

// cellOf returns a bin as a part of a heat map, in bytes and µs. The open top bin is drawn
// a quarter wider than its lower edge; a bin from 0 is drawn from a quarter of its upper
// edge.
func cellOf(r trace.HistogramRow) chart.Cell {
	k := chart.Cell{X0: float64(r.SizeLoBytes + 1), X1: float64(r.SizeHiBytes), Y0: float64(r.LatencyLoNs) / 1000, N: float64(r.Count)}
	k.Y1 = k.Y0 * 1.25
	if r.LatencyHiNs.OK {
		k.Y1 = float64(r.LatencyHiNs.Value) / 1000
	}
	if k.Y0 <= 0 {
		k.Y0 = k.Y1 / 4
	}
	return k
}

// HeatMap returns packets by size and latency, with the baseline and the means of the
// other run over them.
func HeatMap(s *scene.Scene, rows []trace.HistogramRow, y chart.Axis) chart.Chart {
	stage := s.Sel.HistStage()
	k := chart.Chart{Title: s.Data().StageName(stage) + " latency", X: scene.SizeAxis(&s.Sel), Y: y, Cells: lists.Map(rows, cellOf)}
	means := func(name string, cols []analysis.Packets, r rune, ink cell.Ink, value func(trace.Stat) trace.Opt[float64]) {
		m := chart.Series{Name: name, Draw: chart.Marks, Look: chart.Look{Rune: r, Ink: ink}, Attr: cell.Bold, Top: true}
		m.Points = lists.Filter(scene.SizePoints(cols, func(p *analysis.Packets) trace.Opt[float64] { return value(p.Stat(stage)) }), func(p chart.Point) bool {
			_, ok := y.Part(p.Y)
			return ok
		})
		k.Series = append(k.Series, m)
	}
	if !s.Sel.NoBaseline {
		means("baseline", s.Sel.Shown(s.Sel.Binned(s.Data())), '─', cell.Plain, func(t trace.Stat) trace.Opt[float64] { return t.BaselineNs })
	}
	if o := s.Second(); o != nil {
		means("other run", s.Sel.Shown(s.Sel.Binned(o)), scene.SecondMark, cell.Second, func(t trace.Stat) trace.Opt[float64] { return t.MeanNs })
	}
	return k
}

// drawHeat draws the heat map with the cursor in it.
func drawHeat(c *cell.Canvas, s *scene.Scene, rows []trace.HistogramRow, y chart.Axis) {
	k := HeatMap(s, rows, y)
	p := scene.Plot{Field: k.Draw(c, chart.Style{Beside: strings.Join(lists.Map(k.Series, func(m chart.Series) string { return string(m.Look.Rune) + " " + m.Name }), " ")})}
	s.SizeCursor(p)
	one := scene.RowsOfSize(&s.Sel, rows)
	if i := scene.LatencyCursor(&s.Sel, one); i >= 0 {
		left, right, top, bottom := p.Cover(cellOf(one[i]))
		for row := top; row <= bottom; row++ {
			p.Mark(left, row, right-left+1, cell.Reverse)
		}
		c.Set(chart.AxisWidth-1, 1+bottom, '▶', cell.Accent, cell.Bold)
	}
	binZone(p, s, true)
}

// binZone makes a click move the cursor to a latency and, over sizes, to a size.
func binZone(p scene.Plot, s *scene.Scene, sizes bool) {
	p.PointAt(func(x, y float64) {
		rows, bySize, _ := scene.Bins(&s.Sel, s.Data())
		if sizes {
			s.PointSize(x)
		}
		if bySize {
			rows = scene.RowsOfSize(&s.Sel, rows)
		}
		for _, r := range rows {
			if _, _, top, bottom := p.Cover(cellOf(r)); p.Row(y) >= top && p.Row(y) <= bottom {
				s.Sel.LatencyNs = r.LatencyLoNs
			}
		}
	})
}

// drawDistribution draws the packets of one size by latency as bars. They lie, so that
// they share the heat map's axis, where those of charts stand; hence it is no chart.
func drawDistribution(c *cell.Canvas, s *scene.Scene, rows, second []trace.HistogramRow, y chart.Axis) {
	most := 1.0
	for _, r := range rows {
		most = max(most, float64(r.Count))
	}
	scale := float64(scene.Total(rows)) / float64(max(scene.Total(second), 1))
	for _, r := range second {
		most = max(most, float64(r.Count)*scale)
	}
	p := scene.Plot{Field: chart.Frame(c, "packets, "+whereOf(rows[0]), chart.Axis{Hi: most}, y)}
	for row, n := range bars(p, rows, 1) {
		if n > 0 {
			scene.Bar(p.Canvas, 0, row, max(int(n/most*float64(p.W*8)), 1), scene.StageLooks[s.Sel.HistStage()].Ink)
		}
	}
	outline(p, bars(p, second, scale))
	if !s.Sel.NoBaseline {
		p.Level(scene.InUs(s.Sel.StatOf(s.Data(), rows[0].Sizes).BaselineNs), 2, cell.Plain)
	}
	if i := scene.LatencyCursor(&s.Sel, rows); i >= 0 {
		c.Set(chart.AxisWidth-1, 1+p.Row(cellOf(rows[i]).Y0), '▶', cell.Accent, cell.Bold)
	}
	binZone(p, s, false)
}

// whereOf names the packets of a bin.
func whereOf(r trace.HistogramRow) string {
	if r.Kind != trace.AllKinds && r.SizeLoBytes == 0 && r.SizeHiBytes >= data.MaxBytes {
		return r.Kind
	}
	where := data.Where(analysis.Packets{Sizes: r.Sizes})
	if r.Kind != trace.AllKinds {
		where += " " + r.Kind
	}
	return where
}

// bars returns the length of the bar in each row of the field.
func bars(p scene.Plot, rows []trace.HistogramRow, scale float64) []float64 {
	bars := make([]float64, p.H)
	for _, r := range rows {
		_, _, top, bottom := p.Cover(cellOf(r))
		for row := top; row <= bottom; row++ {
			bars[row] = max(bars[row], float64(r.Count)*scale)
		}
	}
	return bars
}

// outline draws a line around bars.
func outline(p scene.Plot, bars []float64) {
	dots := cell.NewDots(p.Canvas)
	w, h := dots.Size()
	per := h / p.H
	last := 0
	for row, n := range slices.Backward(bars) {
		row = p.H - 1 - row // dots count from the bottom
		at := p.X.Clamp(n, w)
		if at > 0 || last > 0 {
			dots.Line(last, row*per, at, row*per, 1, cell.Second, cell.Bold)
		}
		if at > 0 {
			dots.Line(at, row*per, at, (row+1)*per-1, 1, cell.Second, cell.Bold)
		}
		last = at
	}
	dots.Paint(p.Canvas)
}

// sharesAt returns the percentages of packets in the bin of a latency, and in it or
// below it.
func sharesAt(rows []trace.HistogramRow, latencyNs int64) (here, below float64) {
	var in, under int64
	for _, r := range rows {
		switch {
		case r.LatencyLoNs > latencyNs:
		case r.LatencyHiNs.OK && r.LatencyHiNs.Value <= latencyNs:
			under += r.Count
		default:
			in += r.Count
		}
	}
	all := float64(max(scene.Total(rows), 1))
	return 100 * float64(in) / all, 100 * float64(in+under) / all
}

// drawBin writes the exact values of the bin at the cursor.
func drawBin(c *cell.Canvas, s *scene.Scene, rows, second []trace.HistogramRow, note string) {
	i := scene.LatencyCursor(&s.Sel, rows)
	if i < 0 {
		return
	}
	r := rows[i]
	here, below := sharesAt(rows, r.LatencyLoNs)
	upper := "and more (the open top bin)"
	if r.LatencyHiNs.OK {
		upper = fmt.Sprintf("to %s µs", micro(r.LatencyHiNs.Value))
	}
	text := fmt.Sprintf("%s, %s %s %s: %s packets, %.2f%% of %s; %.2f%% to here",
		whereOf(r), s.Data().StageName(r.Stage), micro(r.LatencyLoNs), upper, analysis.Digits(r.Count), here, analysis.Digits(scene.Total(rows)), below)
	y := c.Para(0, 0, text, cell.Accent)
	d, o := s.Data(), s.Second()
	if o != nil {
		text := "the other run has no such packets"
		if s.Sel.Sliced(o) != s.Sel.Sliced(d) {
			text = "not known of the other run by sender and receiver: one of the two has no trace"
		}
		if len(second) > 0 {
			there, under := sharesAt(second, r.LatencyLoNs)
			text = fmt.Sprintf("other run's outline, scaled: %.2f%% here (%+.2f points), %.2f%% to here", there, here-there, under)
		}
		c.Text(0, y, text, cell.Second, 0)
		y++
	}
	st := s.Sel.StatOf(d, r.Sizes)
	x := c.Text(0, y, fmt.Sprintf("mean %s, baseline %s, %s", analysis.WithUnit(analysis.Us(st.MeanNs), "µs"), analysis.Us(st.BaselineNs), percentilesOf(st, rows)), cell.Plain, 0)
	if o != nil {
		if m := s.Sel.StatOf(o, r.Sizes).MeanNs; m.OK {
			c.Text(x+2, y, fmt.Sprintf("%c mean %s, %s", scene.SecondMark, analysis.Us(m), analysis.SignedUs(data.Minus(st.MeanNs, m))), cell.Second, 0)
		}
	}
	if note != "" {
		c.Para(0, y+1, note, cell.Faint)
	}
}

// percentilesOf writes three percentiles: as recorded, else the bins that they lie in.
func percentilesOf(st trace.Stat, rows []trace.HistogramRow) string {
	if st.P50.Ns.OK {
		return scene.Percentiles(st, ", ")
	}
	var out []string
	for _, percent := range []int64{50, 90, 99} {
		below, want := int64(0), (scene.Total(rows)*percent+99)/100
		for _, r := range rows {
			if below += r.Count; below < want {
				continue
			}
			text := "above " + micro(r.LatencyLoNs)
			if r.LatencyHiNs.OK {
				text = micro(r.LatencyLoNs) + " to " + micro(r.LatencyHiNs.Value)
			}
			out = append(out, fmt.Sprintf("p%d %s", percent, text))
			break
		}
	}
	return strings.Join(out, ", ")
}

func micro(ns int64) string { return strconv.FormatFloat(float64(ns)/1000, 'f', -1, 64) }

func (*histogramView) Complete(s *scene.Scene) error { return s.Cut(false) }

func (*histogramView) Table(s *scene.Scene) analysis.View {
	return s.OfEach(func(d *data.Data) analysis.View {
		rows, _, _ := scene.Bins(&s.Sel, d)
		return analysis.Records(rows)
	})
}
