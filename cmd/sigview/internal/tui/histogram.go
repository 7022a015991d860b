package tui

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// bins are the latency bins of the selected stage: by size over all kinds, or
// of one kind over all sizes, which is how interfaces keep them.
func (s *Selection) bins(d *Data) (rows []trace.HistogramRow, bySize bool, note string) {
	stage := s.Stage
	if stage == trace.NetMinusLANai {
		stage = trace.Net
		note = "Net−LANai is a difference of means and has no histogram: this is Net. "
	}
	if s.Sender != everyone || s.Receiver != everyone {
		if s.sliced(d) {
			return s.slice(d).bins[stage], true, note + "Of these nodes " + d.sliceNote() + ". "
		}
		note += "Histograms are not kept by sender or receiver: this is all nodes. A run with --trace has them. "
	}
	bySize = s.Kind == trace.AllKinds
	return d.hists[histKey{trace.Group{Tag: s.Tag, Kind: s.Kind, First: s.First}, stage, bySize}], bySize, note
}

// ofSize picks the bins of the size bin that the cursor is in.
func (s *Selection) ofSize(rows []trace.HistogramRow) []trace.HistogramRow {
	var best *trace.HistogramRow
	for i := range rows {
		r := &rows[i]
		if best == nil || far(r.SizeHiBytes, s.SizeBytes) < far(best.SizeHiBytes, s.SizeBytes) {
			best = r
		}
	}
	var out []trace.HistogramRow
	for _, r := range rows {
		if r.Sizes == best.Sizes {
			out = append(out, r)
		}
	}
	return out
}

// latencyCursor is the index of the bin that the cursor is in or next to.
func (s *Selection) latencyCursor(rows []trace.HistogramRow) int {
	best := -1
	for i, r := range rows {
		if best < 0 || far(r.LatencyLoNs, s.LatencyNs) < far(rows[best].LatencyLoNs, s.LatencyNs) {
			best = i
		}
	}
	return best
}

func drawHistogram(c *cell.Canvas, s *State, d *Data) {
	rows, bySize, note := s.Sel.bins(d)
	if len(rows) == 0 {
		c.Para(1, 1, "No latencies are recorded for this selection. "+noSignature(d), cell.Warn)
		return
	}
	y := latencyAxis(rows)
	if other, _ := s.overBins(); len(other) > 0 {
		y = latencyAxis(slices.Concat(rows, other))
	}
	foot := 4
	side := min(max(c.W/3, 26), 60)
	if !bySize {
		side = c.W - 1
	}
	one := rows
	if bySize {
		one = s.Sel.ofSize(rows)
		drawHeat(c.Sub(0, 0, c.W-side-1, c.H-foot), s, d, rows, y)
	}
	second := s.secondBins(one[0].Sizes)
	drawDistribution(c.Sub(c.W-side, 0, side, c.H-foot), s, d, one, second, y)
	drawBin(c.Sub(0, c.H-foot, c.W, foot), s, d, one, second, note)
}

// overBins are the bins of the run laid over; none when they would be those
// of other packets.
func (s *State) overBins() (rows []trace.HistogramRow, bySize bool) {
	o := s.over()
	if o == nil || s.Sel.sliced(o) != s.Sel.sliced(s.data()) {
		return nil, true
	}
	rows, bySize, _ = s.Sel.bins(o)
	return rows, bySize
}

// secondBins are the bins of the run laid over of the same packets and sizes.
func (s *State) secondBins(sizes trace.Sizes) []trace.HistogramRow {
	rows, bySize := s.overBins()
	if !bySize {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r trace.HistogramRow) bool { return r.Sizes != sizes })
}

// latencyAxis spans all bins, in µs, on a logarithmic axis. The lowest bin
// begins at none, which has no logarithm: it is shown from a quarter of its
// upper end.
func latencyAxis(rows []trace.HistogramRow) axis {
	e := extent{log: true}
	for _, r := range rows {
		lo, hi := binEdges(r)
		e.add(trace.Some(lo))
		e.add(trace.Some(hi))
	}
	a := e.axis(0)
	a.lo, a.hi = e.lo, e.hi
	return a
}

