package chart

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sigview/sigview/report/chart/cell"
)

// anchor says which part of a text lies at its spot: its begin, its middle or its end.
type anchor int

const (
	begin anchor = iota
	middle
	end
)

// stroke is the colour and the width of a line in pixels.
type stroke struct {
	colour string
	width  float64
	broken bool
}

// pen draws pictures: as SVG or PNG. Spots are in pixels from the upper left corner. A hint may be shown with a
// shape.
type pen interface {
	trace(s stroke, hint string, through ...spot)
	// fill fills a polygon; hollow draws its edge only.
	fill(colour string, hollow bool, hint string, edge ...spot)
	text(at spot, a anchor, text string)
}

// Colours apart from those of series: ink for axes and words, guide for lines that only
// guide the eye, shade for bands.
const (
	inkColour   = "#1a1a1a"
	guideColour = "#d0d0d0"
	shadeColour = "#f2f2f2"
)

// Geometry of a chart in pixels: the room above the field, its height, the room below it
// and beside it, with and without a key.
const (
	top         = 50.0
	tall        = 330.0 // of the field
	below       = 60.0
	left        = 80.0
	right       = 40.0
	keyRight    = 220.0
	fullField   = 620.0 // of a chart alone
	sharedField = 760.0 // of several together
)

// picture is a chart in pixels, beside others. The field lies between from and to, and ends at bottom.
type picture struct {
	pen
	c        *Chart
	x, y     Axis
	from, to float64 // the ends of the field
	top      float64
	bottom   float64
	untitled bool
	legend   []placed
}

// entry is a line of the key: a series with its name, or a note.
type entry struct {
	of   *Series // nil: a note
	text string
}

// placed is an entry with its place in pixels.
type placed struct {
	entry
	at spot
}

// layout gives charts their places side by side, and returns them with the size of the whole in pixels.
func layout(p pen, charts []Chart) (list []picture, width, height float64) {
	weights := 0
	for _, c := range charts {
		weights += max(c.Weight, 1)
	}
	at := 0.0
	for i := range charts {
		q := picture{pen: p, c: &charts[i], top: top}
		q.from, q.bottom = at+cmp.Or(q.c.Room, left), top+cmp.Or(q.c.Tall, tall)
		height = max(height, q.bottom+below)
		q.x, q.y = q.c.Fit()
		q.to = q.from + fullField
		if len(charts) > 1 {
			q.to = q.from + math.Round(sharedField*float64(max(q.c.Weight, 1))/float64(weights))
		}
		if q.c.Wide > 0 {
			q.to = q.from + q.c.Wide
		}
		at = q.to + right
		for row, e := range q.entries() {
			if q.c.Keyless {
				break
			}
			at = q.to + keyRight
			q.legend = append(q.legend, placed{e, spot{q.to + 20, top + 10 + float64(20*float64(row))}})
		}
		list = append(list, q)
	}
	return list, at, height
}

// entries returns the lines of the key: the series that have a name, and the notes.
func (q *picture) entries() (out []entry) {
	for i := range q.c.Series {
		if s := &q.c.Series[i]; s.Name != "" {
			out = append(out, entry{s, s.Name})
		}
	}
	for _, note := range q.c.Notes {
		out = append(out, entry{text: note})
	}
	return out
}

// at returns the place in pixels of a spot in the field.
func (q *picture) at(s spot) spot {
	const inset = 12 // so that marks at the ends do not lie on the axis
	return spot{q.from + inset + float64(s.x*(q.to-q.from-2*inset)), q.bottom - float64(s.y*(q.bottom-q.top))}
}

