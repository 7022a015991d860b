package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// signatureView shows packets and latencies by size, marks of deviations under them,
// exact values at the cursor, and the findings.
type signatureView struct{ ofRuns }

func (*signatureView) keys() []action {
	return []action{enter, toggleBaseline, toggleIntervals, zoomIn, zoomOut}
}

func (*signatureView) obeys(s *Scene) settings { return s.Sel.byColumns(s.data()) | ofStage | ofSize }

func (*signatureView) update(s *Scene, a action) bool { return s.updateSizes(a) }

// updateSizes moves the cursor along the sizes and through the latencies.
// Enter leads to the pair of nodes whose packets of the size deviate most, and for packets of
// some nodes to the histogram.
func (s *Scene) updateSizes(a action) bool {
	dx, dy := a.steps()
	switch {
	case a == enter:
		s.leadToPair()
	case dx != 0:
		s.Sel.moveSize(s.data(), dx)
	case a == pageDown || a == pageUp:
		s.Sel.moveSize(s.data(), dy)
	case dy != 0:
		s.Sel.Stage = cycle(trace.Stages(), s.Sel.Stage, dy)
	default:
		return false
	}
	return true
}

// leadToPair leads to the pair that has waited most beyond the baseline, of the packets of the
// class of the size at the cursor, all together.
func (s *Scene) leadToPair() {
	d, sel := s.data(), &s.Sel
	var worst analysis.Packets
	most := math.Inf(-1)
	for from := range int64(d.nodes) {
		for to := range int64(d.nodes) {
			for _, p := range d.pairs[pairKey{sel.Tag, from, to}] {
				x := p.Stat(sel.Stage)
				beyond := x.DeviationNs
				if !beyond.OK {
					beyond = x.MeanNs
				}
				if cost := float64(beyond.Value * float64(x.Count)); p.Class != trace.AllSizes && sel.SizeBytes > p.SizeLoBytes && sel.SizeBytes <= p.SizeHiBytes && cost > most {
					worst, most = p, cost
					worst.Sender, worst.Receiver = from, to
				}
			}
		}
	}
	if worst.Class == "" || sel.Sender != everyone || sel.Receiver != everyone {
		s.narrow("histogram")
		return
	}
	s.narrow("matrix", fmt.Sprintf("class=%s sender=%d receiver=%d", worst.Class, worst.Sender, worst.Receiver))
}

func (*signatureView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	all, note := s.Sel.columns(d)
	cols := s.Sel.shown(all)
	if len(all) == 0 {
		c.Para(1, 1, "No packets are recorded for this selection. "+d.noSignature(), cell.Warn)
		return
	}
	strips := []trace.Stage{s.Sel.Stage}
	table := 2
	if c.H >= 28 {
		strips, table = trace.Stages(), 7
	}
	words := min(max((c.H-len(strips)-table-3)/3, 4), 12)
	plot := c.H - len(strips) - table - words - 1
	left := c.W * 2 / 5
	drawCounts(c.Sub(0, 0, left, plot), s, cols)
	right := c.Sub(left+1, 0, c.W-left-1, plot+len(strips))
	p := drawLatencies(right.Sub(0, 0, right.W, plot), s, cols)
	for i, st := range strips {
		right.Set(chart.AxisWidth-2, plot+i, stageMark(st), stageLooks[st].Ink, 0)
		drawStrip(right.Sub(chart.AxisWidth, plot+i, p.W, 1), p, cols, st)
	}
	s.legend(c, 1, plot)
	if len(strips) > 1 {
		if note != "" {
			c.Sub(0, plot+2, left, len(strips)-2).Para(1, 0, note, cell.Faint)
		}
		c.Text(1, plot+1, "hollow: few packets · dots: baseline · * several", cell.Faint, 0)
	}
	y := plot + len(strips)
	drawReadout(c.Sub(0, y, c.W, table), s, all, note)
	summary := s.Sel.summary(d)
	if why := s.unknown(all[s.Sel.cursor(all)], s.Sel.Stage); why != "" {
		summary = slices.Insert(slices.Clone(summary), 0, "At the cursor: "+why+".")
	}
	drawSummary(c.Sub(0, y+table, c.W, c.H-y-table), summary)
}

