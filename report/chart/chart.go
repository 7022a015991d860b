package chart

import (
	"iter"

	"github.com/sigview/sigview/report/chart/cell"
)

// Chart is series of points, or a heat map, over two axes.
type Chart struct {
	Name   string // plain, for a file
	Title  string
	X, Y   Axis
	Cells  []Cell // of a heat map, under the series
	Boxes  []Box  // over the cells
	Series []Series
	Bands  []Band
	Notes  []string // further lines of the key
	// Keyless charts have a key only in a figure: beside others that of the first counts.
	Keyless bool
	// Weight is the share of the width that the chart takes beside others; 0 counts as 1.
	Weight int
	// Tall and Wide are the height and the width of the field in pictures, in pixels, and Room the width for the
	// labels of the Y axis. 0: the usual.
	Tall, Wide, Room float64
	// Lanes is the height of the field on characters, in lines. 0: as much as there is.
	Lanes int
}

// Cell is a rectangle of a heat map between values of both axes. Its shade follows the
// logarithm of N.
type Cell struct {
	X0, X1, Y0, Y1, N float64
	Hint              string // shown in pictures that can; "": made from the values
}

// Box is a rectangle between values of both axes in the colour of a look.
type Box struct {
	X0, X1, Y0, Y1 float64
	Look           Look
	Hollow         bool
	Text           string // beside it
	Hint           string // shown in pictures that can
}

// Series is points that belong together.
type Series struct {
	Name   string // in the key; a series without a name is not in it
	Look   Look
	Draw   Parts
	Points []Point
	// Gap is the distance of dots of the line on characters; 0 counts as 1. From 3 on,
	// the line is also broken in pictures.
	Gap int
	// Top draws the marks over all others. Where marks of other series meet, the
	// mark for several series is drawn instead.
	Top  bool
	Attr cell.Attr // of the marks, on characters
}

// Parts says what is drawn of a series.
type Parts uint8

// The parts of a series, which may be combined.
const (
	Marks Parts = 1 << iota
	Line
	Bars // from the lower end of the Y axis
	Intervals
)

// Point is a value with its interval, which is drawn when Hi is above Lo.
type Point struct {
	X, Y, Lo, Hi float64
	// N is the number of packets or samples behind the point. On characters, points
	// with an N that share a column are merged: values as a mean weighted by N, bars
	// as a sum.
	N       float64
	Weak    bool   // few packets or samples; drawn hollow
	Missing bool   // has no value: lines are interrupted
	Hint    string // shown in pictures that can; "": made from the values
}

// Band is a named part of the X axis.
type Band struct {
	Name     string
	From, To float64
}

// Look is the form and the colour that distinguish a series from others.
type Look struct {
	Form   Form
	Ink    cell.Ink
	Letter rune // in text; 0: by the index of the series
	Rune   rune // on characters, instead of those of the form
}

// drawable reports whether a point is not missing and both axes can show its values.
func (c *Chart) drawable(p Point) bool { return !p.Missing && c.X.Shows(p.X) && c.Y.Shows(p.Y) }

// points returns the drawable points of all series, each with its series.
func (c *Chart) points() iter.Seq2[*Series, Point] {
	return func(yield func(*Series, Point) bool) {
		for i := range c.Series {
			for _, p := range c.Series[i].Points {
				if c.drawable(p) && !yield(&c.Series[i], p) {
					return
				}
			}
		}
	}
}

// Empty reports whether there is nothing to draw: no drawable point, no cell and no box.
func (c *Chart) Empty() bool {
	for range c.points() {
		return false
	}
	return len(c.Cells) == 0 && len(c.Boxes) == 0
}

// OneX reports whether all points and boxes have the same X, so that there is nothing to compare.
func (c *Chart) OneX() bool {
	seen := map[float64]bool{}
	for _, b := range c.Boxes {
		seen[b.X0], seen[b.X1] = true, true
	}
	for _, p := range c.points() {
		seen[p.X] = true
	}
	return len(seen) < 2
}

// Fit returns the axes with the ranges of what is drawn. An axis that has a range keeps it.
func (c *Chart) Fit() (x, y Axis) {
	var ex, ey Extent
	ex.Scale, ey.Scale = c.X.Scale, c.Y.Scale
	for s, p := range c.points() {
		ex.Add(p.X)
		ey.Add(p.Y)
		if s.Draw&Intervals != 0 && p.Hi > p.Lo {
			ey.Add(p.Lo, p.Hi)
		}
	}
	for _, k := range c.Cells {
		ex.Add(k.X0, k.X1)
		ey.Add(k.Y0, k.Y1)
	}
	for _, b := range c.Boxes {
		ex.Add(b.X0, b.X1)
		ey.Add(b.Y0, b.Y1)
	}
	return ex.Tight(c.X), ey.Axis(c.Y)
}
