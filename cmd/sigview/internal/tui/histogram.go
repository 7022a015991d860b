package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// histogramView shows packets by size and latency as a heat map, and those of
// one size by latency as bars.
type histogramView struct{ ofRuns }

func (*histogramView) obeys(s *Scene) settings { return s.Sel.byBins(s.data()) | ofStage }

func (*histogramView) keys() []action { return []action{enter, toggleBaseline, zoomIn, zoomOut} }

func (*histogramView) update(s *Scene, a action) bool {
	if a == enter {
		s.leadToPacket()
		return true
	}
	dx, dy := a.steps()
	if dx == 0 && dy == 0 {
		return false
	}
	rows, bySize, _ := s.Sel.bins(s.data())
	if len(rows) == 0 {
		return true
	}
	if bySize {
		s.Sel.moveBin(s.data(), rows, dx)
		rows = s.Sel.ofSize(rows)
	}
	if i := s.Sel.latencyCursor(rows); i >= 0 && dy != 0 {
		s.Sel.LatencyNs = rows[min(max(i-dy, 0), len(rows)-1)].LatencyLoNs
	}
	return true
}

// moveBin moves the cursor to another size bin of the histogram: to the largest size in it that
// the signature keeps.
func (s *Selection) moveBin(d *Data, rows []trace.HistogramRow, by int) {
	bins := made(rows, func(r trace.HistogramRow) trace.Sizes { return r.Sizes })
	slices.SortFunc(bins, func(a, b trace.Sizes) int { return cmp.Compare(a.SizeHiBytes, b.SizeHiBytes) })
	bins = slices.Compact(bins)
	to := bins[min(max(slices.Index(bins, s.ofSize(rows)[0].Sizes)+by, 0), len(bins)-1)]
	cols, _ := s.columns(d)
	for _, c := range slices.Backward(cols) {
		if by != 0 && c.SizeHiBytes > to.SizeLoBytes && c.SizeHiBytes <= to.SizeHiBytes {
			s.goToSize(c.SizeHiBytes)
			return
		}
	}
}

// leadToPacket leads to the first packet of the bin at the cursor in the timeline.
func (s *Scene) leadToPacket() {
	rows, bySize, _ := s.Sel.bins(s.data())
	if bySize && len(rows) > 0 {
		rows = s.Sel.ofSize(rows)
	}
	i, p := s.Sel.latencyCursor(rows), s.data().Packets
	if i < 0 || p == nil {
		s.Note = "Single packets are known of runs with --trace, once it has been read."
		return
	}
	of := s.Sel.key()
	for k := range slices.Values(p.list) {
		if !of.matches(&k) || !k.within(rows[i]) {
			continue
		}
		begin, end := k.begin(), slices.Max(k.at[:])
		around := 4 * max(end-begin, 1000)
		s.narrow("timeline", fmt.Sprintf("row=%d sender=%d receiver=%d from=%d to=%d at=%d packet=%d:%d", k.sender, k.sender, k.receiver, max(begin-around, 0), end+around, begin, k.sender, k.number))
		return
	}
	s.Note = "None of the packets that were read of the trace is in this bin."
}

// within reports whether a packet counts in a bin.
func (k *packet) within(r trace.HistogramRow) bool {
	from, to, _ := k.stage(r.Stage)
	size, ns := int64(k.size), to-from
	return from != never && to != never && size > r.SizeLoBytes && size <= r.SizeHiBytes &&
		ns >= r.LatencyLoNs && (!r.LatencyHiNs.OK || ns < r.LatencyHiNs.Value)
}

func (*histogramView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	rows, bySize, note := s.Sel.bins(d)
	if len(rows) == 0 {
		c.Para(1, 1, "No latencies are recorded for this selection. "+d.noSignature(), cell.Warn)
		return
	}
	other, _ := s.overBins()
	y := latencyAxis(slices.Concat(rows, other))
	foot := 4
	side := min(max(c.W/3, 26), 60)
	if !bySize {
		side = c.W - 1
	}
	one := rows
	if bySize {
		one = s.Sel.ofSize(rows)
		drawHeat(c.Sub(0, 0, c.W-side-1, c.H-foot), s, rows, y)
	}
	second := s.secondBins(one[0].Sizes)
	drawDistribution(c.Sub(c.W-side, 0, side, c.H-foot), s, one, second, y)
	drawBin(c.Sub(0, c.H-foot, c.W, foot), s, one, second, note)
}

