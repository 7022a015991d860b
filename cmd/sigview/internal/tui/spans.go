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
func (s *Selection) listed(d *Data) []analysis.Operation {
	return filter(d.operations, func(o analysis.Operation) bool { return o.Tag == s.Tag && s.lists(nameOf(o)) })
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
		c.Sub(0, 0, 2+name, c.H).Text(2, y, nameOf(o), ink, attr)
		other, _ := sameOperation(s.over(), o)
		drawFigures(c, 2+name, y, columns, o, other, ink, attr)
	})
	drawSteps(c.Sub(0, room+2, c.W, c.H-room-2), s, rows[v.list.at(len(rows))])
}

// spanFigures returns the columns that fit, and the width of the name.
func spanFigures(over bool, room int) (columns []figure[analysis.Operation], name int) {
	get := func(head string, width int, get func(analysis.Operation) string) figure[analysis.Operation] {
		return figure[analysis.Operation]{head, width, false, func(o, _ analysis.Operation) string { return get(o) }}
	}
	at := func(name string, percent int) figure[analysis.Operation] {
		return get(name, 10, func(o analysis.Operation) string { return analysis.Us(percentile(o, percent)) })
	}
	count := get("count", 9, func(o analysis.Operation) string { return analysis.Digits(o.Duration.Count()) })
	mean := get("mean", 10, func(o analysis.Operation) string { return analysis.Us(opMean(o)) })
	packets := get("packets", 10, func(o analysis.Operation) string { return analysis.Digits(o.Packets) })
	p50, p99, longest := at("p50", 50), at("p99", 99), at("max", 100)
	diff := figure[analysis.Operation]{"differ", 10, true, func(o, own analysis.Operation) string { return analysis.SignedUs(less(opMean(own), opMean(o))) }}
	switch {
	case !over:
		return []figure[analysis.Operation]{count, mean, p50, p99, longest, packets}, 24
	case room < 115:
		list := []figure[analysis.Operation]{count.wide(7), mean, p99, count.other().wide(7), mean.other(), p99.other(), diff}
		for i := range list {
			list[i].width = min(list[i].width, 9)
		}
		return list, 19
	}
	return []figure[analysis.Operation]{count, mean, p50, p99, packets, count.other(), mean.other(), p99.other(), diff}, 24
}

// drawSteps shows where the time of an operation goes.
func drawSteps(c *cell.Canvas, s *Scene, o analysis.Operation) {
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes; times are accurate to %.2f µs", nameOf(o), float64(o.BoundNs)/1000), cell.Strong, 0)
	other, both := sameOperation(s.over(), o)
	y := 1
	if s.over() != nil {
		c.Text(2, y, operationAgainst(o, s.over(), other, both), cell.Second, 0)
		y++
	}
	if len(o.Stages) == 0 {
		c.Text(2, y, "It has no steps of its own.", cell.Faint, 0)
		return
	}
	begin := 44
	if both {
		begin = 64
	}
	for i, st := range o.Stages {
		if y >= c.H {
			c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more", len(o.Stages)-i), cell.Faint, 0)
			return
		}
		part := st.Share
		c.Text(2, y, fmt.Sprintf("%-12s %10s µs each %6.1f%%", st.Stage, analysis.Us(each(o, st)), 100*part), cell.Plain, 0)
		room := max(c.W-begin-2, 4)
		bar(c, begin, y, int(part*float64(room*8)), cell.Ink(int(cell.Source)+i%5))
		for _, there := range other.Stages {
			if there.Stage != st.Stage {
				continue
			}
			c.Text(38, y, fmt.Sprintf("%c%9s %10s", secondMark, analysis.Us(each(other, there)), analysis.SignedUs(less(each(o, st), each(other, there)))), cell.Second, 0)
			c.Set(begin+min(int(there.Share*float64(room)), room-1), y, secondMark, cell.Second, cell.Bold)
		}
		y++
	}
}

// operationAgainst describes the difference from the other run's mean.
func operationAgainst(o analysis.Operation, run *Data, other analysis.Operation, both bool) string {
	switch {
	case run.Packets == nil:
		return "The other run was not traced: it holds no operations."
	case !both:
		return "The other run has no such operation."
	}
	mean, half := meanOf(o.Duration.Ns)
	otherMean, otherHalf := meanOf(other.Duration.Ns)
	text := fmt.Sprintf("%c other run: mean %s, differs by %s µs", secondMark, analysis.Us(otherMean), analysis.SignedUs(less(mean, otherMean)))
	if half.OK && otherHalf.OK {
		text += fmt.Sprintf(" ± %s, if independent", analysis.Us(trace.Some(math.Hypot(half.Value, otherHalf.Value))))
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
			t.add(run.Dir, o.Tag, nameOf(o), "", o.Duration.Count(), o.Duration.SumNs, opMean(o), percentile(o, 50), percentile(o, 99), percentile(o, 100), o.Packets)
			for _, st := range o.Stages {
				t.add(run.Dir, o.Tag, nameOf(o), st.Stage, st.Count(), st.SumNs, each(o, st), "", "", "", "")
			}
		}
	}
	return t
}

// sameOperation finds the same operation of another run.
func sameOperation(d *Data, o analysis.Operation) (analysis.Operation, bool) {
	if d != nil {
		for _, k := range d.operations {
			if k.Tag == o.Tag && nameOf(k) == nameOf(o) {
				return k, true
			}
		}
	}
	return analysis.Operation{}, false
}