// drawCounts draws the number of packets of each size as bars. One packet is at
// least an eighth of a cell high.
func drawCounts(c *cell.Canvas, s *Scene, cols []analysis.Packets) {
	if len(cols) == 0 {
		return
	}
	k := report.SignatureCharts(cols)[0]
	k.Title, k.X = strings.ToLower(k.Title), s.Sel.sizeAxis()
	most := 10.0
	for _, p := range k.Series[0].Points {
		most = max(most, p.Y)
	}
	k.Y.Lo, k.Y.Hi = 0.8, most*1.3
	if cols[0].Class != "" {
		k.X.Name = "size class, B"
	}
	s.sizeCursor(plot{k.Draw(c, chart.Style{})})
}

// drawLatencies draws the means as marks, the baseline as dots and the intervals as
// lines, those of the selected stage on top.
func drawLatencies(c *cell.Canvas, s *Scene, cols []analysis.Packets) plot {
	stage := s.Sel.Stage
	k := report.SignatureCharts(cols)[1]
	k.Title, k.X = strings.ToLower(k.Title), s.Sel.sizeAxis()
	list := k.Series // of each stage the baseline and the means
	k.Series = nil
	var front chart.Series
	dropped := 0
	for i, st := range trace.Stages() {
		base, means := list[2*i], list[2*i+1]
		if !s.Sel.NoBaseline {
			k.Series = append(k.Series, base)
		}
		if !s.Sel.Intervals {
			means.Draw = chart.Marks
		}
		dropped += len(filter(means.Points, func(p chart.Point) bool { return !p.Missing && p.Y <= 0 }))
		if st == stage {
			front = means
			front.Top, front.Attr = true, cell.Bold
		} else {
			k.Series = append(k.Series, means)
		}
	}
	over := s.overColumns()
	k.Series = append(k.Series, overSeries(over, func(col *analysis.Packets) trace.Opt[float64] { return col.Stat(stage).MeanNs })...)
	k.Series = append(k.Series, front)
	if dropped > 0 {
		k.X.Name += fmt.Sprintf(" (%d not above 0)", dropped)
	}
	style := chart.Style{Intervals: true, Ink: cell.Second}
	if len(over) > 0 {
		style.Beside = "line: other run"
	}
	p := plot{k.Draw(c, style)}
	s.sizeCursor(p)
	return p
}

// drawStrip marks for each size whether a latency is above or below its baseline.
func drawStrip(c *cell.Canvas, p plot, cols []analysis.Packets, st trace.Stage) {
	rank := map[analysis.Level]int{analysis.Unclear: 1, analysis.Within: 2, analysis.Below: 3, analysis.Above: 4}
	best := make([]int, c.W)
	for _, col := range cols {
		at, s := p.Column(float64(col.SizeHiBytes)), col.Stat(st)
		if s.Count == 0 || !s.DeviationNs.OK {
			continue
		}
		l := analysis.LevelOf(s)
		if rank[l] <= best[at] {
			continue
		}
		best[at] = rank[l]
		r, ink := levelMark(l)
		c.Set(at, 0, r, ink, 0)
	}
}

