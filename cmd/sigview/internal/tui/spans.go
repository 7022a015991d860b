package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/cell"
	"github.com/sigview/sigview/trace"
)

// operation is all spans of one kind of one program.
type operation struct {
	tag       trace.Tag
	name      string
	durations []int64 // sorted, ns
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

func drawSpans(c *cell.Canvas, s *State, d *Data) {
	if d.Packets == nil {
		untraced(c, d, "operations (page fetches, locks, barriers)")
		return
	}
	list := s.Sel.listed(d)
	c.Text(0, 0, fmt.Sprintf("  %-24s %9s %10s %9s %9s %9s %9s", "operation, µs", "count", "mean", "p50", "p99", "max", "packets"), cell.Faint, 0)
	at := min(s.Sel.Row, max(len(list)-1, 0))
	rows := min(len(list), max((c.H-3)/2, 3))
	top := scroll(at, len(list), rows)
	for i := top; i < len(list) && i-top < rows; i++ {
		o := list[i]
		attr, ink := cell.Attr(0), cell.Plain
		if i == at {
			attr, ink = cell.Bold, cell.Accent
			c.Set(0, 1+i-top, '▶', cell.Accent, cell.Bold)
		}
		n := len(o.durations)
		c.Text(2, 1+i-top, fmt.Sprintf("%-24s %9s %10s %9s %9s %9s %9s", o.name, analysis.Digits(int64(n)), analysis.Us(trace.Some(float64(o.totalNs)/float64(n))),
			analysis.Us(rank(o.durations, 0.5)), analysis.Us(rank(o.durations, 0.99)), analysis.Us(rank(o.durations, 1)), analysis.Digits(o.packets)), ink, attr)
		c.Zone(0, 1+i-top, c.W, 1, place{panel: "list", y0: i})
	}
	if len(list) == 0 {
		c.Text(2, 1, "No operations for this selection.", cell.Warn, 0)
		return
	}
	drawSteps(c.Sub(0, rows+2, c.W, c.H-rows-2), list[at])
}

// drawSteps shows where the time of an operation goes.
func drawSteps(c *cell.Canvas, o operation) {
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes; instants are right within %.2f µs", o.name, float64(o.boundNs)/1000), cell.Strong, 0)
	if len(o.steps) == 0 {
		c.Text(2, 1, "It has no stages of its own.", cell.Faint, 0)
		return
	}
	room := max(c.W-50, 10)
	for i, st := range o.steps {
		if 1+i >= c.H {
			c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more", len(o.steps)-i), cell.Faint, 0)
			return
		}
		part := 0.0
		if o.totalNs > 0 {
			part = float64(st.totalNs) / float64(o.totalNs)
		}
		c.Text(2, 1+i, fmt.Sprintf("%-12s %10s µs each %6.1f%%", st.name, analysis.Us(trace.Some(float64(st.totalNs)/float64(len(o.durations)))), 100*part), cell.Plain, 0)
		eighths := int(part * float64(room*8))
		for x := 0; eighths > 0; x++ {
			c.Set(46+x, 1+i, c.Glyphs.LeftBar(min(eighths, 8)), cell.Ink(int(cell.Source)+i%5), 0)
			eighths -= 8
		}
	}
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
	t := table{head: []string{"tag", "operation", "stage", "count", "total_ns", "p50_ns", "p99_ns", "max_ns", "packets"}}
	for _, o := range s.Sel.listed(d) {
		t.rows = append(t.rows, []string{strconv.Itoa(int(o.tag)), o.name, "", strconv.Itoa(len(o.durations)), strconv.FormatInt(o.totalNs, 10),
			cellOf(rank(o.durations, 0.5)), cellOf(rank(o.durations, 0.99)), cellOf(rank(o.durations, 1)), strconv.FormatInt(o.packets, 10)})
		for _, st := range o.steps {
			t.rows = append(t.rows, []string{strconv.Itoa(int(o.tag)), o.name, st.name, strconv.FormatInt(st.count, 10), strconv.FormatInt(st.totalNs, 10), "", "", "", ""})
		}
	}
	return t
}
