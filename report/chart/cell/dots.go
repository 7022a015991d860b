package cell

import "math"

// Dots is a layer of points finer than cells, as fine as the glyphs allow.
type Dots struct {
	w, h   int // in cells
	nx, ny int // dots of a cell
	bits   []uint8
	ink    []Ink
	attr   []Attr
	glyphs Glyphs
}

// NewDots returns an empty layer as large as a canvas.
func NewDots(c *Canvas) *Dots {
	d := &Dots{w: c.W, h: c.H, nx: 2, ny: 4, glyphs: c.Glyphs}
	switch c.Glyphs {
	case Block:
		d.ny = 2
	case ASCII:
		d.nx, d.ny = 1, 2
	}
	d.bits, d.ink, d.attr = make([]uint8, d.w*d.h), make([]Ink, d.w*d.h), make([]Attr, d.w*d.h)
	return d
}

// Size returns the layer's size in dots.
func (d *Dots) Size() (w, h int) { return d.w * d.nx, d.h * d.ny }

// Set makes a dot; y counts from the bottom.
func (d *Dots) Set(x, y int, ink Ink, attr Attr) {
	w, h := d.Size()
	if x < 0 || y < 0 || x >= w || y >= h {
		return
	}
	y = h - 1 - y
	i := y/d.ny*d.w + x/d.nx
	d.bits[i] |= 1 << (y%d.ny*d.nx + x%d.nx)
	d.ink[i], d.attr[i] = ink, attr
}

// Line draws a line; gap leaves out dots: 1 none, 2 every second.
func (d *Dots) Line(x0, y0, x1, y1, gap int, ink Ink, attr Attr) {
	n := max(abs(x1-x0), abs(y1-y0), 1)
	for i := 0; i <= n; i++ {
		if i%gap != 0 {
			continue
		}
		f := float64(i) / float64(n)
		d.Set(x0+int(math.Round(float64(f*float64(x1-x0)))), y0+int(math.Round(float64(f*float64(y1-y0)))), ink, attr)
	}
}

func abs(n int) int { return max(n, -n) }

// quarters by bits: upper left, upper right, lower left, lower right.
var quarters = []rune(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

// brailleBits of a dot by its row and column.
var brailleBits = [8]rune{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80}

func (d *Dots) glyph(bits uint8) rune {
	switch d.glyphs {
	case Braille:
		r := rune(0x2800)
		for i, b := range brailleBits {
			if bits&(1<<i) != 0 {
				r |= b
			}
		}
		return r
	case Block:
		return quarters[bits&15]
	}
	return []rune(" '.:")[bits&3]
}

// Paint puts the dots onto a canvas of the same size.
func (d *Dots) Paint(c *Canvas) {
	for i, bits := range d.bits {
		if bits != 0 {
			c.Set(i%d.w, i/d.w, d.glyph(bits), d.ink[i], d.attr[i])
		}
	}
}
