package report

import "math"

// spot is a place in a picture, in pixels from its upper left corner.
type spot struct{ x, y float64 }

// anchor says which part of a text lies at its spot.
type anchor int

const (
	begin anchor = iota
	middle
	end
)

// pen is what a picture is drawn with.
type pen interface {
	// shade fills a rectangle faintly.
	shade(from, to spot)
	line(colour string, width float64, through ...spot)
	// mark draws a form of about seven pixels; a hint may be shown with it.
	mark(colour, form string, at spot, hint string)
	text(at spot, s anchor, text string)
}

// ink is the colour of axes and words.
const ink = "#1a1a1a"

// faintInk is that of lines that only guide the eye.
const faintInk = "#d0d0d0"

// Geometry of a chart's picture in pixels.
const (
	chartWidth  = 920.0
	chartHeight = 440.0
	chartLeft   = 80.0
	chartRight  = 700.0
	chartTop    = 50.0
	chartBottom = 380.0
)

// draw draws the chart.
func (c *Chart) draw(p pen) {
	x, y := c.axes()
	at := func(vx, vy float64) spot {
		return spot{chartLeft + 12 + x.at(vx)*(chartRight-chartLeft-24), chartBottom - y.at(vy)*(chartBottom-chartTop)}
	}
	p.text(spot{chartLeft, 20}, begin, c.Title)
	p.text(spot{chartLeft - 6, chartTop - 12}, end, c.YName)
	for i := 0; i < len(c.Bands); i += 2 {
		p.shade(spot{at(c.Bands[i].From, 0).x, chartTop}, spot{at(c.Bands[i].To, 0).x, chartBottom})
	}
	for _, band := range c.Bands {
		p.text(spot{(at(band.From, 0).x + at(band.To, 0).x) / 2, chartTop - 4}, middle, band.Name)
	}
	for _, t := range y.round() {
		place := at(1, t.v)
		p.line(faintInk, 1, spot{chartLeft, place.y}, spot{chartRight, place.y})
		p.text(spot{chartLeft - 6, place.y + 4}, end, t.text)
	}
	p.line(ink, 1, spot{chartLeft, chartTop}, spot{chartLeft, chartBottom}, spot{chartRight, chartBottom})
	for _, t := range x.powersOfTwo(14) {
		place := at(t.v, 0).x
		p.line(ink, 1, spot{place, chartBottom}, spot{place, chartBottom + 5})
		p.text(spot{place, chartBottom + 20}, middle, t.text)
	}
	p.text(spot{(chartLeft + chartRight) / 2, chartBottom + 42}, middle, c.XName)
	for i, k := range c.Curves {
		c.curve(p, i, k, at)
	}
}

// curve draws one curve with its line of the key.
func (c *Chart) curve(p pen, i int, k Curve, at func(x, y float64) spot) {
	colour, form := hues[i%len(hues)].web, forms[i%len(forms)]
	var through []spot
	dots := c.drawn(k)
	for _, d := range dots {
		through = append(through, at(d.X, d.Y))
		if lo, hi := at(d.X, d.Lo), at(d.X, d.Hi); d.Hi > d.Lo && math.Abs(hi.y-lo.y) > 1 {
			p.line(colour, 1, lo, hi)
		}
	}
	if len(through) > 1 {
		p.line(colour, 1.5, through...)
	}
	for j, d := range dots {
		p.mark(colour, form, through[j], hint(k.Name, d))
	}
	place := spot{chartRight + 20, chartTop + 10 + 20*float64(i)}
	p.mark(colour, form, place, "")
	p.text(spot{place.x + 12, place.y + 4}, begin, k.Name)
}
