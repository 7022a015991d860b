package chart

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report/chart/cell"
)

// surface is on what a chart is drawn: characters or a picture. Spots are positions in the chart's field, from
// 0 to 1 along each axis.
type surface interface {
	cells(list []Cell)
	box(b Box, from, to spot)
	line(s *Series, through []spot)
	interval(s *Series, from, to spot)
	bar(s *Series, at spot, hint string)
	mark(i int, s *Series, at spot, weak bool, hint string)
}

// draw draws the parts of a chart inside the axes, the lowest layer first: cells, boxes, lines, then the bars,
// intervals and marks of each point.
func (c *Chart) draw(on surface, x, y Axis) {
	at := func(vx, vy float64) spot { return spot{x.Near(vx), y.Near(vy)} }
	on.cells(c.Cells)
	for _, b := range c.Boxes {
		on.box(b, at(b.X0, b.Y0), at(b.X1, b.Y1))
	}
	for i := range c.Series {
		if s := &c.Series[i]; s.Draw&Line != 0 {
			for _, run := range c.runs(s.Points) {
				on.line(s, spots(run, func(p Point) spot { return at(p.X, p.Y) }))
			}
		}
	}
	for i := range c.Series {
		s := &c.Series[i]
		for _, p := range s.Points {
			if !c.drawable(p) {
				continue
			}
			if s.Draw&Bars != 0 {
				on.bar(s, at(p.X, p.Y), p.hint(s.Name))
			}
			if s.Draw&Intervals != 0 && p.Hi > p.Lo && y.Shows(p.Hi) {
				on.interval(s, at(p.X, p.Lo), at(p.X, p.Hi))
			}
			if s.Draw&Marks != 0 {
				on.mark(i, s, at(p.X, p.Y), p.Weak, p.hint(s.Name))
			}
		}
	}
}

// runs returns the points in stretches of drawable ones, so that lines are broken where a point is not
// drawable.
func (c *Chart) runs(points []Point) [][]Point {
	var out [][]Point
	from := 0
	for i := 0; i <= len(points); i++ {
		if i < len(points) && c.drawable(points[i]) {
			continue
		}
		if i > from {
			out = append(out, points[from:i])
		}
		from = i + 1
	}
	return out
}

// hint returns the text that pictures show for a point: its own, or one made of the series' name and the
// values.
func (p Point) hint(name string) string {
	switch {
	case p.Hint != "":
		return p.Hint
	case p.Hi > p.Lo:
		return fmt.Sprintf("%s: %.6g at %.6g, %.6g to %.6g", name, p.Y, p.X, p.Lo, p.Hi)
	}
	return fmt.Sprintf("%s: %.6g at %.6g", name, p.Y, p.X)
}

// heatStep returns the step of shade for a count n, 0 to HeatSteps-1, on a logarithmic scale from 1 to most.
func heatStep(n, most float64) int {
	if most <= 1 {
		return cell.HeatSteps - 1
	}
	return min(int(float64(portable.Log(math.Max(n, 1))/portable.Log(most)*(cell.HeatSteps-1))+0.5), cell.HeatSteps-1)
}