// drawReadout writes the exact values at the cursor: of all stages, or of the
// selected one where there are two lines only.
func drawReadout(c *cell.Canvas, s *Scene, cols []analysis.Packets, note string) {
	i := s.Sel.cursor(cols)
	if i < 0 {
		return
	}
	col := cols[i]
	where := fmt.Sprintf("%s, %s packets", where(col), analysis.Digits(col.Count()))
	if c.H < 7 {
		st, look := col.Stat(s.Sel.Stage), stageLooks[s.Sel.Stage]
		x := c.Text(0, 0, where+": ", cell.Accent, cell.Bold)
		x = c.Text(x, 0, analysis.StageName(s.Sel.Stage)+" "+analysis.WithUnit(analysis.Us(st.MeanNs), "µs"), look.Ink, cell.Bold)
		interval := ""
		if st.CILoNs.OK {
			interval = " (" + analysis.Us(st.CILoNs) + "-" + analysis.Us(st.CIHiNs) + ")"
		}
		x = c.Text(x, 0, fmt.Sprintf("%s%s, base %s ", interval, weakly(st), analysis.BaselineUs(st)), cell.Plain, 0)
		r, ink := levelMark(analysis.LevelOf(st))
		c.Set(x, 0, r, ink, cell.Bold)
		c.Text(x+1, 0, analysis.SignedUs(st.DeviationNs)+" "+share(st), ink, cell.Bold)
		x = c.Text(0, 1, percentiles(st, "  "), cell.Faint, 0)
		x = c.Text(x+2, 1, s.overLine(col, s.Sel.Stage), cell.Second, 0)
		c.Text(x+2, 1, note, cell.Faint, 0)
		return
	}
	c.Text(0, 0, "At the cursor, µs: "+where, cell.Accent, cell.Bold)
	columns := []string{"stage", "mean", "±", "base", "dev", "", "level", "dev from", "deviation_ci_hi_us", "p50", "p90", "p99", "max"}
	if s.over() != nil {
		columns = append(columns, "+mean", "+diff")
	}
	s.stageRows(c, 1, s.bySize(cols[i:i+1], trace.Stages(), "mean").Pick(columns...))
}

// unknown says why percentiles of a size, and with them an interval, are not known, and what
// is known of its class.
func (s *Scene) unknown(p analysis.Packets, stage trace.Stage) string {
	st := p.Stat(stage)
	if st.P50.Ns.OK || st.P50.Reason == "" {
		return ""
	}
	text := "no percentiles: "
	if st.MeanNs.OK && !st.CILoNs.OK {
		text = "no percentiles, and no interval, so that it is not judged (?): "
	}
	text += st.P50.Reason
	if p.Class != "" || s.Sel.sliced(s.data()) {
		return text
	}
	for _, c := range s.Sel.classes(s.data()) {
		if of := c.Stat(stage); p.SizeHiBytes > c.SizeLoBytes && p.SizeHiBytes <= c.SizeHiBytes && of.P50.Ns.OK && c.Class != trace.AllSizes {
			text += fmt.Sprintf("; its class %s: %s", c.Class, percentiles(of, ", "))
		}
	}
	return text
}

// overLine describes the mean of the other run.
func (s *Scene) overLine(col analysis.Packets, stage trace.Stage) string {
	if s.over() == nil {
		return ""
	}
	if o, ok := alike(col, s.overColumns()); ok {
		if a, b := o.Stat(stage).MeanNs, col.Stat(stage).MeanNs; a.OK && b.OK {
			return fmt.Sprintf("other run %s, difference %s", analysis.Us(a), analysis.WithUnit(analysis.SignedUs(less(b, a)), "µs"))
		}
	}
	return "the other run has no such packets"
}

// drawSummary writes the findings that fit.
func drawSummary(c *cell.Canvas, summary []string) {
	y := 0
	for i, text := range summary {
		last := i == len(summary)-1
		if y >= c.H || y == c.H-1 && !last {
			c.Text(0, c.H-1, fmt.Sprintf("… %d more findings, w shows all", len(summary)-i), cell.Faint, 0)
			return
		}
		room := c.H - y
		if !last {
			room--
		}
		c.Set(0, y, '▪', cell.Accent, 0)
		y += c.Sub(0, y, c.W, max(room, 1)).Para(2, 0, text, cell.Plain)
	}
}

func (*signatureView) complete(s *Scene) error { return s.cut(true) }

func (*signatureView) table(s *Scene) analysis.View {
	cols, _ := s.Sel.columns(s.data())
	return s.bySize(s.Sel.shown(cols), trace.Stages(), "mean_us", "count")
}