// overBins returns the bins of the other run, unless only one of the two runs has
// a trace to select nodes from.
func (s *Scene) overBins() (rows []trace.HistogramRow, bySize bool) {
	o := s.over()
	if o == nil || s.Sel.sliced(o) != s.Sel.sliced(s.data()) {
		return nil, true
	}
	rows, bySize, _ = s.Sel.bins(o)
	return rows, bySize
}

// secondBins returns the bins of the other run for the same packets and sizes.
func (s *Scene) secondBins(sizes trace.Sizes) []trace.HistogramRow {
	rows, bySize := s.overBins()
	if !bySize {
		return rows
	}
	return filter(rows, func(r trace.HistogramRow) bool { return r.Sizes == sizes })
}

// latencyAxis returns a logarithmic axis over all bins.
func latencyAxis(rows []trace.HistogramRow) chart.Axis {
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

// heatMap returns packets by size and latency, with the baseline and the means of the
// other run over them.
func heatMap(s *Scene, rows []trace.HistogramRow, y chart.Axis) chart.Chart {
	stage := s.Sel.histStage()
	k := chart.Chart{Title: analysis.StageName(stage) + " latency", X: s.Sel.sizeAxis(), Y: y, Cells: made(rows, cellOf)}
	means := func(name string, cols []analysis.Packets, r rune, ink cell.Ink, value func(trace.Stat) trace.Opt[float64]) {
		m := chart.Series{Name: name, Draw: chart.Marks, Look: chart.Look{Rune: r, Ink: ink}, Attr: cell.Bold, Top: true}
		m.Points = filter(sizePoints(cols, func(p *analysis.Packets) trace.Opt[float64] { return value(p.Stat(stage)) }), func(p chart.Point) bool {
			_, ok := y.Part(p.Y)
			return ok
		})
		k.Series = append(k.Series, m)
	}
	if !s.Sel.NoBaseline {
		means("baseline", s.Sel.shown(s.Sel.binned(s.data())), '─', cell.Plain, func(t trace.Stat) trace.Opt[float64] { return t.BaselineNs })
	}
	if o := s.over(); o != nil {
		means("other run", s.Sel.shown(s.Sel.binned(o)), secondMark, cell.Second, func(t trace.Stat) trace.Opt[float64] { return t.MeanNs })
	}
	return k
}

// drawHeat draws the heat map with the cursor in it.
func drawHeat(c *cell.Canvas, s *Scene, rows []trace.HistogramRow, y chart.Axis) {
	k := heatMap(s, rows, y)
	p := plot{k.Draw(c, chart.Style{Beside: strings.Join(made(k.Series, func(m chart.Series) string { return string(m.Look.Rune) + " " + m.Name }), " ")})}
	s.sizeCursor(p)
	one := s.Sel.ofSize(rows)
	if i := s.Sel.latencyCursor(one); i >= 0 {
		left, right, top, bottom := p.Cover(cellOf(one[i]))
		for row := top; row <= bottom; row++ {
			p.Mark(left, row, right-left+1, cell.Reverse)
		}
		c.Set(chart.AxisWidth-1, 1+bottom, '▶', cell.Accent, cell.Bold)
	}
	p.binZone(s, true)
}

// binZone makes a click move the cursor to a latency and, over sizes, to a size.
func (p plot) binZone(s *Scene, sizes bool) {
	p.pointAt(func(x, y float64) {
		rows, bySize, _ := s.Sel.bins(s.data())
		if sizes {
			s.pointSize(x)
		}
		if bySize {
			rows = s.Sel.ofSize(rows)
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
func drawDistribution(c *cell.Canvas, s *Scene, rows, second []trace.HistogramRow, y chart.Axis) {
	most := 1.0
	for _, r := range rows {
		most = max(most, float64(r.Count))
	}
	scale := float64(total(rows)) / float64(max(total(second), 1))
	for _, r := range second {
		most = max(most, float64(r.Count)*scale)
	}
	p := plot{chart.Frame(c, "packets, "+whereOf(rows[0]), chart.Axis{Hi: most}, y)}
	for row, n := range p.bars(rows, 1) {
		if n > 0 {
			bar(p.Canvas, 0, row, max(int(n/most*float64(p.W*8)), 1), stageLooks[s.Sel.histStage()].Ink)
		}
	}
	p.outline(p.bars(second, scale))
	if !s.Sel.NoBaseline {
		p.level(inUs(s.Sel.statOf(s.data(), rows[0].Sizes).BaselineNs), 2, cell.Plain)
	}
	if i := s.Sel.latencyCursor(rows); i >= 0 {
		c.Set(chart.AxisWidth-1, 1+p.Row(cellOf(rows[i]).Y0), '▶', cell.Accent, cell.Bold)
	}
	p.binZone(s, false)
}

// whereOf names the packets of a bin.
func whereOf(r trace.HistogramRow) string {
	if r.Kind != trace.AllKinds && r.SizeLoBytes == 0 && r.SizeHiBytes >= maxBytes {
		return r.Kind
	}
	where := where(analysis.Packets{Sizes: r.Sizes})
	if r.Kind != trace.AllKinds {
		where += " " + r.Kind
	}
	return where
}

// bars returns the length of the bar in each row of the field.
func (p plot) bars(rows []trace.HistogramRow, scale float64) []float64 {
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
func (p plot) outline(bars []float64) {
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
	all := float64(max(total(rows), 1))
	return 100 * float64(in) / all, 100 * float64(in+under) / all
}

// drawBin writes the exact values of the bin at the cursor.
func drawBin(c *cell.Canvas, s *Scene, rows, second []trace.HistogramRow, note string) {
	i := s.Sel.latencyCursor(rows)
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
		whereOf(r), analysis.StageName(r.Stage), micro(r.LatencyLoNs), upper, analysis.Digits(r.Count), here, analysis.Digits(total(rows)), below)
	y := c.Para(0, 0, text, cell.Accent)
	d, o := s.data(), s.over()
	if o != nil {
		text := "the other run has no such packets"
		if s.Sel.sliced(o) != s.Sel.sliced(d) {
			text = "not known of the other run by sender and receiver: one of the two has no trace"
		}
		if len(second) > 0 {
			there, under := sharesAt(second, r.LatencyLoNs)
			text = fmt.Sprintf("other run's outline, scaled: %.2f%% here (%+.2f points), %.2f%% to here", there, here-there, under)
		}
		c.Text(0, y, text, cell.Second, 0)
		y++
	}
	st := s.Sel.statOf(d, r.Sizes)
	x := c.Text(0, y, fmt.Sprintf("mean %s, baseline %s, %s", analysis.WithUnit(analysis.Us(st.MeanNs), "µs"), analysis.BaselineUs(st), percentilesOf(st, rows)), cell.Plain, 0)
	if o != nil {
		if m := s.Sel.statOf(o, r.Sizes).MeanNs; m.OK {
			c.Text(x+2, y, fmt.Sprintf("%c mean %s, %s", secondMark, analysis.Us(m), analysis.SignedUs(less(st.MeanNs, m))), cell.Second, 0)
		}
	}
	if note != "" {
		c.Para(0, y+1, note, cell.Faint)
	}
}

// percentilesOf writes three percentiles: as recorded, else the bins that they lie in.
func percentilesOf(st trace.Stat, rows []trace.HistogramRow) string {
	if st.P50.Ns.OK {
		return percentiles(st, ", ")
	}
	var out []string
	for _, percent := range []int64{50, 90, 99} {
		below, want := int64(0), (total(rows)*percent+99)/100
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

func (*histogramView) complete(s *Scene) error { return s.cut(false) }

func (*histogramView) table(s *Scene) analysis.View {
	return s.ofEach(func(d *Data) analysis.View {
		rows, _, _ := s.Sel.bins(d)
		return analysis.Records(rows)
	})
}
