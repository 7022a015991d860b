package tui

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// spansView lists the operations of a traced run, and shows where the time of
// the one at the cursor goes.
type spansView struct {
	ofRuns
	list list
}

func (v *spansView) words() []word { return []word{v.list.word()} }

func (v *spansView) update(s *Scene, a action) bool {
	if a == toggleBaseline {
		return s.withoutBaseline("operations")
	}
	return v.list.update(a, len(s.Sel.listed(s.data())))
}

// listed returns the selected operations.
func (s *Selection) listed(d *Data) []operation {
	var out []operation
	for _, o := range d.operations {
		if o.tag == s.Tag && s.lists(o.name) {
			out = append(out, o)
		}
	}
	return out
}

func (v *spansView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	if d.Packets == nil {
		d.untraced(c, "operations (page fetches, locks, barriers)")
		return
	}
	rows := s.Sel.listed(d)
	columns, name := spanFigures(s.over() != nil, c.W)
	c.Text(2, 0, "operation, µs", cell.Faint, 0)
	if len(rows) == 0 {
		c.Text(2, 1, "No operations for this selection.", cell.Warn, 0)
		return
	}
	room := min(len(rows), max((c.H-3)/2, 3))
	v.list.draw(c, 1, room, len(rows), func(i, y int, at bool) {
		o := rows[i]
		ink, attr := here(c, y, at)
		c.Sub(0, 0, 2+name, c.H).Text(2, y, o.name, ink, attr)
		other, _ := o.named(s.over())
		drawFigures(c, 2+name, y, columns, o, other, ink, attr)
	})
	drawSteps(c.Sub(0, room+2, c.W, c.H-room-2), s, rows[v.list.at(len(rows))])
}

// spanFigures returns the columns that fit, and the width of the name.
func spanFigures(over bool, room int) (columns []figure[operation], name int) {
	get := func(head string, width int, get func(operation) string) figure[operation] {
		return figure[operation]{head, width, false, func(o, _ operation) string { return get(o) }}
	}
	at := func(name string, share float64) figure[operation] {
		return get(name, 10, func(o operation) string { return analysis.Us(rank(o.durations, share)) })
	}
	count := get("count", 9, func(o operation) string { return analysis.Digits(int64(len(o.durations))) })
	mean := get("mean", 10, func(o operation) string { return analysis.Us(o.meanNs) })
	packets := get("packets", 10, func(o operation) string { return analysis.Digits(o.packets) })
	p50, p99, longest := at("p50", 0.5), at("p99", 0.99), at("max", 1)
	diff := figure[operation]{"differ", 10, true, func(o, own operation) string { return analysis.SignedUs(less(own.meanNs, o.meanNs)) }}
	switch {
	case !over:
		return []figure[operation]{count, mean, p50, p99, longest, packets}, 24
	case room < 115:
		list := []figure[operation]{count.wide(7), mean, p99, count.other().wide(7), mean.other(), p99.other(), diff}
		for i := range list {
			list[i].width = min(list[i].width, 9)
		}
		return list, 19
	}
	return []figure[operation]{count, mean, p50, p99, packets, count.other(), mean.other(), p99.other(), diff}, 24
}

// drawSteps shows where the time of an operation goes.
func drawSteps(c *cell.Canvas, s *Scene, o operation) {
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes; times are accurate to %.2f µs", o.name, float64(o.boundNs)/1000), cell.Strong, 0)
	other, both := o.named(s.over())
	y := 1
	if s.over() != nil {
		c.Text(2, y, o.against(s.over(), other, both), cell.Second, 0)
		y++
	}
	if len(o.steps) == 0 {
		c.Text(2, y, "It has no steps of its own.", cell.Faint, 0)
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
		bar(c, begin, y, int(part*float64(room*8)), cell.Ink(int(cell.Source)+i%5))
		if there, ok := other.step(st.name); ok {
			c.Text(38, y, fmt.Sprintf("%c%9s %10s", secondMark, analysis.Us(other.each(there)), analysis.SignedUs(less(o.each(st), other.each(there)))), cell.Second, 0)
			c.Set(begin+min(int(other.share(there)*float64(room)), room-1), y, secondMark, cell.Second, cell.Bold)
		}
		y++
	}
}

// against describes the difference from the other run's mean.
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

func (*spansView) table(s *Scene) table {
	if s.data().Packets == nil {
		return table{}
	}
	t := newTable("run tag operation stage count total_ns mean_ns p50_ns p99_ns max_ns packets")
	for _, run := range s.shown() {
		for _, o := range s.Sel.listed(run) {
			t.add(run.Dir, o.tag, o.name, "", len(o.durations), o.totalNs, o.meanNs, rank(o.durations, 0.5), rank(o.durations, 0.99), rank(o.durations, 1), o.packets)
			for _, st := range o.steps {
				t.add(run.Dir, o.tag, o.name, st.name, st.count, st.totalNs, o.each(st), "", "", "", "")
			}
		}
	}
	return t
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
