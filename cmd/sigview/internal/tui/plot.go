package tui

import (
	"github.com/sigview/sigview/chart"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// axisWidth is the room for the labels left of a plot, its line included.
const axisWidth = chart.AxisWidth

// panel is a plot's field with its axes.
type panel struct {
	field *cell.Canvas // the inside
	x, y  chart.Axis
}

// newPanel draws the frame of a plot: a heading, the labels of the vertical
// axis, a line and labels under it. The last two lines are the horizontal
// axis's.
func newPanel(c *cell.Canvas, head string, x, y chart.Axis) panel {
	w, h := max(c.W-axisWidth, 1), max(c.H-3, 1)
	p := panel{c.Sub(axisWidth, 1, w, h), x, y}
	c.Text(0, 0, head, cell.Strong, 0)
	for row := range h {
		c.Set(axisWidth-1, 1+row, '│', cell.Axis, 0)
	}
	for _, t := range y.Ticks(h, 2) {
		at, _ := y.Place(t.Value, h)
		c.Sub(0, 0, axisWidth-1, c.H).Right(axisWidth-1, h-at, t.Text, cell.Axis, 0)
		c.Set(axisWidth-1, h-at, '├', cell.Axis, 0)
	}
	c.Set(axisWidth-1, h+1, '└', cell.Axis, 0)
	drawTicks(c, h+1, x, w, 1)
	return p
}

// drawTicks draws a horizontal axis of w columns in line y, and its labels below.
func drawTicks(c *cell.Canvas, y int, x chart.Axis, w, gap int) {
	for i := range w {
		c.Set(axisWidth+i, y, '─', cell.Axis, 0)
	}
	free := 0
	for _, t := range x.Ticks(w, gap) {
		p, _ := x.Place(t.Value, w)
		c.Set(axisWidth+p, y, '┴', cell.Axis, 0)
		at := min(max(axisWidth+p-len(t.Text)/2, 0), c.W-len(t.Text))
		if at >= free {
			c.Text(at, y+1, t.Text, cell.Axis, 0)
			free = at + len(t.Text) + 1
		}
	}
}

// column is the column of a value, and whether it is inside.
func (p panel) column(x float64) (int, bool) { return p.x.Place(x, p.field.W) }

// row is the row of a value from the top, and whether it is inside.
func (p panel) row(y float64) (int, bool) {
	at, ok := p.y.Place(y, p.field.H)
	return p.field.H - 1 - at, ok
}

// put sets a mark at a value; outside of the axes nothing happens.
func (p panel) put(x, y float64, r rune, ink cell.Ink, attr cell.Attr) {
	cx, okX := p.column(x)
	cy, okY := p.row(y)
	if okX && okY {
		p.field.Set(cx, cy, r, ink, attr)
	}
}

// level draws a baseline's mean across the field, where there is nothing else.
func (p panel) level(us trace.Opt[float64]) {
	row, ok := p.row(us.Value)
	if !us.OK || !ok {
		return
	}
	for x := 0; x < p.field.W; x += 2 {
		if p.field.At(x, row).R == ' ' {
			p.field.Set(x, row, '┄', cell.Plain, 0)
		}
	}
}

// cursor marks a column where nothing else is drawn.
func (p panel) cursor(column int, ok bool) {
	for row := range p.field.H {
		if ok && p.field.At(column, row).R == ' ' {
			p.field.Set(column, row, '┊', cell.Accent, 0)
		}
	}
}

// pen draws with dots over a panel. Values outside are drawn at the edge.
type pen struct {
	panel
	dots         *cell.Dots
	gap          int
	ink          cell.Ink
	lastX, lastY int
	down         bool
}

func (p panel) pen(dots *cell.Dots, gap int, ink cell.Ink) *pen {
	return &pen{panel: p, dots: dots, gap: gap, ink: ink}
}

// to draws a line to a value; one that is not known or has no place on the axes
// interrupts it.
func (p *pen) to(x float64, y trace.Opt[float64]) {
	if !y.OK || !p.y.Shows(y.Value) {
		p.down = false
		return
	}
	w, h := p.dots.Size()
	atX, atY := p.x.Clamp(x, w), p.y.Clamp(y.Value, h)
	if p.down {
		p.dots.Line(p.lastX, p.lastY, atX, atY, p.gap, p.ink, 0)
	} else {
		p.dots.Set(atX, atY, p.ink, 0)
	}
	p.lastX, p.lastY, p.down = atX, atY, true
}

// rise draws an interval.
func (p *pen) rise(x, lo, hi float64) {
	w, h := p.dots.Size()
	at := p.x.Clamp(x, w)
	p.dots.Line(at, p.y.Clamp(lo, h), at, p.y.Clamp(hi, h), 1, p.ink, 0)
}

// addNs widens a range in µs by values in ns that are known.
func addNs(e *chart.Extent, values ...trace.Opt[float64]) {
	for _, v := range values {
		if v.OK {
			e.Add(v.Value / 1000)
		}
	}
}

func inUs(v trace.Opt[float64]) trace.Opt[float64] {
	v.Value /= 1000
	return v
}

// bar draws a row of so many eighths of a cell.
func bar(c *cell.Canvas, x, y, eighths int, ink cell.Ink) {
	for ; eighths > 0 && x < c.W; x++ {
		c.Set(x, y, c.Glyphs.LeftBar(min(eighths, 8)), ink, 0)
		eighths -= 8
	}
}
