package tui

import (
	"fmt"
	"math"
	"slices"

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

func (*spansView) obeys(s *Scene) settings {
	if s.data().Packets == nil {
		return 0
	}
	return ofTag | ofFilter
}

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
	if len(rows) == 0 {
		c.Text(2, 1, "No operations for this selection.", cell.Warn, 0)
		return
	}
	room := min(len(rows), max((c.H-3)/2, 3))
	g := newGrid(s.operations(rows, c.W), 3, c.W)
	c.Text(0, 0, "µs", cell.Faint, 0)
	g.head(c, 0)
	v.list.draw(c, 1, room, len(rows), func(i, y int, at bool) {
		ink, attr := here(c, y, at)
		g.row(c, y, i, ink, attr)
	})
	drawSteps(c.Sub(0, room+2, c.W, c.H-room-2), s, rows[v.list.at(len(rows))])
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
	c.Text(0, 0, fmt.Sprintf("Where the time of %s goes, µs; times are accurate to %.2f µs", nameOf(o), float64(o.BoundNs)/1000), cell.Strong, 0)
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
	text := fmt.Sprintf("%c other run: mean %s, differs by %s µs", secondMark, analysis.Us(otherMean), analysis.SignedUs(less(mean, otherMean)))
	if half.OK && otherHalf.OK {
		text += fmt.Sprintf(" ± %s, if independent", analysis.Us(trace.Some(math.Hypot(half.Value, otherHalf.Value))))
	}
	return text
}

func (*spansView) table(s *Scene) analysis.View {
	if s.data().Packets == nil {
		return analysis.View{}
	}
	return s.ofEach(func(d *Data) analysis.View { return analysis.OperationsView(s.Sel.listed(d), nameOf) })
}

// sameOperation finds the same operation of another run; -1 when it has none.
func sameOperation(d *Data, o analysis.Operation) int {
	return slices.IndexFunc(d.operations, func(k analysis.Operation) bool { return k.Tag == o.Tag && nameOf(k) == nameOf(o) })
}
