package tui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// operation is all spans of one kind of one program.
type operation struct {
	tag       trace.Tag
	name      string
	durations []int64 // sorted, ns
	meanNs    trace.Opt[float64]
	halfNs    trace.Opt[float64] // half width of the mean's interval
	totalNs   int64
	packets   int64
	boundNs   int64
	steps     []opStep
}

// opStep is a stage of an operation over all spans.
type opStep struct {
	name    string
	totalNs int64
	count   int64
}

// operations puts the spans of a run together.
type operations struct {
	at   map[opKey]int
	list []operation
}

type opKey struct {
	tag  trace.Tag
	name string
}

func newOperations() *operations { return &operations{at: map[opKey]int{}} }

func (o *operations) addSpans(rows []trace.SpanRow) {
	for _, r := range rows {
		name := r.Operation
		if r.Name != "" {
			name += " " + r.Name
		}
		k := opKey{r.Tag, name}
		i, ok := o.at[k]
		if !ok {
			i = len(o.list)
			o.at[k] = i
			o.list = append(o.list, operation{tag: r.Tag, name: name})
		}
		x := &o.list[i]
		x.durations = append(x.durations, r.DurationNs)
		x.totalNs += r.DurationNs
		x.packets += r.Packets
		x.boundNs = max(x.boundNs, r.BoundNs)
	}
}

func (o *operations) addStages(rows []trace.StepRow) {
	for _, r := range rows {
		i, ok := o.at[opKey{r.Tag, r.Operation}]
		if !ok {
			continue
		}
		x := &o.list[i]
		k := slices.IndexFunc(x.steps, func(s opStep) bool { return s.name == r.Stage })
		if k < 0 {
			k = len(x.steps)
			x.steps = append(x.steps, opStep{name: r.Stage})
		}
		x.steps[k].totalNs += r.DurationNs
		x.steps[k].count++
	}
}