// binEdges are a bin's ends in µs; an open bin is shown a quarter wide.
func binEdges(r trace.HistogramRow) (lo, hi float64) {
	lo = float64(r.LatencyLoNs) / 1000
	hi = lo * 1.25
	if r.LatencyHiNs.OK {
		hi = float64(r.LatencyHiNs.Value) / 1000
	}
	if lo <= 0 {
		lo = hi / 4
	}
	return lo, hi
}

// rowsOf are the lines of a field that a bin covers, from the bottom.
func rowsOf(y axis, r trace.HistogramRow) (from, to int) {
	lo, hi := binEdges(r)
	from = y.clamp(lo)
	return from, max(y.clamp(hi)-1, from)
}

// drawHeat draws packets by size and latency. A bin that covers several lines
// is spread over them, and one of many sizes is as wide as they are; shade and colour go with the logarithm of the count.
func drawHeat(c *cell.Canvas, s *State, d *Data, rows []trace.HistogramRow, y axis) {
	x := axis{lo: float64(s.Sel.FromBytes), hi: float64(s.Sel.ToBytes), log: true}
	p := newPanel(c, analysis.StageName(histStage(s))+" latency, µs, by size, B", x, y, doubles(s.Sel.FromBytes, s.Sel.ToBytes))
	counts := make([]float64, p.x.n*p.y.n)
	most := 0.0
	for _, r := range rows {
		left, right := placesOf(p.x, r.Sizes)
		from, to := rowsOf(p.y, r)
		for at := left; at <= right; at++ {
			for row := from; row <= to; row++ {
				k := row*p.x.n + at
				counts[k] += float64(r.Count) / float64(to-from+1)
				most = max(most, counts[k])
			}
		}
	}
	for k, n := range counts {
		if n > 0 {
			step := shadeOf(n, most)
			p.field.Set(k%p.x.n, p.field.H-1-k/p.x.n, c.Glyphs.Shade(step), cell.Heat+cell.Ink(step), 0)
		}
	}
	if !s.Sel.NoBaseline {
		cols, _ := s.Sel.columns(d)
		for _, col := range s.Sel.shown(cols) {
			if b := col.stats[histStage(s)].BaselineNs; b.OK {
				p.put(float64(col.SizeHiBytes), b.Value/1000, '─', cell.Plain, cell.Bold)
			}
		}
		c.Right(c.W-8, 0, "─ baseline", cell.Plain, 0)
	}
	if s.over() != nil {
		c.Right(c.W, 0, "+ other", cell.Second, 0)
	}
	for _, col := range overColumns(s) {
		if m := col.stats[histStage(s)].MeanNs; m.OK {
			p.put(float64(col.SizeHiBytes), m.Value/1000, secondMark, cell.Second, cell.Bold)
		}
	}
	cursorLine(p, s)
	if i := s.Sel.latencyCursor(s.Sel.ofSize(rows)); i >= 0 {
		from, to := rowsOf(p.y, s.Sel.ofSize(rows)[i])
		left, right := placesOf(p.x, s.Sel.ofSize(rows)[i].Sizes)
		for row := from; row <= to; row++ {
			p.field.Mark(left, p.field.H-1-row, right-left+1, cell.Reverse)
		}
		c.Set(axisWidth-1, 1+p.field.H-1-from, '▶', cell.Accent, cell.Bold)
	}
	zone(c, p, "heat")
}

// placesOf are the columns of a field that a size bin covers; the last is
// before the first when none is shown.
func placesOf(x axis, s trace.Sizes) (from, to int) {
	if float64(s.SizeHiBytes) < x.lo || float64(s.SizeLoBytes) >= x.hi {
		return 0, -1
	}
	return x.clamp(float64(s.SizeLoBytes + 1)), x.clamp(float64(s.SizeHiBytes))
}

func histStage(s *State) trace.Stage {
	if s.Sel.Stage == trace.NetMinusLANai {
		return trace.Net
	}
	return s.Sel.Stage
}

// shadeOf is the step of a heat map: logarithmic from one to the most.
func shadeOf(n, most float64) int {
	if most <= 1 {
		return cell.HeatSteps - 1
	}
	return min(int(math.Log(max(n, 1))/math.Log(most)*(cell.HeatSteps-1)+0.5), cell.HeatSteps-1)
}

