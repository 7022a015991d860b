package chart

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/report/chart/cell"
)

// AxisWidth is the number of columns left of a field: the labels of the vertical axis
// and its line.
const AxisWidth = 6

// Field is the inside of a chart's axes on characters. Lines and intervals are made of dots, of which a
// character holds several.
type Field struct {
	*cell.Canvas
	X, Y Axis
	dots *cell.Dots
}

// Frame draws the axes of a chart on a canvas and returns the field between them. A heading stands above it;
// the horizontal axis and its labels take the last two lines.
func Frame(c *cell.Canvas, head string, x, y Axis) *Field {
	w, h := max(c.W-AxisWidth, 1), max(c.H-3, 1)
	f := &Field{c.Sub(AxisWidth, 1, w, h), x, y, nil}
	f.dots = cell.NewDots(f.Canvas)
	c.Text(0, 0, head, cell.Strong, 0)
	for row := range h {
		c.Set(AxisWidth-1, 1+row, '│', cell.Axis, 0)
	}
	for _, t := range y.Ticks(h, 2) {
		row := f.Row(t.Value)
		c.Sub(0, 0, AxisWidth-1, c.H).Right(AxisWidth-1, 1+row, t.Text, cell.Axis, 0)
		c.Set(AxisWidth-1, 1+row, '├', cell.Axis, 0)
	}
	c.Set(AxisWidth-1, h+1, '└', cell.Axis, 0)
	gap := 1
	if x.Scale == Linear {
		gap = 8 // there are round values for every column
	}
	f.base(c, h+1, x.Ticks(w, gap))
	return f
}

// base draws the horizontal axis in line y of the canvas around the field, and its
// labels below. A label without room is left out.
func (f *Field) base(c *cell.Canvas, y int, ticks []Tick) {
	for i := range f.W {
		c.Set(AxisWidth+i, y, '─', cell.Axis, 0)
	}
	free := 0
	for _, t := range ticks {
		p := f.Column(t.Value)
		c.Set(AxisWidth+p, y, '┴', cell.Axis, 0)
		at := min(max(AxisWidth+p-len(t.Text)/2, 0), c.W-len(t.Text))
		if at >= free {
			c.Text(at, y+1, t.Text, cell.Axis, 0)
			free = at + len(t.Text) + 1
		}
	}
}

// Lanes returns the field over the first lines of a canvas, whose left columns are for
// names of lanes. Below it stands the horizontal axis, with labels at least gap
// columns apart.
func Lanes(c *cell.Canvas, lanes int, x Axis, gap int) *Field {
	f := &Field{c.Sub(AxisWidth, 0, max(c.W-AxisWidth, 1), lanes), x, Axis{}, nil}
	f.dots = cell.NewDots(f.Canvas)
	f.base(c, lanes, x.Ticks(f.W, gap))
	return f
}

// Column returns the column of a value, from 0 at the left. Values outside of the axis have that of the nearer
// end.
func (f *Field) Column(x float64) int { return f.column(f.X.Near(x)) }

// Row returns the row of a value, from 0 at the top. Values outside of the axis have that of the nearer end.
func (f *Field) Row(y float64) int { return f.row(f.Y.Near(y)) }

// Cover returns the first and last columns and rows that a cell of a heat map covers. The row of its upper end
// belongs to the cell above. For a cell outside of the horizontal axis left is beyond right.
func (f *Field) Cover(k Cell) (left, right, top, bottom int) {
	bottom = f.Row(k.Y0)
	top = min(f.Row(k.Y1)+1, bottom)
	if k.X1 < f.X.Lo || k.X0 > f.X.Hi {
		return 0, -1, top, bottom
	}
	return f.Column(k.X0), f.Column(k.X1), top, bottom
}

// column returns the character that holds the dots at a part of the horizontal axis, 0 to 1.
func (f *Field) column(part float64) int {
	w, _ := f.dots.Size()
	return int(math.Round(float64(part*float64(w-1)))) * f.W / max(w, 1)
}

// row is column for the vertical axis, from the top.
func (f *Field) row(part float64) int {
	_, h := f.dots.Size()
	return f.H - 1 - int(math.Round(float64(part*float64(h-1))))*f.H/max(h, 1)
}

