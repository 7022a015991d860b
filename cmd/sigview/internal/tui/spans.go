package tui

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// spansView lists the operations of a traced run, and shows of the kind at the cursor how
// long they take and which take longest, or the steps of all; or where the time of all
// nodes goes, or who waited for whom.
type spansView struct {
	ofRuns
	list   list
	metric choice
	one    int // of the longest operations, from 1, the one that is shown by itself; 0: none
	span   int // the number of an operation that is shown by itself; 0: none
	path   path
}

// What the view shows of operations.
const (
	spanDurations = iota
	spanSteps
	spanTime
	spanBlocked
)

var spanMetrics = []string{"how long operations take", "steps", "time by node, phase, operation and step", "who waited for whom"}

func (v *spansView) keys() []action {
	switch metric := v.metric.of(spanMetrics); {
	case metric == spanBlocked:
		return []action{nextMetric}
	case metric == spanTime || v.one > 0 || v.span > 0:
		return []action{nextMetric, enter, zoomIn, zoomOut}
	}
	return []action{nextMetric, enter}
}

func (v *spansView) words() []word {
	return []word{
		v.list.word(),
		v.metric.word(spanMetrics),
		numberWord("longest", "a place among the longest, or none", &v.one, 1, keptOperations).called("none", &v.one, 0),
		numberWord("span", "the number of an operation, or none", &v.span, 1, 1<<60).called("none", &v.span, 0),
		v.path.word(),
	}
}

// crumb names a single operation in a trail.
func (v *spansView) crumb() string {
	if v.one > 0 || v.span > 0 {
		return "operation"
	}
	return ""
}

func (v *spansView) obeys(s *Scene) settings {
	switch {
	case s.data().Packets == nil || v.metric.of(spanMetrics) == spanBlocked:
		return 0
	case v.metric.of(spanMetrics) == spanTime:
		return ofTag
	case v.span > 0:
		return ofTag | ofTime
	case v.chosen(s) != nil:
		return ofTag | ofFilter | ofTime
	}
	return ofTag | ofFilter
}

func (v *spansView) update(s *Scene, a action) bool {
	metric := v.metric.of(spanMetrics)
	switch {
	case a == toggleBaseline:
		return s.withoutBaseline("operations")
	case a == nextMetric:
		v.one, v.span = 0, 0
		return v.metric.next(s, spanMetrics)
	case s.data().Packets == nil:
		s.Note = "There is no trace to open operations of."
		return a == enter
	case metric == spanTime:
		return v.path.update(s, a)
	case metric == spanBlocked:
		dx, dy := a.steps()
		return dx != 0 || dy != 0
	case a == enter:
		v.open(s)
		return true
	case v.span > 0:
		return s.updateTime(v.chosen(s), a)
	case v.one > 0:
		return v.updateOne(s, a)
	}
	return v.list.update(a, len(s.Sel.listed(s.data())))
}

// open leads from a kind to the longest of its operations, and from that to the timeline of
// its node at its time.
func (v *spansView) open(s *Scene) {
	p := v.ahead(s)
	if p.View == "" {
		s.Note = "No operations for this selection."
		return
	}
	s.lead(p)
}

func (v *spansView) ahead(s *Scene) Place {
	metric := v.metric.of(spanMetrics)
	if s.data().Packets == nil || metric == spanTime || metric == spanBlocked {
		return Place{}
	}
	if o := v.chosen(s); o != nil {
		return s.narrowed("timeline", append(during(&o.SpanRow), fmt.Sprintf("row=%d", o.Node))...)
	}
	list := v.longest(s)
	if v.span > 0 || list == nil {
		return Place{}
	}
	at := v.list.at(len(s.Sel.listed(s.data())))
	return s.narrowed("spans", append([]string{fmt.Sprintf("row=%d", at), "longest=1"}, during(&list[0].SpanRow)...)...)
}

// timeOf is when an operation is shown. By the errors of clocks it may begin before the run, or
// end before it begins.
func timeOf(o *trace.SpanRow) (from, to int64) {
	return max(o.BeginNs, 0), max(o.EndNs, o.BeginNs+1, 1)
}

// during is the time of an operation as words of the selection.
func during(o *trace.SpanRow) []string {
	from, to := timeOf(o)
	return []string{fmt.Sprintf("from=%d", from), fmt.Sprintf("to=%d", to), fmt.Sprintf("at=%d", from)}
}