// done is the list, the costliest first.
func (o *operations) done() []operation {
	for i := range o.list {
		slices.Sort(o.list[i].durations)
		o.list[i].meanNs, o.list[i].halfNs = meanOf(o.list[i].durations)
	}
	slices.SortStableFunc(o.list, func(a, b operation) int {
		switch {
		case a.totalNs > b.totalNs:
			return -1
		case a.totalNs < b.totalNs:
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	return o.list
}

// rank is the value at a share of a sorted list.
func rank(sorted []int64, share float64) trace.Opt[float64] {
	if len(sorted) == 0 {
		return trace.Opt[float64]{}
	}
	return trace.Some(float64(sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]))
}

// listed are the operations that the selection lists.
func (s *Selection) listed(d *Data) []operation {
	var out []operation
	for _, o := range d.operations {
		if o.tag == s.Tag && (s.Words == "" || strings.Contains(strings.ToLower(o.name), strings.ToLower(s.Words))) {
			out = append(out, o)
		}
	}
	return out
}

// named finds the same operation of another run.
func (o operation) named(d *Data) (operation, bool) {
	if d == nil {
		return operation{}, false
	}
	for _, k := range d.operations {
		if k.tag == o.tag && k.name == o.name {
			return k, true
		}
	}
	return operation{}, false
}

func drawSpans(c *cell.Canvas, s *State, d *Data) {
	if d.Packets == nil {
		untraced(c, d, "operations (page fetches, locks, barriers)")
		return
	}
	list := s.Sel.listed(d)
	columns, name := spanColumns(s.over() != nil, c.W)
	c.Text(2, 0, "operation, µs", cell.Faint, 0)
	at := min(s.Sel.Row, max(len(list)-1, 0))
	rows := min(len(list), max((c.H-3)/2, 3))
	top := scroll(at, len(list), rows)
	for i := top; i < len(list) && i-top < rows; i++ {
		o, y := list[i], 1+i-top
		attr, ink := cell.Attr(0), cell.Plain
		if i == at {
			attr, ink = cell.Bold, cell.Accent
			c.Set(0, y, '▶', cell.Accent, cell.Bold)
		}
		c.Sub(0, 0, 2+name, c.H).Text(2, y, o.name, ink, attr)
		other, _ := o.named(s.over())
		x := 2 + name
		for _, k := range columns {
			x += k.width
			of, head, ink := o, cell.Faint, ink
			if k.second {
				of, head, ink = other, cell.Second, cell.Second
			}
			c.Right(x, 0, k.head, head, 0)
			c.Right(x, y, k.get(of, o), ink, attr)
		}
		c.Zone(0, y, c.W, 1, place{panel: "list", y0: i})
	}
	if len(list) == 0 {
		c.Text(2, 1, "No operations for this selection.", cell.Warn, 0)
		return
	}
	drawSteps(c.Sub(0, rows+2, c.W, c.H-rows-2), s, list[at])
}

// spanColumn is a column of the list. It gets the operation of its own run
// and that of the run that is looked at.
type spanColumn struct {
	head   string
	width  int
	second bool
	get    func(o, first operation) string
}

// spanColumns are those that there is room for, and the room for the name.
func spanColumns(over bool, room int) ([]spanColumn, int) {
	count := spanColumn{"count", 9, false, func(o, _ operation) string { return analysis.Digits(int64(len(o.durations))) }}
	mean := spanColumn{"mean", 10, false, func(o, _ operation) string { return analysis.Us(o.meanNs) }}
	at := func(name string, share float64) spanColumn {
		return spanColumn{name, 10, false, func(o, _ operation) string { return analysis.Us(rank(o.durations, share)) }}
	}
	packets := spanColumn{"packets", 10, false, func(o, _ operation) string { return analysis.Digits(o.packets) }}
	of := func(c spanColumn) spanColumn {
		return spanColumn{string(secondMark) + c.head, c.width, true, c.get}
	}
	diff := spanColumn{"differ", 10, true, func(o, first operation) string { return analysis.SignedUs(less(first.meanNs, o.meanNs)) }}
	p99 := at("p99", 0.99)
	switch {
	case !over:
		return []spanColumn{count, mean, at("p50", 0.5), p99, at("max", 1), packets}, 24
	case room < 115:
		list := []spanColumn{count, mean, p99, of(count), of(mean), of(p99), diff}
		for i := range list {
			list[i].width = 9
		}
		list[0].width, list[3].width = 7, 7
		return list, 19
	}
	return []spanColumn{count, mean, at("p50", 0.5), p99, packets, of(count), of(mean), of(p99), diff}, 24
}

// drawSteps shows where the time of an operation goes.
func drawSteps(c *cell.Canvas, s *State, o operation) {
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes; instants are right within %.2f µs", o.name, float64(o.boundNs)/1000), cell.Strong, 0)
	other, both := o.named(s.over())
	y := 1
	if s.over() != nil {
		c.Text(2, y, o.against(s.over(), other, both), cell.Second, 0)
		y++
	}
	if len(o.steps) == 0 {
		c.Text(2, y, "It has no stages of its own.", cell.Faint, 0)
		return
	}
	begin := 44
	if both {
		begin = 64
	}
	for i, st := range o.steps {
		if y >= c.H {
			c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more", len(o.steps)-i), cell.Faint, 0)
			return
		}
		part := o.share(st)
		c.Text(2, y, fmt.Sprintf("%-12s %10s µs each %6.1f%%", st.name, analysis.Us(o.each(st)), 100*part), cell.Plain, 0)
		room := max(c.W-begin-2, 4)
		eighths := int(part * float64(room*8))
		for x := 0; eighths > 0; x++ {
			c.Set(begin+x, y, c.Glyphs.LeftBar(min(eighths, 8)), cell.Ink(int(cell.Source)+i%5), 0)
			eighths -= 8
		}
		if there, ok := other.step(st.name); ok {
			c.Text(38, y, fmt.Sprintf("%c%9s %10s", secondMark, analysis.Us(other.each(there)), analysis.SignedUs(less(o.each(st), other.each(there)))), cell.Second, 0)
			c.Set(begin+min(int(other.share(there)*float64(room)), room-1), y, secondMark, cell.Second, cell.Bold)
		}
		y++
	}
}

// against is the difference of an operation's mean in words.
func (o operation) against(run *Data, other operation, both bool) string {
	switch {
	case run.Packets == nil:
		return "The other run was not traced: it holds no operations."
	case !both:
		return "The other run has no such operation."
	}
	text := fmt.Sprintf("%c other run: mean %s, differs by %s µs", secondMark, analysis.Us(other.meanNs), analysis.SignedUs(less(o.meanNs, other.meanNs)))
	if o.halfNs.OK && other.halfNs.OK {
		text += fmt.Sprintf(" ± %s, if independent", analysis.Us(trace.Some(math.Hypot(o.halfNs.Value, other.halfNs.Value))))
	}
	return text
}

// each is the time of a stage for one operation, ns.
func (o operation) each(st opStep) trace.Opt[float64] {
	return trace.Opt[float64]{Value: float64(st.totalNs) / float64(max(len(o.durations), 1)), OK: len(o.durations) > 0}
}

// share is a stage's part of the time of all such operations.
func (o operation) share(st opStep) float64 {
	if o.totalNs <= 0 {
		return 0
	}
	return min(max(float64(st.totalNs)/float64(o.totalNs), 0), 1)
}

func (o operation) step(name string) (opStep, bool) {
	for _, st := range o.steps {
		if st.name == name {
			return st, true
		}
	}
	return opStep{}, false
}

// untraced says how to get what a run does not hold.
func untraced(c *cell.Canvas, d *Data, what string) {
	if d.hasTrace() {
		c.Para(1, 1, "The trace of this run is still being read, or cannot be read.", cell.Accent)
		return
	}
	w := d.Run.Manifest.Workload
	y := c.Para(1, 1, "This run was not traced, so it holds no "+what+".", cell.Strong)
	y = c.Para(1, y+1, "A run with the trace switched on has them:", cell.Plain)
	c.Para(4, y+1, "sigview run "+w+" --trace", cell.Accent)
}

func moveSpans(s *State, d *Data, _, dy int) {
	s.Sel.Row = min(max(s.Sel.Row+dy, 0), max(len(s.Sel.listed(d))-1, 0))
}

func spansTable(s *State, d *Data) table {
	if d.Packets == nil {
		return table{}
	}
	t := table{head: []string{"run", "tag", "operation", "stage", "count", "total_ns", "mean_ns", "p50_ns", "p99_ns", "max_ns", "packets"}}
	for _, run := range s.shown(d) {
		for _, o := range s.Sel.listed(run) {
			tag := strconv.Itoa(int(o.tag))
			t.rows = append(t.rows, []string{run.Dir, tag, o.name, "", strconv.Itoa(len(o.durations)), strconv.FormatInt(o.totalNs, 10), cellOf(o.meanNs),
				cellOf(rank(o.durations, 0.5)), cellOf(rank(o.durations, 0.99)), cellOf(rank(o.durations, 1)), strconv.FormatInt(o.packets, 10)})
			for _, st := range o.steps {
				t.rows = append(t.rows, []string{run.Dir, tag, o.name, st.name, strconv.FormatInt(st.count, 10), strconv.FormatInt(st.totalNs, 10), cellOf(o.each(st)), "", "", "", ""})
			}
		}
	}
	return t
}