// drawDistribution draws the packets of one size by latency as bars.
func drawDistribution(c *cell.Canvas, s *State, d *Data, rows, second []trace.HistogramRow, y axis) {
	most := 1.0
	for _, r := range rows {
		most = max(most, float64(r.Count))
	}
	for _, r := range second {
		most = max(most, float64(r.Count)*float64(total(rows))/float64(total(second)))
	}
	x := axis{lo: 0, hi: most}
	head := "packets, " + whereOf(rows[0])
	p := newPanel(c, head, x, y, axis{lo: 0, hi: most, n: max(c.W-axisWidth, 1)}.ticks(7))
	bars := make([]float64, p.field.H)
	for _, r := range rows {
		from, to := rowsOf(p.y, r)
		for row := from; row <= to; row++ {
			bars[row] = max(bars[row], float64(r.Count))
		}
	}
	for row, n := range bars {
		if n == 0 {
			continue
		}
		eighths := max(int(n/most*float64(p.field.W*8)), 1)
		for at := 0; at < p.field.W && eighths > 0; at++ {
			p.field.Set(at, p.field.H-1-row, c.Glyphs.LeftBar(min(eighths, 8)), stageLooks[histStage(s)].ink, 0)
			eighths -= 8
		}
	}
	outline(p, second, float64(total(rows)))
	if !s.Sel.NoBaseline {
		drawBaselineLevel(p, inUs(statAt(s, d).BaselineNs))
	}
	if i := s.Sel.latencyCursor(rows); i >= 0 {
		from, _ := rowsOf(p.y, rows[i])
		c.Set(axisWidth-1, 1+p.field.H-1-from, '▶', cell.Accent, cell.Bold)
	}
	zone(c, p, "bars")
}

// whereOf says which packets a bin is of.
func whereOf(r trace.HistogramRow) string {
	if r.Kind != trace.AllKinds && r.SizeLoBytes == 0 && r.SizeHiBytes >= maxBytes {
		return r.Kind
	}
	where := fmt.Sprintf("%d-%d B", r.SizeLoBytes+1, r.SizeHiBytes)
	if r.Kind != trace.AllKinds {
		where += " " + r.Kind
	}
	return where
}

// total is the number of packets in bins.
func total(rows []trace.HistogramRow) int64 {
	var sum int64
	for _, r := range rows {
		sum += r.Count
	}
	return sum
}

// outline draws bins as the line around their bars, scaled to so many packets
// in all.
func outline(p panel, rows []trace.HistogramRow, packets float64) {
	if len(rows) == 0 {
		return
	}
	bars := make([]float64, p.field.H)
	for _, r := range rows {
		from, to := rowsOf(p.y, r)
		for row := from; row <= to; row++ {
			bars[row] = max(bars[row], float64(r.Count)*packets/float64(total(rows)))
		}
	}
	dots := cell.NewDots(p.field)
	w, h := dots.Size()
	x, per := p.x.fine(w), h/p.field.H
	last := 0
	for row, n := range bars {
		at := x.clamp(n)
		if at > 0 || last > 0 {
			dots.Line(last, row*per, at, row*per, 1, cell.Second, cell.Bold)
		}
		if at > 0 {
			dots.Line(at, row*per, at, (row+1)*per-1, 1, cell.Second, cell.Bold)
		}
		last = at
	}
	dots.Paint(p.field)
}

