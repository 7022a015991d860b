package tui

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// drawSignature draws packets per size beside the latencies by size, marks
// of what deviates under them, exact values at the cursor, and the words.
func drawSignature(c *cell.Canvas, s *State, d *Data) {
	all, note := s.Sel.columns(d)
	cols := s.Sel.shown(all)
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
	x := axis{lo: float64(s.Sel.FromBytes), hi: float64(s.Sel.ToBytes), log: true}
	drawCounts(c.Sub(0, 0, left, plot), s, cols, x)
	right := c.Sub(left+1, 0, c.W-left-1, plot+len(strips))
	drawLatencies(right, s, cols, x, plot)
	legend(c, 1, plot, s.Sel.Stage)
	if len(strips) > 1 {
		noteX := 1
		if note != "" {
			c.Sub(0, plot+2, left, len(strips)-2).Para(noteX, 0, note, cell.Faint)
		}
		c.Text(1, plot+1, "hollow: few packets · dots: baseline · * several", cell.Faint, 0)
	}
	y := plot + len(strips)
	drawReadout(c.Sub(0, y, c.W, table), s, d, all)
	drawSummary(c.Sub(0, y+table, c.W, c.H-y-table), d)
}

func noSignature(d *Data) string {
	if len(d.Signature.Rows) == 0 {
		return "This run holds no signature: the monitor was not part of the firmware. Run it with --monitor full."
	}
	return "Press 0 to look at all packets again."
}

// drawCounts draws a bar for the packets of each size; one packet stands an
// eighth of a cell high, so that none is nothing.
func drawCounts(c *cell.Canvas, s *State, cols []column, x axis) {
	if len(cols) == 0 {
		return
	}
	most := 10.0
	for _, col := range cols {
		most = max(most, float64(col.count))
	}
	head := "packets per size, B"
	if cols[0].class != "" {
		head = "packets per size class, B"
	}
	p := newPanel(c, head, x, axis{0.8, most * 1.3, true, 0}, doubles(s.Sel.FromBytes, s.Sel.ToBytes))
	counts := make([]int64, p.x.n)
	for _, col := range cols {
		if at, ok := p.x.at(float64(col.SizeHiBytes)); ok {
			counts[at] += col.count
		}
	}
	for at, n := range counts {
		if n == 0 {
			continue
		}
		eighths := max(p.y.fine(p.field.H*8).clamp(float64(n)), 1)
		for row := range p.field.H {
			if e := eighths - 8*row; e > 0 {
				p.field.Set(at, p.field.H-1-row, c.Glyphs.Bar(e), cell.Plain, 0)
			}
		}
	}
	cursorLine(p, s)
	zone(c, p, "sizes")
}

func zone(c *cell.Canvas, p panel, name string) {
	c.Zone(axisWidth, 1, p.field.W, p.field.H, place{panel: name, w: p.field.W, h: p.field.H, x: p.x, y: p.y})
}

// cursorLine marks the cursor's size where nothing else is drawn.
func cursorLine(p panel, s *State) {
	at, ok := p.x.at(float64(s.Sel.SizeBytes))
	if !ok {
		return
	}
	for row := range p.field.H {
		if p.field.At(at, row).R == ' ' {
			p.field.Set(at, row, '┊', cell.Accent, 0)
		}
	}
	p.field.Set(at, p.field.H, '▲', cell.Accent, cell.Bold)
}

// drawLatencies draws the means with marks, the baseline as dots, intervals
// as lines, and the marks of what deviates below.
func drawLatencies(c *cell.Canvas, s *State, cols []column, x axis, plot int) {
	range_ := latencyExtent(s, cols)
	over := overColumns(s)
	for _, col := range over {
		range_.add(inUs(col.stats[s.Sel.Stage].MeanNs))
	}
	head := "mean latency, µs, by size, B"
	if range_.out > 0 {
		head += fmt.Sprintf(" (%d not above 0)", range_.out)
	}
	p := newPanel(c.Sub(0, 0, c.W, plot), head, x, range_.axis(0), doubles(s.Sel.FromBytes, s.Sel.ToBytes))
	dots := cell.NewDots(p.field)
	if !s.Sel.NoBaseline {
		for _, st := range trace.Stages() {
			curve(dots, p, cols, 3, stageLooks[st].ink, func(col *column) trace.Opt[float64] { return col.stats[st].BaselineNs })
		}
	}
	if len(over) > 0 {
		curve(dots, p, over, 1, cell.Second, func(col *column) trace.Opt[float64] { return col.stats[s.Sel.Stage].MeanNs })
		c.Right(c.W, 0, "line: other run, "+analysis.StageName(s.Sel.Stage), cell.Second, 0)
	}
	if s.Sel.Intervals {
		for _, col := range cols {
			for _, st := range trace.Stages() {
				whisker(dots, p, &col, st)
			}
		}
	}
	dots.Paint(p.field)
	places := byPlace(cols, p.x)
	for _, st := range append(trace.Stages(), s.Sel.Stage) { // the selected one on top
		drawMeans(p, places, st, st == s.Sel.Stage)
	}
	cursorLine(p, s)
	zone(c, p, "sizes")
	strips := trace.Stages()
	if c.H-plot < len(strips) {
		strips = []trace.Stage{s.Sel.Stage}
	}
	for i, st := range strips {
		c.Set(axisWidth-2, plot+i, stageLooks[st].strong, stageLooks[st].ink, 0)
		strip(c, axisWidth, plot+i, p.x, cols, st)
	}
}