// trace draws a line of dots through spots, one dot every gap dots.
func (f *Field) trace(through []spot, gap int, ink cell.Ink) {
	w, h := f.dots.Size()
	lastX, lastY := 0, 0
	for i, s := range through {
		x, y := int(math.Round(float64(s.x*float64(w-1)))), int(math.Round(float64(s.y*float64(h-1))))
		if i == 0 {
			f.dots.Set(x, y, ink, 0)
		} else {
			f.dots.Line(lastX, lastY, x, y, gap, ink, 0)
		}
		lastX, lastY = x, y
	}
}

// bar draws a bar in a column, up to a part of the field's height. It is at least an eighth of a character
// high, so that it is visible.
func (f *Field) bar(at int, part float64, ink cell.Ink) {
	eighths := max(int(math.Round(float64(part*float64(8*f.H-1)))), 1)
	for row := range f.H {
		if e := eighths - 8*row; e > 0 {
			f.Set(at, f.H-1-row, f.Glyphs.Bar(e), ink, 0)
		}
	}
}

// Style is how charts are drawn on characters.
type Style struct {
	Letters   bool // marks are letters instead of shapes, small ones for weak values
	Intervals bool
	Beside    string   // stands right of the heading, which is shortened for it
	Ink       cell.Ink // of what stands beside
}

// Head returns the heading of a chart on characters: its title with the names of both axes, for which there is
// no room elsewhere.
func (c *Chart) Head() string {
	if c.Y.Name == "" {
		return c.Title + " by " + c.X.Name
	}
	return c.Title + ", " + c.Y.Name + ", by " + c.X.Name
}

// Key returns the key of a chart in text: which letter stands for which series, and the notes.
func (c *Chart) Key() string {
	var key []string
	for i, s := range c.Series {
		if s.Name != "" {
			key = append(key, fmt.Sprintf("%c %s", s.Look.letter(i), s.Name))
		}
	}
	if len(key) > 1 {
		key = append(key, "* several")
	}
	return strings.Join(append(key, c.Notes...), "; ")
}

// Draw draws the chart on characters and returns its field, in which cursors and labels can be placed. Bands
// take the last line.
func (c *Chart) Draw(on *cell.Canvas, style Style) *Field {
	x, y := c.Fit()
	h := on.H
	if c.Lanes > 0 {
		h = min(h, c.Lanes+3)
	}
	if len(c.Bands) > 0 {
		h--
	}
	f := Frame(on.Sub(0, 0, on.W, h), "", x, y)
	on.Ends(0, c.Head(), cell.Strong, style.Beside, style.Ink)
	merged := *c
	merged.Series = make([]Series, len(c.Series))
	for i, s := range c.Series {
		merged.Series[i] = s
		merged.Series[i].Points = f.merge(s)
		if !style.Intervals {
			merged.Series[i].Draw &^= Intervals
		}
	}
	marks := &marker{f, style.Letters, map[[2]int]int{}, nil}
	merged.draw(marks, x, y)
	f.dots.Paint(f.Canvas)
	for _, put := range marks.later {
		put()
	}
	for _, b := range c.Bands {
		band(on.Sub(AxisWidth, h, f.W, 1), f.Column(b.From), f.Column(b.To), b.Name)
	}
	return f
}

// band draws a stretch of a line from one column to another, with its name in the middle if there is room.
func band(c *cell.Canvas, from, to int, name string) {
	for at := from; at <= to; at++ {
		c.Set(at, 0, '─', cell.Axis, 0)
	}
	c.Set(from, 0, '├', cell.Axis, 0)
	c.Set(to, 0, '┤', cell.Axis, 0)
	if room := to - from - 1 - cell.Width(name); room >= 0 {
		c.Text(from+1+room/2, 0, name, cell.Axis, 0)
	}
}

