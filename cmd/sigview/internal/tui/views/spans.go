package views

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/spans"
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

// SpansView lists the operations of a traced run, and shows of the kind at the cursor how
// long they take and which take longest, or the steps of all; or where the time of all
// nodes goes, or who waited for whom.
type SpansView struct {
	ofRuns
	List   list
	Metric Choice
	one    int // of the longest operations, from 1, the one that is shown by itself; 0: none
	Span   int // the number of an operation that is shown by itself; 0: none
	Path   path
}

// What the view shows of operations.
const (
	spanDurations = iota
	spanSteps
	spanTime
	SpanBlocked
)

var SpanMetrics = []string{"how long operations take", "steps", "time by node, phase, operation and step", "who waited for whom"}

func (v *SpansView) Keys() []action.Action {
	switch metric := v.Metric.Of(SpanMetrics); {
	case metric == SpanBlocked:
		return []action.Action{action.NextMetric}
	case metric == spanTime || v.one > 0 || v.Span > 0:
		return []action.Action{action.NextMetric, action.Enter, action.ZoomIn, action.ZoomOut}
	}
	return []action.Action{action.NextMetric, action.Enter}
}

func (v *SpansView) Words() []scene.Word {
	return []scene.Word{
		v.List.word(),
		v.Metric.word(SpanMetrics),
		scene.NumberWord("longest", "a place among the longest, or none", &v.one, 1, data.KeptOperations).Called("none", &v.one, 0),
		scene.NumberWord("span", "the number of an operation, or none", &v.Span, 1, 1<<60).Called("none", &v.Span, 0),
		v.Path.word(),
	}
}

// Crumb names a single operation in a trail.
func (v *SpansView) Crumb() string {
	if v.one > 0 || v.Span > 0 {
		return "operation"
	}
	return ""
}

func (v *SpansView) Obeys(s *scene.Scene) scene.Settings {
	switch {
	case s.Data().Packets == nil || v.Metric.Of(SpanMetrics) == SpanBlocked:
		return 0
	case v.Metric.Of(SpanMetrics) == spanTime:
		return scene.OfTag
	case v.Span > 0:
		return scene.OfTag | scene.OfTime
	case v.chosen(s) != nil:
		return scene.OfTag | scene.OfFilter | scene.OfTime
	}
	return scene.OfTag | scene.OfFilter
}

func (v *SpansView) Act(s *scene.Scene, a action.Action) bool {
	metric := v.Metric.Of(SpanMetrics)
	switch {
	case a == action.ToggleBaseline:
		return withoutBaseline(s, "operations")
	case a == action.NextMetric:
		v.one, v.Span = 0, 0
		return v.Metric.next(s, SpanMetrics)
	case s.Data().Packets == nil:
		s.Note = "There is no trace to open operations of."
		return a == action.Enter
	case metric == spanTime:
		return v.Path.Act(s, a)
	case metric == SpanBlocked:
		dx, dy := a.Steps()
		return dx != 0 || dy != 0
	case a == action.Enter:
		v.open(s)
		return true
	case v.Span > 0:
		return updateTime(s, v.chosen(s), a)
	case v.one > 0:
		return v.updateOne(s, a)
	}
	return v.List.Act(a, len(Listed(&s.Sel, s.Data())))
}

// open leads from a kind to the longest of its operations, and from that to the timeline of
// its node at its time.
func (v *SpansView) open(s *scene.Scene) {
	p := v.Ahead(s)
	if p.View == "" {
		s.Note = "No operations for this selection."
		return
	}
	s.Lead(p)
}

