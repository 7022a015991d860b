package views

import (
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

// signatureView shows packets and latencies by size, marks of deviations under them,
// exact values at the cursor, and the findings.
type signatureView struct{ ofRuns }

func (*signatureView) Keys() []action.Action {
	return []action.Action{action.Enter, action.ToggleBaseline, action.ToggleIntervals, action.ZoomIn, action.ZoomOut}
}

func (*signatureView) Obeys(s *scene.Scene) scene.Settings {
	return scene.ByColumns(&s.Sel, s.Data()) | scene.OfStage | scene.OfSize
}

func (*signatureView) Act(s *scene.Scene, a action.Action) bool { return updateSizes(s, a) }

// updateSizes moves the cursor along the sizes and through the latencies.
// Enter leads to the pair of nodes whose packets of the size deviate most, and for packets of
// some nodes to the histogram.
func updateSizes(s *scene.Scene, a action.Action) bool {
	dx, dy := a.Steps()
	switch {
	case a == action.Enter:
		leadToPair(s)
	case dx != 0:
		s.Sel.MoveSize(s.Data(), dx)
	case a == action.PageDown || a == action.PageUp:
		s.Sel.MoveSize(s.Data(), dy)
	case dy != 0:
		s.Sel.Stage = lists.Cycle(trace.Stages(), s.Sel.Stage, dy)
	default:
		return false
	}
	return true
}

// leadToPair leads to the pair that has waited most beyond the baseline, of the packets of the
// class of the size at the cursor, all together.
func leadToPair(s *scene.Scene) {
	d, sel := s.Data(), &s.Sel
	var worst analysis.Packets
	most := math.Inf(-1)
	for from := range int64(d.Nodes) {
		for to := range int64(d.Nodes) {
			for _, p := range d.Pairs[data.PairKey{Tag: sel.Tag, Sender: from, Receiver: to}] {
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
	if worst.Class == "" || sel.Sender != data.Everyone || sel.Receiver != data.Everyone {
		s.Narrow("histogram")
		return
	}
	s.Narrow("matrix", fmt.Sprintf("class=%s sender=%d receiver=%d", worst.Class, worst.Sender, worst.Receiver))
}

func (*signatureView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	all, note := s.Sel.Columns(d)
	cols := s.Sel.Shown(all)
	if len(all) == 0 {
		c.Para(1, 1, "No packets are recorded for this selection. "+noSignature(d), cell.Warn)
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
		right.Set(chart.AxisWidth-2, plot+i, scene.StageMark(st), scene.StageLooks[st].Ink, 0)
		drawStrip(right.Sub(chart.AxisWidth, plot+i, p.W, 1), p, cols, st)
	}
	s.Legend(c, 1, plot)
	if len(strips) > 1 {
		if note != "" {
			c.Sub(0, plot+2, left, len(strips)-2).Para(1, 0, note, cell.Faint)
		}
		c.Text(1, plot+1, "hollow: few packets · dots: baseline · * several", cell.Faint, 0)
	}
	y := plot + len(strips)
	drawReadout(c.Sub(0, y, c.W, table), s, all, note)
	summary := scene.Summary(&s.Sel, d)
	if why := Unknown(s, all[s.Sel.Cursor(all)], s.Sel.Stage); why != "" {
		summary = slices.Insert(slices.Clone(summary), 0, "At the cursor: "+why+".")
	}
	drawSummary(c.Sub(0, y+table, c.W, c.H-y-table), summary)
}

// drawCounts draws the number of packets of each size as bars. One packet is at
// least an eighth of a cell high.
func drawCounts(c *cell.Canvas, s *scene.Scene, cols []analysis.Packets) {
	if len(cols) == 0 {
		return
	}
	k := report.SignatureCharts(cols)[0]
	k.Title, k.X = strings.ToLower(k.Title), scene.SizeAxis(&s.Sel)
	most := 10.0
	for _, p := range k.Series[0].Points {
		most = max(most, p.Y)
	}
	k.Y.Lo, k.Y.Hi = 0.8, most*1.3
	if cols[0].Class != "" {
		k.X.Name = "size class, B"
	}
	s.SizeCursor(scene.Plot{Field: k.Draw(c, chart.Style{})})
}

// drawLatencies draws the means as marks, the baseline as dots and the intervals as
// lines, those of the selected stage on top.
func drawLatencies(c *cell.Canvas, s *scene.Scene, cols []analysis.Packets) scene.Plot {
	stage := s.Sel.Stage
	k := report.SignatureCharts(cols)[1]
	k.Title, k.X = strings.ToLower(k.Title), scene.SizeAxis(&s.Sel)
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
		dropped += len(lists.Filter(means.Points, func(p chart.Point) bool { return !p.Missing && p.Y <= 0 }))
		if st == stage {
			front = means
			front.Top, front.Attr = true, cell.Bold
		} else {
			k.Series = append(k.Series, means)
		}
	}
	over := s.OverColumns()
	k.Series = append(k.Series, scene.OverSeries(over, func(col *analysis.Packets) trace.Opt[float64] { return col.Stat(stage).MeanNs })...)
	k.Series = append(k.Series, front)
	if dropped > 0 {
		k.X.Name += fmt.Sprintf(" (%d not above 0)", dropped)
	}
	style := chart.Style{Intervals: true, Ink: cell.Second}
	if len(over) > 0 {
		style.Beside = "line: other run"
	}
	p := scene.Plot{Field: k.Draw(c, style)}
	s.SizeCursor(p)
	return p
}

// drawStrip marks for each size whether a latency is above or below its baseline.
func drawStrip(c *cell.Canvas, p scene.Plot, cols []analysis.Packets, st trace.Stage) {
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
		r, ink := scene.LevelMark(l)
		c.Set(at, 0, r, ink, 0)
	}
}

// drawReadout writes the exact values at the cursor: of all stages, or of the
// selected one where there are two lines only.
func drawReadout(c *cell.Canvas, s *scene.Scene, cols []analysis.Packets, note string) {
	i := s.Sel.Cursor(cols)
	if i < 0 {
		return
	}
	col := cols[i]
	where := fmt.Sprintf("%s, %s packets", data.Where(col), analysis.Digits(col.Count()))
	if c.H < 7 {
		st, look := col.Stat(s.Sel.Stage), scene.StageLooks[s.Sel.Stage]
		x := c.Text(0, 0, where+": ", cell.Accent, cell.Bold)
		x = c.Text(x, 0, s.Data().StageName(s.Sel.Stage)+" "+analysis.WithUnit(analysis.Us(st.MeanNs), "µs"), look.Ink, cell.Bold)
		interval := ""
		if st.CILoNs.OK {
			interval = " (" + analysis.Us(st.CILoNs) + "-" + analysis.Us(st.CIHiNs) + ")"
		}
		x = c.Text(x, 0, fmt.Sprintf("%s%s, base %s ", interval, scene.Weakly(st), analysis.Us(st.BaselineNs)), cell.Plain, 0)
		r, ink := scene.LevelMark(analysis.LevelOf(st))
		c.Set(x, 0, r, ink, cell.Bold)
		c.Text(x+1, 0, analysis.SignedUs(st.DeviationNs)+" "+scene.Share(st), ink, cell.Bold)
		x = c.Text(0, 1, scene.Percentiles(st, "  "), cell.Faint, 0)
		x = c.Text(x, 1, classBaseline(s, col, s.Sel.Stage), cell.Faint, 0)
		x = c.Text(x+2, 1, overLine(s, col, s.Sel.Stage), cell.Second, 0)
		c.Text(x+2, 1, note, cell.Faint, 0)
		return
	}
	x := c.Text(0, 0, "At the cursor, µs: "+where, cell.Accent, cell.Bold)
	c.Text(x, 0, classBaseline(s, col, s.Sel.Stage), cell.Faint, 0)
	columns := []string{"stage", "mean", "±", "base", "dev", "", "level", "dev from", "deviation_ci_hi_us", "p50", "p90", "p99", "max"}
	if s.Second() != nil {
		columns = append(columns, "+mean", "+diff")
	}
	s.StageRows(c, 1, s.BySize(cols[i:i+1], trace.Stages(), "mean").Pick(columns...))
}

// classBaseline names the baseline that findings are of, if the class of a size has the same packets and another
// baseline: that of a class is by kinds of packets.
func classBaseline(s *scene.Scene, p analysis.Packets, stage trace.Stage) string {
	if s.Sel.Sliced(s.Data()) {
		return ""
	}
	of := p.Stat(stage)
	for _, c := range scene.Classes(&s.Sel, s.Data()) {
		x := c.Stat(stage)
		same := p.SizeHiBytes > c.SizeLoBytes && x.Count == of.Count && x.MeanNs == of.MeanNs
		if base := analysis.Us(x.BaselineNs); same && c.Class != p.Class && c.Class != trace.AllSizes && x.BaselineNs.OK && base != analysis.Us(of.BaselineNs) {
			return fmt.Sprintf("; %s of class %s, by kinds: base %s", s.Data().StageName(stage), c.Class, base)
		}
	}
	return ""
}

// Unknown says why percentiles of a size, and with them an interval, are not known, and what
// is known of its class.
func Unknown(s *scene.Scene, p analysis.Packets, stage trace.Stage) string {
	st := p.Stat(stage)
	if st.P50.Ns.OK || st.P50.Reason == "" {
		return ""
	}
	text := "no percentiles: "
	if st.MeanNs.OK && !st.CILoNs.OK {
		text = "no percentiles, and no interval, so that it is not judged (?): "
	}
	text += st.P50.Reason
	if p.Class != "" || s.Sel.Sliced(s.Data()) {
		return text
	}
	for _, c := range scene.Classes(&s.Sel, s.Data()) {
		if of := c.Stat(stage); p.SizeHiBytes > c.SizeLoBytes && p.SizeHiBytes <= c.SizeHiBytes && of.P50.Ns.OK && c.Class != trace.AllSizes {
			text += fmt.Sprintf("; its class %s: %s", c.Class, scene.Percentiles(of, ", "))
		}
	}
	return text
}

// overLine describes the mean of the other run.
func overLine(s *scene.Scene, col analysis.Packets, stage trace.Stage) string {
	if s.Second() == nil {
		return ""
	}
	if o, ok := data.Alike(col, s.OverColumns()); ok {
		if a, b := o.Stat(stage).MeanNs, col.Stat(stage).MeanNs; a.OK && b.OK {
			return fmt.Sprintf("other run %s, difference %s", analysis.Us(a), analysis.WithUnit(analysis.SignedUs(data.Minus(b, a)), "µs"))
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
			c.Text(0, c.H-1, fmt.Sprintf("… %d more findings%s", len(summary)-i, c.Keys(", w shows all")), cell.Faint, 0)
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

func (*signatureView) Complete(s *scene.Scene) error { return s.Cut(true) }

func (*signatureView) Table(s *scene.Scene) analysis.View {
	cols, _ := s.Sel.Columns(s.Data())
	return s.BySize(s.Sel.Shown(cols), trace.Stages(), "mean_us", "count")
}