// selectTime selects the time of an operation, with the cursor at its beginning.
func (s *Selection) selectTime(o *trace.SpanRow) {
	s.FromNs, s.ToNs = timeOf(o)
	s.AtNs = s.FromNs
}

// longest returns the longest operations of a kind.
func (d *Data) longest(o analysis.Operation) []*spans.One {
	return d.found.Longest[spans.Kind{Tag: o.Tag, Operation: o.Operation, Name: o.Name}]
}

// longest returns the longest operations of the kind at the cursor, nil if none is listed.
func (v *spansView) longest(s *Scene) []*spans.One {
	rows := s.Sel.listed(s.data())
	if len(rows) == 0 {
		return nil
	}
	return s.data().longest(rows[v.list.at(len(rows))])
}

// chosen returns the operation that is shown by itself, or nil.
func (v *spansView) chosen(s *Scene) *spans.One {
	if v.span > 0 {
		o, _ := s.data().operation(spans.ID{Tag: s.Sel.Tag, Span: int64(v.span)})
		return o
	}
	list := v.longest(s)
	if v.one == 0 || list == nil || v.metric.of(spanMetrics) != spanDurations {
		return nil
	}
	return list[min(v.one, len(list))-1]
}

// updateOne moves to another one of the longest operations, and changes the part of its time
// that is shown.
func (v *spansView) updateOne(s *Scene, a action) bool {
	list := v.longest(s)
	if list == nil {
		return false
	}
	if _, dy := a.steps(); dy != 0 {
		v.one = min(max(v.one+dy, 1), len(list))
		s.Sel.selectTime(&list[v.one-1].SpanRow)
		return true
	}
	return s.updateTime(v.chosen(s), a)
}

// updateTime changes which part of an operation's time is shown, and moves the cursor in it.
func (s *Scene) updateTime(o *spans.One, a action) bool {
	p, sel := s.data().Packets, &s.Sel
	if sel.ToNs <= sel.FromNs && o != nil {
		sel.selectTime(&o.SpanRow)
	}
	dx, dy := a.steps()
	switch {
	case a == zoomIn || a == zoomOut:
		sel.zoomTime(p, a == zoomIn)
	case dx != 0:
		from, to := sel.timeRange(p)
		sel.FromNs, sel.ToNs = from, to
		sel.AtNs = min(max(sel.timeCursor(p)+int64(dx)*max((to-from)/60, 1), from), to)
	default:
		return dy != 0
	}
	return true
}

// listed returns the selected operations.
func (s *Selection) listed(d *Data) []analysis.Operation {
	return filter(d.operations, func(o analysis.Operation) bool { return o.Tag == s.Tag && s.lists(nameOf(o)) })
}

func (v *spansView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	if d.Packets == nil {
		d.untraced(c, "operations (page fetches, locks, barriers)")
		return
	}
	metric := v.metric.of(spanMetrics)
	switch metric {
	case spanTime:
		v.path.draw(c, s)
		return
	case spanBlocked:
		drawBlocked(c, d)
		return
	}
	if v.span > 0 {
		v.drawSought(c, s)
		return
	}
	rows := s.Sel.listed(d)
	if len(rows) == 0 {
		c.Text(2, 1, "No operations for this selection.", cell.Warn, 0)
		return
	}
	if v.chosen(s) != nil {
		list := v.longest(s)
		drawOne(c, s, list, min(v.one, len(list)))
		return
	}
	room := min(len(rows), max((c.H-3)/2, 3))
	if metric == spanDurations {
		room = min(room, max(c.H-15, 3))
	}
	g := newGrid(s.operations(rows, c.W), 3, c.W)
	c.Text(0, 0, "µs", cell.Faint, 0)
	g.head(c, 0)
	v.list.draw(c, 1, room, len(rows), func(i, y int, at bool) {
		ink, attr := here(c, y, at)
		g.row(c, y, i, ink, attr)
	})
	at, under := rows[v.list.at(len(rows))], c.Sub(0, room+2, c.W, c.H-room-2)
	if metric == spanSteps {
		drawSteps(under, s, at)
		return
	}
	v.drawDurations(under, s, at)
}