func inUs(v trace.Opt[float64]) trace.Opt[float64] {
	v.Value /= 1000
	return v
}

func latencyExtent(s *State, cols []column) extent {
	e := extent{log: true}
	for _, col := range cols {
		for _, st := range col.stats {
			e.add(inUs(st.MeanNs))
			if !s.Sel.NoBaseline && st.BaselineNs.Value > 0 {
				e.add(inUs(st.BaselineNs))
			}
		}
	}
	return e
}

// overColumns are the same packets of the run laid over.
func overColumns(s *State) []column {
	o := s.over()
	if o == nil {
		return nil
	}
	cols, _ := s.Sel.columns(o)
	return s.Sel.shown(cols)
}

// curve joins the values of columns by a line of dots.
func curve(dots *cell.Dots, p panel, cols []column, gap int, ink cell.Ink, value func(*column) trace.Opt[float64]) {
	w, h := dots.Size()
	fx, fy := p.x.fine(w), p.y.fine(h)
	lastX, lastY, drawn := 0, 0, false
	for i := range cols {
		v := inUs(value(&cols[i]))
		if !v.OK || v.Value <= 0 {
			drawn = false
			continue
		}
		x, okX := fx.at(float64(cols[i].SizeHiBytes))
		y, okY := fy.at(v.Value)
		if !okX || !okY {
			drawn = false
			continue
		}
		if drawn {
			dots.Line(lastX, lastY, x, y, gap, ink, 0)
		} else {
			dots.Set(x, y, ink, 0)
		}
		lastX, lastY, drawn = x, y, true
	}
}

// whisker draws the interval of a mean.
func whisker(dots *cell.Dots, p panel, col *column, st trace.Stage) {
	v := col.stats[st]
	if !v.CILoNs.OK || !v.CIHiNs.OK || v.CIHiNs.Value <= 0 {
		return
	}
	w, h := dots.Size()
	x, ok := p.x.fine(w).at(float64(col.SizeHiBytes))
	if !ok {
		return
	}
	y := p.y.fine(h)
	dots.Line(x, y.clamp(v.CILoNs.Value/1000), x, y.clamp(v.CIHiNs.Value/1000), 1, stageLooks[st].ink, 0)
}

// byPlace pools the columns that share a place on the axis.
func byPlace(cols []column, x axis) map[int]column {
	out := map[int]column{}
	for _, col := range cols {
		at, ok := x.at(float64(col.SizeHiBytes))
		if !ok {
			continue
		}
		if there, some := out[at]; some {
			there.Sizes, there.class = col.Sizes, col.class
			col = merge([]column{there}, []column{col})[0]
		}
		out[at] = col
	}
	return out
}

func drawMeans(p panel, places map[int]column, st trace.Stage, selected bool) {
	k := stageLooks[st]
	for at := range p.x.n {
		col, ok := places[at]
		v := col.stats[st]
		if !ok || !v.MeanNs.OK || v.MeanNs.Value <= 0 {
			continue
		}
		row, inside := p.y.at(v.MeanNs.Value / 1000)
		if !inside {
			continue
		}
		r, attr := k.strong, cell.Attr(0)
		if v.Weak {
			r, attr = k.weak, cell.Dim
		}
		if selected {
			attr |= cell.Bold
		}
		if there := p.field.At(at, p.field.H-1-row); !selected && isMean(there.R, k) {
			p.field.Set(at, p.field.H-1-row, '*', cell.Plain, 0)
			continue
		}
		p.field.Set(at, p.field.H-1-row, r, k.ink, attr)
	}
}

// isMean reports whether another stage's mean, or several, stand in a cell.
func isMean(r rune, own stageLook) bool {
	for _, k := range stageLooks {
		if k != own && (r == k.strong || r == k.weak || r == cell.ASCII.Fit(k.strong) || r == cell.ASCII.Fit(k.weak)) {
			return true
		}
	}
	return r == '*'
}