func (v *SpansView) Ahead(s *scene.Scene) data.Place {
	metric := v.Metric.Of(SpanMetrics)
	if s.Data().Packets == nil || metric == spanTime || metric == SpanBlocked {
		return data.Place{}
	}
	if o := v.chosen(s); o != nil {
		return s.Narrowed("timeline", append(during(&o.SpanRow), fmt.Sprintf("row=%d", o.Node))...)
	}
	list := v.Longest(s)
	if v.Span > 0 || list == nil {
		return data.Place{}
	}
	at := v.List.At(len(Listed(&s.Sel, s.Data())))
	return s.Narrowed("spans", append([]string{fmt.Sprintf("row=%d", at), "longest=1"}, during(&list[0].SpanRow)...)...)
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
func selectTime(s *data.Selection, o *trace.SpanRow) {
	s.FromNs, s.ToNs = timeOf(o)
	s.AtNs = s.FromNs
}

// Longest returns the longest operations of a kind.
func Longest(d *data.Data, o analysis.Operation) []*spans.One {
	return d.Found.Longest[spans.Kind{Tag: o.Tag, Operation: o.Operation, Name: o.Name}]
}

// Longest returns the longest operations of the kind at the cursor, nil if none is listed.
func (v *SpansView) Longest(s *scene.Scene) []*spans.One {
	rows := Listed(&s.Sel, s.Data())
	if len(rows) == 0 {
		return nil
	}
	return Longest(s.Data(), rows[v.List.At(len(rows))])
}

// chosen returns the operation that is shown by itself, or nil.
func (v *SpansView) chosen(s *scene.Scene) *spans.One {
	if v.Span > 0 {
		o, _ := s.Data().Operation(spans.ID{Tag: s.Sel.Tag, Span: int64(v.Span)})
		return o
	}
	list := v.Longest(s)
	if v.one == 0 || list == nil || v.Metric.Of(SpanMetrics) != spanDurations {
		return nil
	}
	return list[min(v.one, len(list))-1]
}

// updateOne moves to another one of the longest operations, and changes the part of its time
// that is shown.
func (v *SpansView) updateOne(s *scene.Scene, a action.Action) bool {
	list := v.Longest(s)
	if list == nil {
		return false
	}
	if _, dy := a.Steps(); dy != 0 {
		v.one = min(max(v.one+dy, 1), len(list))
		selectTime(&s.Sel, &list[v.one-1].SpanRow)
		return true
	}
	return updateTime(s, v.chosen(s), a)
}

// updateTime changes which part of an operation's time is shown, and moves the cursor in it.
func updateTime(s *scene.Scene, o *spans.One, a action.Action) bool {
	p, sel := s.Data().Packets, &s.Sel
	if sel.ToNs <= sel.FromNs && o != nil {
		selectTime(sel, &o.SpanRow)
	}
	dx, dy := a.Steps()
	switch {
	case a == action.ZoomIn || a == action.ZoomOut:
		sel.ZoomTime(p, a == action.ZoomIn)
	case dx != 0:
		from, to := sel.TimeRange(p)
		sel.FromNs, sel.ToNs = from, to
		sel.AtNs = min(max(sel.TimeCursor(p)+int64(dx)*max((to-from)/60, 1), from), to)
	default:
		return dy != 0
	}
	return true
}

// Listed returns the selected operations.
func Listed(s *data.Selection, d *data.Data) []analysis.Operation {
	return lists.Filter(d.Operations, func(o analysis.Operation) bool { return o.Tag == s.Tag && s.Lists(data.NameOf(o)) })
}

func (v *SpansView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	if d.Packets == nil {
		untraced(d, c, "operations (page fetches, locks, barriers)")
		return
	}
	metric := v.Metric.Of(SpanMetrics)
	switch metric {
	case spanTime:
		v.Path.Draw(c, s)
		return
	case SpanBlocked:
		drawBlocked(c, d)
		return
	}
	if v.Span > 0 {
		v.drawSought(c, s)
		return
	}
	rows := Listed(&s.Sel, d)
	if len(rows) == 0 {
		c.Text(2, 1, "No operations for this selection.", cell.Warn, 0)
		return
	}
	if v.chosen(s) != nil {
		list := v.Longest(s)
		drawOne(c, s, list, min(v.one, len(list)))
		return
	}
	room := min(len(rows), max((c.H-3)/2, 3))
	if metric == spanDurations {
		room = min(room, max(c.H-15, 3))
	}
	g := scene.NewGrid(operations(s, rows, c.W), 3, c.W)
	c.Text(0, 0, "µs", cell.Faint, 0)
	g.Head(c, 0)
	v.List.Draw(c, 1, room, len(rows), s.Sel.Filter, func(i, y int, at bool) {
		ink, attr := here(c, y, at)
		g.Row(c, y, i, ink, attr)
	})
	at, under := rows[v.List.At(len(rows))], c.Sub(0, room+2, c.W, c.H-room-2)
	if metric == spanSteps {
		drawSteps(under, s, at)
		return
	}
	v.drawDurations(under, s, at)
}

// drawSought draws an operation that was looked for.
func (v *SpansView) drawSought(c *cell.Canvas, s *scene.Scene) {
	switch o, known := s.Data().Operation(spans.ID{Tag: s.Sel.Tag, Span: int64(v.Span)}); {
	case o != nil:
		drawOne(c, s, []*spans.One{o}, 1)
	case known:
		c.Para(1, 1, fmt.Sprintf("The trace has no record of operation %d.", v.Span), cell.Warn)
	default:
		c.Para(1, 1, fmt.Sprintf("Operation %d is being looked for.", v.Span), cell.Accent)
	}
}

// drawDurations draws how long the operations of a kind take, and the longest of them.
func (v *SpansView) drawDurations(c *cell.Canvas, s *scene.Scene, o analysis.Operation) {
	if there := s.Second(); there != nil {
		c.Text(2, 0, operationAgainst(o, there, sameOperation(there, o)), cell.Second, 0)
		c = c.Sub(0, 1, c.W, c.H-1)
	}
	list := Longest(s.Data(), o)
	g := scene.NewGrid(spans.LongestView(list).Pick("time", "node", "begin", "mostly", "packets", "span"), 0, max(c.W*3/5, 36))
	left := c.W - g.End() - 3
	left = max(left, 24)
	k := chart.Chart{Title: data.NameOf(o), X: report.TimeAxis("µs", chart.Log10), Y: chart.Axis{FromZero: true}}
	k.X = durations(o.Duration, k.X)
	shown := []analysis.Operation{o}
	if there := s.Second(); there != nil {
		if at := sameOperation(there, o); at >= 0 {
			shown = append(shown, there.Operations[at])
			k.X = durations(there.Operations[at].Duration, k.X)
		}
	}
	for _, o := range shown {
		k.Series = append(k.Series, histogramOf(o, k.X, left-chart.AxisWidth))
	}
	if len(shown) > 1 {
		k.Series[1].Draw, k.Series[1].Look = chart.Marks, chart.Look{Rune: scene.SecondMark, Ink: cell.Second}
	}
	k.Draw(c.Sub(0, 0, left, c.H), chart.Style{})
	right := c.Sub(left+1, 0, c.W-left-1, c.H)
	right.Text(0, 0, "The longest, µs"+c.Keys("; enter opens them"), cell.Strong, 0)
	g.Head(right, 1)
	for i := range list {
		if 2+i == right.H-1 && i+1 < len(list) {
			right.Text(0, 2+i, fmt.Sprintf("… %d more", len(list)-i), cell.Faint, 0)
			return
		}
		g.Row(right, 2+i, i, cell.Plain, 0)
		right.Zone(0, 2+i, right.W, 1, action.Pointed(func(_, _ int) {
			v.one = i + 1
			selectTime(&s.Sel, &list[i].SpanRow)
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

// wideTable is the width from which the table of operations has all columns.
const wideTable = 115

// operations shows operations without their steps, beside those of the other run.
func operations(s *scene.Scene, rows []analysis.Operation, room int) analysis.View {
	whole := func(o analysis.Operation) analysis.Operation {
		o.Stages = nil
		return o
	}
	v := analysis.OperationsView(lists.Map(rows, whole), data.NameOf)
	if s.Second() == nil {
		return v.Pick("operation", "count", "mean", "p50", "p99", "max", "packets")
	}
	there := s.Second().Operations
	v = v.Beside(analysis.OperationsView(lists.Map(there, whole), data.NameOf), func(row int) int { return sameOperation(s.Second(), rows[row]) }, "mean_us", "count", "p99_us")
	columns := []string{"operation", "count", "mean", "p50", "p99", "packets", "+count", "+mean", "+p99", "+diff"}
	if room < wideTable {
		columns = []string{"operation", "count", "mean", "p99", "+count", "+mean", "+p99", "+diff"}
	}
	return v.Pick(columns...)
}

// drawSteps shows where the time of an operation goes.
func drawSteps(c *cell.Canvas, s *scene.Scene, o analysis.Operation) {
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes, µs; times are accurate to %s", data.NameOf(o), analysis.Time(float64(o.BoundNs))), cell.Strong, 0)
	v, y := analysis.OperationsView([]analysis.Operation{o}, data.NameOf), 1
	columns := []string{"step", "in", "mean", "p99", "share"}
	var steps []analysis.StageTimes // of the other run
	if there := s.Second(); there != nil {
		at := sameOperation(there, o)
		if at >= 0 {
			steps = there.Operations[at].Stages
			v = v.Beside(analysis.OperationsView(there.Operations[at:at+1], data.NameOf), func(row int) int { return 1 + sameStep(steps, o, row-1) }, "mean_us", "share")
			columns = append(columns, "+mean", "+share", "+diff")
		}
		c.Text(2, y, operationAgainst(o, there, at), cell.Second, 0)
		y++
	}
	if len(o.Stages) == 0 {
		c.Text(2, y, "It has no steps of its own.", cell.Faint, 0)
		return
	}
	g := scene.NewGrid(v.Pick(columns...), 2, c.W)
	g.Head(c, y)
	begin := g.End() + 2
	room := max(c.W-begin-2, 4)
	for i, st := range o.Stages {
		if y++; y >= c.H {
			c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more", len(o.Stages)-i), cell.Faint, 0)
			return
		}
		g.Row(c, y, 1+i, cell.Plain, 0)
		scene.Bar(c, begin, y, int(st.Share*float64(room*8)), cell.Ink(int(cell.Source)+i%5))
	}
}

// sameStep finds a step of an operation among steps of another run.
func sameStep(steps []analysis.StageTimes, o analysis.Operation, i int) int {
	return slices.IndexFunc(steps, func(s analysis.StageTimes) bool { return i >= 0 && s.Stage == o.Stages[i].Stage })
}

// operationAgainst describes the difference from the other run's mean.
func operationAgainst(o analysis.Operation, run *data.Data, at int) string {
	switch {
	case run.Packets == nil:
		return "The other run was not traced: it holds no operations."
	case at < 0:
		return "The other run has no such operation."
	}
	other := run.Operations[at]
	mean, otherMean := trace.Some(o.Duration.MeanNs()), trace.Some(other.Duration.MeanNs())
	_, half := data.MeanTime(o.Duration)
	_, otherHalf := data.MeanTime(other.Duration)
	text := fmt.Sprintf("%c other run: mean %s, differs by %s", scene.SecondMark, analysis.Time(otherMean.Value), analysis.SignedTime(data.Minus(mean, otherMean).Value))
	if half.OK && otherHalf.OK {
		text += fmt.Sprintf(" ± %s, if independent", analysis.Time(portable.Hypot(half.Value, otherHalf.Value)))
	}
	return text
}

// Row is the operation at the cursor.
func (v *SpansView) Row(s *scene.Scene) string {
	rows := Listed(&s.Sel, s.Data())
	if metric := v.Metric.Of(SpanMetrics); metric == spanTime || metric == SpanBlocked || v.chosen(s) != nil || len(rows) == 0 {
		return ""
	}
	return scene.RowText(operations(s, rows, wideTable), v.List.At(len(rows)))
}

func (v *SpansView) Table(s *scene.Scene) analysis.View {
	if s.Data().Packets == nil {
		return analysis.View{}
	}
	switch v.Metric.Of(SpanMetrics) {
	case spanTime:
		return s.OfEach(func(d *data.Data) analysis.View { return d.Found.Time[s.Sel.Tag].View() })
	case SpanBlocked:
		if e := s.Data().Explained; e != nil {
			return e.Graph.View()
		}
		return analysis.View{}
	}
	if o := v.chosen(s); o != nil && v.Span > 0 {
		return spans.LongestView([]*spans.One{o})
	} else if o != nil {
		return spans.LongestView(v.Longest(s))
	}
	return s.OfEach(func(d *data.Data) analysis.View { return analysis.OperationsView(Listed(&s.Sel, d), data.NameOf) })
}

// sameOperation finds the same operation of another run; -1 when it has none.
func sameOperation(d *data.Data, o analysis.Operation) int {
	return slices.IndexFunc(d.Operations, func(k analysis.Operation) bool { return k.Tag == o.Tag && data.NameOf(k) == data.NameOf(o) })
}