// merge joins neighbouring points of a series that share a column: values as a mean weighted by N, bars as a
// sum. Points without an N, and missing ones, stay as they are.
func (f *Field) merge(s Series) []Point {
	var out []Point
	for _, p := range s.Points {
		n := len(out) - 1
		if n < 0 || p.N == 0 || p.Missing || out[n].Missing || f.Column(out[n].X) != f.Column(p.X) {
			out = append(out, p)
			continue
		}
		q := &out[n]
		if s.Draw&Bars != 0 {
			q.Y += p.Y
		} else {
			w := p.N / (q.N + p.N)
			q.Y, q.Lo, q.Hi = mix(q.Y, p.Y, w), mix(q.Lo, p.Lo, w), mix(q.Hi, p.Hi, w)
		}
		q.N += p.N
		q.Weak = q.Weak && p.Weak
	}
	return out
}

// mix returns the mean of a and b in which b has the weight w, 0 to 1.
func mix(a, b, w float64) float64 { return float64(a*(1-w)) + float64(b*w) }

// several is the index of a mark that stands for more than one series.
const several = -2

// marker draws on a field. Dots are painted first, marks over them: later holds what is drawn afterwards.
type marker struct {
	*Field
	letters bool
	taken   map[[2]int]int // series by column and row, counted from 1
	later   []func()
}

// cells draws a heat map: the count of each cell is divided among the rows that it covers. Cells may share a
// character, which then has the sum.
func (m *marker) cells(list []Cell) {
	if m.W*m.H == 0 {
		return
	}
	counts, most := make([]float64, m.W*m.H), 0.0
	for _, k := range list {
		left, right, top, bottom := m.Cover(k)
		for x := left; x <= right; x++ {
			for row := top; row <= bottom; row++ {
				at := row*m.W + x
				counts[at] += k.N / float64(bottom-top+1)
				most = max(most, counts[at])
			}
		}
	}
	for at, n := range counts {
		if n > 0 {
			m.Heat(at%m.W, at/m.W, heatStep(n, most))
		}
	}
}

// box fills a rectangle with the letter of its look, a small one if it is hollow. Its text stands to the right,
// or to the left if there is no room.
func (m *marker) box(b Box, from, to spot) {
	letter := b.Look.letter(0)
	if b.Hollow {
		letter = []rune(strings.ToLower(string(letter)))[0]
	}
	left, right := m.column(from.x), m.column(to.x)
	top, bottom := m.row(to.y), m.row(from.y)
	if bottom > top { // a row belongs to the box below its upper edge
		top++
	}
	for row := top; row <= bottom; row++ {
		for x := left; x < right; x++ {
			m.Set(x, row, letter, b.Look.Ink, 0)
		}
	}
	if b.Text == "" {
		return
	}
	at := right + 1
	if at+cell.Width(b.Text) > m.W {
		at = max(left-1-cell.Width(b.Text), 0)
	}
	m.later = append(m.later, func() { m.Text(at, (top+bottom)/2, b.Text, cell.Plain, 0) })
}

func (m *marker) line(s *Series, through []spot) { m.trace(through, max(s.Gap, 1), s.Look.Ink) }

func (m *marker) interval(s *Series, from, to spot) { m.trace([]spot{from, to}, 1, s.Look.Ink) }

func (m *marker) bar(s *Series, at spot, _ string) { m.Field.bar(m.column(at.x), at.y, s.Look.Ink) }

// mark draws the mark of a point of series i. Where another series has one already, the mark for several is
// drawn, unless the series is on top.
func (m *marker) mark(i int, s *Series, at spot, weak bool, _ string) {
	x, y := m.column(at.x), m.row(at.y)
	r, ink := cmp.Or(s.Look.Rune, s.Look.Form.Rune(weak)), s.Look.Ink
	if m.letters {
		if r = s.Look.letter(i); weak {
			r = []rune(strings.ToLower(string(r)))[0]
		}
	}
	attr := s.Attr
	if weak {
		attr |= cell.Dim
	}
	place := [2]int{x, y}
	if other := m.taken[place]; other != 0 && other != i+1 && !s.Top {
		r, ink, attr, i = '*', cell.Plain, 0, several
	}
	m.taken[place] = i + 1
	m.later = append(m.later, func() { m.Set(x, y, r, ink, attr) })
}