// drawReadout writes the exact values at the cursor: of the selected stage in
// two lines, or of all stages where there is room.
func drawReadout(c *cell.Canvas, s *State, d *Data, cols []column) {
	i := s.Sel.cursor(cols)
	if i < 0 {
		return
	}
	col := cols[i]
	where := fmt.Sprintf("%d-%d B", col.SizeLoBytes+1, col.SizeHiBytes)
	if col.class != "" {
		where = col.class
	}
	where += fmt.Sprintf(", %s packets", analysis.Digits(col.count))
	if c.H < 7 {
		st := col.stats[s.Sel.Stage]
		x := c.Text(0, 0, where+": ", cell.Accent, cell.Bold)
		x = c.Text(x, 0, fmt.Sprintf("%s %s µs", analysis.StageName(s.Sel.Stage), analysis.Us(st.MeanNs)), stageLooks[s.Sel.Stage].ink, cell.Bold)
		x = c.Text(x, 0, fmt.Sprintf(" (%s-%s)%s, base %s ", analysis.Us(st.CILoNs), analysis.Us(st.CIHiNs), weakly(st), analysis.Us(st.BaselineNs)), cell.Plain, 0)
		r, ink := levelMark(analysis.LevelOf(st))
		c.Set(x, 0, r, ink, cell.Bold)
		c.Text(x+1, 0, analysis.SignedUs(st.DeviationNs)+" "+share(st), ink, cell.Bold)
		x = c.Text(0, 1, fmt.Sprintf("p50 %s  p90 %s  p99 %s", analysis.PercentileUs(st.P50), analysis.PercentileUs(st.P90), analysis.PercentileUs(st.P99)), cell.Faint, 0)
		x = c.Text(x+2, 1, overLine(s, col, s.Sel.Stage), cell.Second, 0)
		if _, note := s.Sel.columns(d); note != "" {
			c.Text(x+2, 1, note, cell.Faint, 0)
		}
		return
	}
	c.Text(0, 0, "At the cursor: "+where, cell.Accent, cell.Bold)
	head := []string{"stage", "mean µs", "from", "to", "baseline", "deviation", "", "from", "to", "p50", "p90", "p99", "max"}
	widths := []int{12, 9, 9, 9, 9, 10, 7, 9, 9, 8, 8, 8, 8}
	line := func(y int, cells []string, ink cell.Ink, attr cell.Attr) {
		x := 0
		for i, t := range cells {
			if x+widths[i] > c.W {
				break
			}
			if i == 0 {
				c.Text(x, y, t, ink, attr)
			} else {
				c.Right(x+widths[i], y, t, ink, attr)
			}
			x += widths[i]
		}
	}
	line(1, head, cell.Faint, 0)
	for n, stage := range trace.Stages() {
		st := col.stats[stage]
		r, ink := levelMark(analysis.LevelOf(st))
		attr := cell.Attr(0)
		if stage == s.Sel.Stage {
			attr = cell.Bold
		}
		line(2+n, []string{analysis.StageName(stage), analysis.Us(st.MeanNs) + weakMark(st), analysis.Us(st.CILoNs), analysis.Us(st.CIHiNs), analysis.Us(st.BaselineNs), analysis.SignedUs(st.DeviationNs), share(st),
			analysis.SignedUs(st.DeviationCILoNs), analysis.SignedUs(st.DeviationCIHiNs), analysis.PercentileUs(st.P50), analysis.PercentileUs(st.P90), analysis.PercentileUs(st.P99), analysis.TenthUs(st.MaxNs)}, stageLooks[stage].ink, attr)
		if c.W > 12 {
			c.Set(11, 2+n, r, ink, cell.Bold)
		}
		if at := 120; c.W > at+20 {
			c.Text(at, 2+n, overLine(s, col, stage), cell.Second, 0)
		}
	}
}

func weakly(st trace.Stat) string {
	if st.Weak {
		return " weak"
	}
	return ""
}

func weakMark(st trace.Stat) string {
	if st.Weak && st.MeanNs.OK {
		return "~"
	}
	return ""
}

// share is a deviation in percent of the baseline.
func share(st trace.Stat) string {
	if !st.DeviationNs.OK || !st.BaselineNs.OK || st.BaselineNs.Value == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.0f%%", 100*st.DeviationNs.Value/math.Abs(st.BaselineNs.Value))
}

// overLine is what the run laid over has in the same place.
func overLine(s *State, col column, stage trace.Stage) string {
	if o, ok := col.of(overColumns(s)); ok {
		if a, b := o.stats[stage].MeanNs, col.stats[stage].MeanNs; a.OK && b.OK {
			return fmt.Sprintf("other run %s, difference %s µs", analysis.Us(a), analysis.SignedUs(less(b, a)))
		}
	}
	if s.over() != nil {
		return "the other run has no such packets"
	}
	return ""
}

