package tui

import (
	"math"
	"strconv"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// axis maps values onto places 0 to n-1.
type axis struct {
	lo, hi float64
	log    bool
	n      int
}

func (a axis) of(v float64) float64 {
	if !a.log {
		return v
	}
	return math.Log10(max(v, math.SmallestNonzeroFloat64))
}

// at is the place of a value; false when it lies outside.
func (a axis) at(v float64) (int, bool) {
	lo, hi := a.of(a.lo), a.of(a.hi)
	if a.log && v <= 0 || hi <= lo || math.IsNaN(v) {
		return 0, false
	}
	f := (a.of(v) - lo) / (hi - lo)
	p := int(math.Round(float64(f * float64(a.n-1))))
	return p, f >= -1e-9 && f <= 1+1e-9
}

// clamp is the place of a value, at the end when it lies outside.
func (a axis) clamp(v float64) int {
	if a.log && v <= 0 {
		return 0
	}
	p, _ := a.at(v)
	return min(max(p, 0), a.n-1)
}

// fine is the same axis over n dots.
func (a axis) fine(n int) axis {
	a.n = n
	return a
}

// extent is the range of values that are to be seen on an axis.
type extent struct {
	lo, hi float64
	some   bool
	out    int // values that a logarithmic axis cannot show
	log    bool
}

func (e *extent) add(v trace.Opt[float64]) {
	if !v.OK {
		return
	}
	if e.log && v.Value <= 0 {
		e.out++
		return
	}
	if !e.some {
		e.lo, e.hi, e.some = v.Value, v.Value, true
	}
	e.lo, e.hi = min(e.lo, v.Value), max(e.hi, v.Value)
}

// axis gives the range some room.
func (e *extent) axis(n int) axis {
	lo, hi := e.lo, e.hi
	switch {
	case !e.some && e.log:
		lo, hi = 1, 10
	case !e.some:
		lo, hi = 0, 1
	case e.log:
		lo, hi = lo/1.15, hi*1.15
		if hi/lo < 3 {
			mid := math.Sqrt(float64(lo * hi))
			lo, hi = mid/math.Sqrt(3), float64(mid*math.Sqrt(3))
		}
	default:
		pad := float64((hi - lo) * 0.06)
		if pad == 0 {
			pad = math.Abs(hi)*0.1 + 1
		}
		lo, hi = lo-pad, hi+pad
	}
	return axis{lo, hi, e.log, n}
}

// ticks are round values on the axis, at least gap places apart.
func (a axis) ticks(gap int) []float64 {
	var out []float64
	last := -gap
	put := func(v float64) {
		if p, ok := a.at(v); ok && p-last >= gap {
			out, last = append(out, v), p
		}
	}
	if !a.log {
		step := niceStep((a.hi - a.lo) / math.Max(1, float64(a.n)/float64(gap)))
		for k := math.Ceil(a.lo / step); k <= a.hi/step && len(out) < 100; k++ {
			put(float64(k * step))
		}
		return out
	}
	parts := []float64{1, 2, 5}
	if math.Log10(a.hi/a.lo)*float64(3*gap) > float64(a.n)*1.3 {
		parts = []float64{1}
	}
	for k := math.Floor(math.Log10(a.lo)); k <= math.Log10(a.hi); k++ {
		for _, f := range parts {
			put(float64(f * math.Pow(10, k)))
		}
	}
	return out
}

// niceStep rounds a step up to 1, 2 or 5 times a power of ten.
func niceStep(v float64) float64 {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if v <= float64(f*p)*(1+1e-9) {
			return float64(f * p)
		}
	}
	return 10 * p
}

// short writes an axis label in at most five columns where that can be.
func short(v float64) string {
	switch a := math.Abs(v); {
	case a == 0:
		return "0" // and not -0
	case a >= 1e12:
		return strconv.FormatFloat(v, 'e', 0, 64)
	case a >= 1e9:
		return strconv.FormatFloat(v/1e9, 'g', 3, 64) + "G"
	case a >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 3, 64) + "M"
	case a >= 1e4:
		return strconv.FormatFloat(v/1e3, 'g', 3, 64) + "k"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// axisWidth is the room for the labels left of a plot, its line included.
const axisWidth = 6

// panel is a plot's field with its axes.
type panel struct {
	field *cell.Canvas // the inside
	x, y  axis         // in cells; y from the bottom
}

// newPanel draws the frame of a plot: a heading, the labels of the vertical
// axis, a line and labels under it. The last two lines are the horizontal
// axis's.
func newPanel(c *cell.Canvas, head string, x, y axis, xTicks []float64) panel {
	return newPanelLabelled(c, head, x, y, xTicks, short)
}

// newPanelLabelled is newPanel with labels of its own on the horizontal axis.
func newPanelLabelled(c *cell.Canvas, head string, x, y axis, xTicks []float64, label func(float64) string) panel {
	w, h := max(c.W-axisWidth, 1), max(c.H-3, 1)
	x.n, y.n = w, h
	c.Text(0, 0, head, cell.Strong, 0)
	for row := range h {
		c.Set(axisWidth-1, 1+row, '│', cell.Axis, 0)
	}
	for _, v := range y.ticks(2) {
		p, _ := y.at(v)
		c.Sub(0, 0, axisWidth-1, c.H).Right(axisWidth-1, h-p, short(v), cell.Axis, 0)
		c.Set(axisWidth-1, h-p, '├', cell.Axis, 0)
	}
	c.Set(axisWidth-1, h+1, '└', cell.Axis, 0)
	for i := range w {
		c.Set(axisWidth+i, h+1, '─', cell.Axis, 0)
	}
	free := 0
	for _, v := range xTicks {
		p, ok := x.at(v)
		if !ok {
			continue
		}
		c.Set(axisWidth+p, h+1, '┴', cell.Axis, 0)
		text := label(v)
		at := min(max(axisWidth+p-len(text)/2, 0), c.W-len(text))
		if at >= free {
			c.Text(at, h+2, text, cell.Axis, 0)
			free = at + len(text) + 1
		}
	}
	return panel{c.Sub(axisWidth, 1, w, h), x, y}
}

// put sets a mark at a value; outside of the axes nothing happens.
func (p panel) put(x, y float64, r rune, ink cell.Ink, attr cell.Attr) {
	cx, okX := p.x.at(x)
	cy, okY := p.y.at(y)
	if okX && okY {
		p.field.Set(cx, p.field.H-1-cy, r, ink, attr)
	}
}

// doubles are the powers of two on an axis of sizes.
func doubles(from, to int64) []float64 {
	var out []float64
	for v := int64(1); v <= to; v *= 2 {
		if v >= from {
			out = append(out, float64(v))
		}
	}
	return out
}