// paint draws the chart: title, bands, axes with their ticks, the field and the key.
func (q *picture) paint() {
	c := q.c
	if !q.untitled {
		q.text(spot{q.from, 20}, begin, c.Title)
	}
	q.text(spot{q.from - 6, q.top - 12}, end, c.Y.Name)
	for i, b := range c.Bands {
		lo, hi := q.at(spot{q.x.Near(b.From), 0}).x, q.at(spot{q.x.Near(b.To), 0}).x
		if i%2 == 0 {
			q.fill(shadeColour, false, "", spot{lo, q.top}, spot{hi, q.top}, spot{hi, q.bottom}, spot{lo, q.bottom})
		}
		q.text(spot{(lo + hi) / 2, q.top - 4}, middle, b.Name)
	}
	gap := 40
	if q.y.Marks != nil {
		gap = fontSize
	}
	for _, t := range q.y.Ticks(int(q.bottom-q.top), gap) {
		y := q.at(spot{0, q.y.Near(t.Value)}).y
		q.trace(stroke{guideColour, 1, false}, "", spot{q.from, y}, spot{q.to, y})
		q.text(spot{q.from - 6, y + 4}, end, t.Text)
	}
	q.trace(stroke{inkColour, 1, false}, "", spot{q.from, q.top}, spot{q.from, q.bottom}, spot{q.to, q.bottom})
	labels := 36
	if q.x.Scale == Linear && q.x.Marks == nil {
		labels = 52 // round numbers may be long
	}
	for _, t := range q.x.Ticks(int(q.to-q.from), labels) {
		x := q.at(spot{q.x.Near(t.Value), 0}).x
		q.trace(stroke{inkColour, 1, false}, "", spot{x, q.bottom}, spot{x, q.bottom + 5})
		q.text(spot{x, q.bottom + 20}, middle, t.Text)
	}
	q.text(spot{(q.from + q.to) / 2, q.bottom + 42}, middle, c.X.Name)
	c.draw(q, q.x, q.y)
	for _, e := range q.legend {
		if e.of == nil {
			q.text(spot{e.at.x - 5, e.at.y + 4}, begin, e.text)
			continue
		}
		q.shape(e.of, e.at, false, "")
		q.text(spot{e.at.x + 12, e.at.y + 4}, begin, e.text)
	}
}

// colour returns the colour of a series, #rrggbb. An ink without a colour of its own has that of words.
func (s *Series) colour() string { return s.Look.colour() }

// colour returns the colour of a look as SVG writes it, that of plain ink for a look without one.
func (l Look) colour() string {
	if c, ok := web[l.Ink]; ok {
		return c
	}
	return inkColour
}

// cells draws a heat map, in the colours of a light background.
func (q *picture) cells(list []Cell) {
	theme, _ := cell.ThemeOf("light") // which pictures have behind them
	most := 0.0
	for _, k := range list {
		most = math.Max(most, k.N)
	}
	for _, k := range list {
		from, to := q.at(spot{q.x.Near(k.X0), q.y.Near(k.Y0)}), q.at(spot{q.x.Near(k.X1), q.y.Near(k.Y1)})
		to.x = math.Max(to.x, from.x+2) // so that a cell of one size is seen
		q.fill(theme.Colour(cell.Heat+cell.Ink(heatStep(k.N, most))).String(), false, cmp.Or(k.Hint, fmt.Sprintf("%g to %g, %.6g to %.6g: %g", k.X0, k.X1, k.Y0, k.Y1, k.N)),
			from, spot{to.x, from.y}, to, spot{from.x, to.y})
	}
}

// box draws a rectangle with its text to the right, or to the left if there is no room.
func (q *picture) box(b Box, from, to spot) {
	lo, hi := q.at(from), q.at(to)
	if hi.x-lo.x >= 0.5 {
		q.fill(b.Look.colour(), b.Hollow, b.Hint, lo, spot{hi.x, lo.y}, hi, spot{lo.x, hi.y})
	}
	if b.Text == "" {
		return
	}
	place, y := anchor(begin), float64((lo.y+hi.y)/2)+4
	x := hi.x + 6
	if x+float64(7*len(b.Text)) > q.to {
		place, x = end, lo.x-6
	}
	q.text(spot{x, y}, place, b.Text)
}

// line draws a line. A single point is a dot, unless it has a mark.
func (q *picture) line(s *Series, through []spot) {
	if on := spots(through, q.at); len(on) > 1 {
		q.trace(stroke{s.colour(), 1.5, s.Gap > 2}, "", on...)
	} else if s.Draw&Marks == 0 { // a point alone is a dot
		q.trace(stroke{s.colour(), 1.5, false}, "", on[0], spot{on[0].x + 1.5, on[0].y})
	}
}

// interval draws an interval, unless it is less than a pixel long.
func (q *picture) interval(s *Series, from, to spot) {
	if a, b := q.at(from), q.at(to); math.Abs(a.y-b.y) > 1 {
		q.trace(stroke{s.colour(), 1, false}, "", a, b)
	}
}

func (q *picture) bar(s *Series, at spot, hint string) {
	q.trace(stroke{s.colour(), 2, false}, hint, q.at(spot{at.x, 0}), q.at(at))
}

func (q *picture) mark(_ int, s *Series, at spot, weak bool, hint string) {
	q.shape(s, q.at(at), weak, hint)
}

// shape draws the mark of a series at a place in pixels.
func (q *picture) shape(s *Series, at spot, hollow bool, hint string) {
	edge := spots(forms[s.Look.Form].edge, func(e spot) spot { return spot{at.x + e.x, at.y + e.y} })
	q.fill(s.colour(), hollow, hint, edge...)
}