// drawSummary writes what deviates and what that means.
func drawSummary(c *cell.Canvas, d *Data) {
	y := 0
	for i, text := range d.Diagnosis.Summary {
		if y >= c.H || y == c.H-1 && i < len(d.Diagnosis.Summary)-1 {
			c.Text(0, c.H-1, fmt.Sprintf("… %d more findings, w shows all", len(d.Diagnosis.Summary)-i), cell.Faint, 0)
			return
		}
		rest := c.Sub(0, y, c.W, max(c.H-y, 1))
		if i < len(d.Diagnosis.Summary)-1 {
			rest = c.Sub(0, y, c.W, max(c.H-y-1, 1))
		}
		c.Set(0, y, '▪', cell.Accent, 0)
		y += rest.Para(2, 0, text, cell.Plain)
	}
}

func moveSignature(s *State, d *Data, dx, dy int) {
	if dy != 0 {
		s.Sel.Stage = cycle(trace.Stages(), s.Sel.Stage, dy)
	}
	moveSize(s, d, dx)
}

// moveSize takes the cursor to the next size that has packets.
func moveSize(s *State, d *Data, by int) {
	cols, _ := s.Sel.columns(d)
	i := s.Sel.cursor(cols)
	if i < 0 {
		return
	}
	s.Sel.SizeBytes = cols[min(max(i+by, 0), len(cols)-1)].SizeHiBytes
	s.Sel.follow()
}

// follow moves the shown part of the axis so that the cursor is in it.
func (s *Selection) follow() {
	if s.SizeBytes < s.FromBytes {
		s.ToBytes = max(s.ToBytes*s.SizeBytes/s.FromBytes, s.SizeBytes+1)
		s.FromBytes = s.SizeBytes
	}
	if s.SizeBytes > s.ToBytes {
		s.FromBytes = max(s.FromBytes*s.SizeBytes/s.ToBytes, 1)
		s.ToBytes = s.SizeBytes
	}
}

// pointSizes takes the cursor to a place on an axis of sizes.
func pointSizes(s *State, d *Data, z place) {
	cols, _ := s.Sel.columns(d)
	best, at := -1, 0
	for i, col := range s.Sel.shown(cols) {
		if p, ok := z.x.at(float64(col.SizeHiBytes)); ok && (best < 0 || max(p-z.dx, z.dx-p) < best) {
			best, at = max(p-z.dx, z.dx-p), i
		}
	}
	if best >= 0 {
		s.Sel.SizeBytes = s.Sel.shown(cols)[at].SizeHiBytes
	}
}

func signatureTable(s *State, d *Data) table {
	cols, _ := s.Sel.columns(d)
	t := table{head: []string{"size_lo_bytes", "size_hi_bytes", "class", "packets", "stage", "mean_ns", "ci_lo_ns", "ci_hi_ns", "baseline_ns",
		"deviation_ns", "deviation_ci_lo_ns", "deviation_ci_hi_ns", "level", "weak", "p50_ns", "p90_ns", "p99_ns", "second_packets", "second_mean_ns", "difference_ns"}}
	for _, col := range s.Sel.shown(cols) {
		for _, st := range col.stats {
			second := s.secondRecord(st, func(*Data) (column, bool) { return col.of(overColumns(s)) })
			t.rows = append(t.rows, []string{
				strconv.FormatInt(col.SizeLoBytes, 10), strconv.FormatInt(col.SizeHiBytes, 10), col.class, strconv.FormatInt(st.Count, 10), st.Stage.String(),
				cellOf(st.MeanNs), cellOf(st.CILoNs), cellOf(st.CIHiNs), cellOf(st.BaselineNs), cellOf(st.DeviationNs),
				cellOf(st.DeviationCILoNs), cellOf(st.DeviationCIHiNs), string(analysis.LevelOf(st)), strconv.FormatBool(st.Weak),
				whole(st.P50), whole(st.P90), whole(st.P99), second[0], second[1], second[2],
			})
		}
	}
	return t
}

// cellOf is a value in a CSV file; empty when there is none.
func cellOf(v trace.Opt[float64]) string {
	if !v.OK {
		return ""
	}
	return strconv.FormatFloat(v.Value, 'g', -1, 64)
}

func whole(p trace.Percentile) string {
	if !p.Ns.OK {
		return ""
	}
	text := strconv.FormatInt(p.Ns.Value, 10)
	switch {
	case p.LowerBound:
		return ">=" + text
	case p.UpperBound:
		return "<=" + text
	}
	return text
}