// drawSought draws an operation that was looked for.
func (v *spansView) drawSought(c *cell.Canvas, s *Scene) {
	switch o, known := s.data().operation(spans.ID{Tag: s.Sel.Tag, Span: int64(v.span)}); {
	case o != nil:
		drawOne(c, s, []*spans.One{o}, 1)
	case known:
		c.Para(1, 1, fmt.Sprintf("The trace has no record of operation %d.", v.span), cell.Warn)
	default:
		c.Para(1, 1, fmt.Sprintf("Operation %d is being looked for.", v.span), cell.Accent)
	}
}

// drawDurations draws how long the operations of a kind take, and the longest of them.
func (v *spansView) drawDurations(c *cell.Canvas, s *Scene, o analysis.Operation) {
	if there := s.over(); there != nil {
		c.Text(2, 0, operationAgainst(o, there, sameOperation(there, o)), cell.Second, 0)
		c = c.Sub(0, 1, c.W, c.H-1)
	}
	list := s.data().longest(o)
	g := newGrid(spans.LongestView(list).Pick("time", "node", "begin", "mostly", "packets", "span"), 0, max(c.W*3/5, 36))
	left := c.W - g.end() - 3
	left = max(left, 24)
	k := chart.Chart{Title: nameOf(o), X: report.TimeAxis("µs", chart.Log10), Y: chart.Axis{FromZero: true}}
	k.X = durations(o.Duration, k.X)
	shown := []analysis.Operation{o}
	if there := s.over(); there != nil {
		if at := sameOperation(there, o); at >= 0 {
			shown = append(shown, there.operations[at])
			k.X = durations(there.operations[at].Duration, k.X)
		}
	}
	for _, o := range shown {
		k.Series = append(k.Series, histogramOf(o, k.X, left-chart.AxisWidth))
	}
	if len(shown) > 1 {
		k.Series[1].Draw, k.Series[1].Look = chart.Marks, chart.Look{Rune: secondMark, Ink: cell.Second}
	}
	k.Draw(c.Sub(0, 0, left, c.H), chart.Style{})
	right := c.Sub(left+1, 0, c.W-left-1, c.H)
	right.Text(0, 0, "The longest, µs; enter opens them", cell.Strong, 0)
	g.head(right, 1)
	for i := range list {
		if 2+i == right.H-1 && i+1 < len(list) {
			right.Text(0, 2+i, fmt.Sprintf("… %d more", len(list)-i), cell.Faint, 0)
			return
		}
		g.row(right, 2+i, i, cell.Plain, 0)
		right.Zone(0, 2+i, right.W, 1, pointed(func(_, _ int) {
			v.one = i + 1
			s.Sel.selectTime(&list[i].SpanRow)
		}))
	}
}

// durations returns an axis over durations, and over those that it has.
func durations(t analysis.Times, x chart.Axis) chart.Axis {
	e := chart.Extent{Scale: x.Scale}
	if x.Hi > 0 {
		e.Add(x.Lo, x.Hi)
	}
	for ns := range t.All() {
		if ns > 0 {
			e.Add(float64(ns)/1000*0.99, float64(ns)/1000*1.01)
		}
	}
	return e.Tight(x)
}

// histogramOf counts the durations of operations in each column of a field. Durations below
// the axis, which the errors of clocks make, are counted in its first column.
func histogramOf(o analysis.Operation, x chart.Axis, columns int) chart.Series {
	columns = max(columns, 1)
	counts := make([]float64, columns)
	for ns, count := range o.Duration.All() {
		counts[x.Clamp(max(float64(ns)/1000, x.Lo), columns)] += float64(count)
	}
	bars := chart.Series{Draw: chart.Bars, Look: chart.Look{Ink: cell.Source}}
	for i, n := range counts {
		if n > 0 {
			bars.Points = append(bars.Points, chart.Point{X: x.Value(float64(i) / float64(max(columns-1, 1))), Y: n})
		}
	}
	return bars
}

// operations shows operations without their steps, beside those of the other run.
func (s *Scene) operations(rows []analysis.Operation, room int) analysis.View {
	whole := func(o analysis.Operation) analysis.Operation {
		o.Stages = nil
		return o
	}
	v := analysis.OperationsView(made(rows, whole), nameOf)
	if s.over() == nil {
		return v.Pick("operation", "count", "mean", "p50", "p99", "max", "packets")
	}
	there := s.over().operations
	v = v.Beside(analysis.OperationsView(made(there, whole), nameOf), func(row int) int { return sameOperation(s.over(), rows[row]) }, "mean_us", "count", "p99_us")
	columns := []string{"operation", "count", "mean", "p50", "p99", "packets", "+count", "+mean", "+p99", "+diff"}
	if room < 115 {
		columns = []string{"operation", "count", "mean", "p99", "+count", "+mean", "+p99", "+diff"}
	}
	return v.Pick(columns...)
}