// at are the packets in the bin of a latency and in it or below, in percent.
func at(rows []trace.HistogramRow, latencyNs int64) (here, below float64) {
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

// drawBin writes the exact values of the bin that the cursor is in.
func drawBin(c *cell.Canvas, s *State, d *Data, rows, second []trace.HistogramRow, note string) {
	i := s.Sel.latencyCursor(rows)
	if i < 0 {
		return
	}
	r := rows[i]
	here, below := at(rows, r.LatencyLoNs)
	upper := "and more (the open top bin)"
	if r.LatencyHiNs.OK {
		upper = fmt.Sprintf("to %s µs", micro(r.LatencyHiNs.Value))
	}
	text := fmt.Sprintf("%s, %s %s %s: %s packets, %.2f%% of %s; %.2f%% to here",
		whereOf(r), analysis.StageName(r.Stage), micro(r.LatencyLoNs), upper, analysis.Digits(r.Count), here, analysis.Digits(total(rows)), below)
	y := c.Para(0, 0, text, cell.Accent)
	if o := s.over(); o != nil {
		text := "the other run has no such packets"
		if s.Sel.sliced(o) != s.Sel.sliced(d) {
			text = "of the other run packets are not known by sender and receiver alike: one of the two has no trace"
		}
		if len(second) > 0 {
			there, under := at(second, r.LatencyLoNs)
			text = fmt.Sprintf("other run's outline, scaled: %.2f%% here (%+.2f points), %.2f%% to here", there, here-there, under)
		}
		c.Text(0, y, text, cell.Second, 0)
		y++
	}
	st := statAt(s, d)
	x := c.Text(0, y, fmt.Sprintf("mean %s µs, baseline %s, p50 %s, p90 %s, p99 %s", analysis.Us(st.MeanNs), analysis.Us(st.BaselineNs), analysis.PercentileUs(st.P50), analysis.PercentileUs(st.P90), analysis.PercentileUs(st.P99)), cell.Plain, 0)
	if o := s.over(); o != nil {
		if m := statAt(s, o).MeanNs; m.OK {
			c.Text(x+2, y, fmt.Sprintf("%c mean %s, %s", secondMark, analysis.Us(m), analysis.SignedUs(less(st.MeanNs, m))), cell.Second, 0)
		}
	}
	if note != "" {
		c.Para(0, y+1, note, cell.Faint)
	}
}

func micro(ns int64) string { return strconv.FormatFloat(float64(ns)/1000, 'f', -1, 64) }

// statAt is the selected latency at the cursor's size.
func statAt(s *State, d *Data) trace.Stat {
	cols, _ := s.Sel.columns(d)
	if i := s.Sel.cursor(cols); i >= 0 {
		return cols[i].stats[histStage(s)]
	}
	return trace.Stat{}
}

func moveHistogram(s *State, d *Data, dx, dy int) {
	rows, bySize, _ := s.Sel.bins(d)
	if len(rows) == 0 {
		return
	}
	if bySize {
		if dx != 0 {
			moveSize(s, d, dx)
		}
		rows = s.Sel.ofSize(rows)
	}
	if i := s.Sel.latencyCursor(rows); i >= 0 && dy != 0 {
		s.Sel.LatencyNs = rows[min(max(i-dy, 0), len(rows)-1)].LatencyLoNs
	}
}

func pointHistogram(s *State, d *Data, z place) {
	rows, bySize, _ := s.Sel.bins(d)
	if z.panel == "heat" {
		pointSizes(s, d, z)
	}
	if bySize {
		rows = s.Sel.ofSize(rows)
	}
	for _, r := range rows {
		if from, to := rowsOf(z.y, r); z.h-1-z.dy >= from && z.h-1-z.dy <= to {
			s.Sel.LatencyNs = r.LatencyLoNs
		}
	}
}

func histogramTable(s *State, d *Data) table {
	t := table{head: []string{"run", "size_lo_bytes", "size_hi_bytes", "kind", "stage", "latency_lo_ns", "latency_hi_ns", "count"}}
	for _, run := range s.shown(d) {
		rows, _, _ := s.Sel.bins(run)
		t.rows = append(t.rows, binRecords(run.Dir, rows)...)
	}
	return t
}

func binRecords(run string, rows []trace.HistogramRow) [][]string {
	var out [][]string
	for _, r := range rows {
		hi := ""
		if r.LatencyHiNs.OK {
			hi = strconv.FormatInt(r.LatencyHiNs.Value, 10)
		}
		out = append(out, []string{
			run, strconv.FormatInt(r.SizeLoBytes, 10), strconv.FormatInt(r.SizeHiBytes, 10), r.Kind, r.Stage.String(),
			strconv.FormatInt(r.LatencyLoNs, 10), hi, strconv.FormatInt(r.Count, 10),
		})
	}
	return out
}