// drawSteps shows where the time of an operation goes.
func drawSteps(c *cell.Canvas, s *Scene, o analysis.Operation) {
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes, µs; times are accurate to %s", nameOf(o), analysis.Time(float64(o.BoundNs))), cell.Strong, 0)
	v, y := analysis.OperationsView([]analysis.Operation{o}, nameOf), 1
	columns := []string{"step", "in", "mean", "p99", "share"}
	var steps []analysis.StageTimes // of the other run
	if there := s.over(); there != nil {
		at := sameOperation(there, o)
		if at >= 0 {
			steps = there.operations[at].Stages
			v = v.Beside(analysis.OperationsView(there.operations[at:at+1], nameOf), func(row int) int { return 1 + sameStep(steps, o, row-1) }, "mean_us", "share")
			columns = append(columns, "+mean", "+share", "+diff")
		}
		c.Text(2, y, operationAgainst(o, there, at), cell.Second, 0)
		y++
	}
	if len(o.Stages) == 0 {
		c.Text(2, y, "It has no steps of its own.", cell.Faint, 0)
		return
	}
	g := newGrid(v.Pick(columns...), 2, c.W)
	g.head(c, y)
	begin := g.end() + 2
	room := max(c.W-begin-2, 4)
	for i, st := range o.Stages {
		if y++; y >= c.H {
			c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more", len(o.Stages)-i), cell.Faint, 0)
			return
		}
		g.row(c, y, 1+i, cell.Plain, 0)
		bar(c, begin, y, int(st.Share*float64(room*8)), cell.Ink(int(cell.Source)+i%5))
	}
}

// sameStep finds a step of an operation among steps of another run.
func sameStep(steps []analysis.StageTimes, o analysis.Operation, i int) int {
	return slices.IndexFunc(steps, func(s analysis.StageTimes) bool { return i >= 0 && s.Stage == o.Stages[i].Stage })
}

// operationAgainst describes the difference from the other run's mean.
func operationAgainst(o analysis.Operation, run *Data, at int) string {
	switch {
	case run.Packets == nil:
		return "The other run was not traced: it holds no operations."
	case at < 0:
		return "The other run has no such operation."
	}
	other := run.operations[at]
	mean, otherMean := trace.Some(o.Duration.MeanNs()), trace.Some(other.Duration.MeanNs())
	_, half := meanTime(o.Duration)
	_, otherHalf := meanTime(other.Duration)
	text := fmt.Sprintf("%c other run: mean %s, differs by %s", secondMark, analysis.Time(otherMean.Value), analysis.SignedTime(less(mean, otherMean).Value))
	if half.OK && otherHalf.OK {
		text += fmt.Sprintf(" ± %s, if independent", analysis.Time(portable.Hypot(half.Value, otherHalf.Value)))
	}
	return text
}

func (v *spansView) table(s *Scene) analysis.View {
	if s.data().Packets == nil {
		return analysis.View{}
	}
	switch v.metric.of(spanMetrics) {
	case spanTime:
		return s.ofEach(func(d *Data) analysis.View { return d.found.Time[s.Sel.Tag].View() })
	case spanBlocked:
		if e := s.data().explained; e != nil {
			return e.Graph.View()
		}
		return analysis.View{}
	}
	if o := v.chosen(s); o != nil && v.span > 0 {
		return spans.LongestView([]*spans.One{o})
	} else if o != nil {
		return spans.LongestView(v.longest(s))
	}
	return s.ofEach(func(d *Data) analysis.View { return analysis.OperationsView(s.Sel.listed(d), nameOf) })
}

// sameOperation finds the same operation of another run; -1 when it has none.
func sameOperation(d *Data, o analysis.Operation) int {
	return slices.IndexFunc(d.operations, func(k analysis.Operation) bool { return k.Tag == o.Tag && nameOf(k) == nameOf(o) })
}
