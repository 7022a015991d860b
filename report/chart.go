package report

import (
	"fmt"
	"math"
	"strconv"
)

// Chart is curves over a logarithmic axis: sizes or burst lengths.
type Chart struct {
	Name string // plain, for a file
	// Title says what is drawn, XName and YName what the axes are, with units.
	Title, XName, YName string
	LogY                bool // or else from 0
	Curves              []Curve
	Bands               []Band // parts of the x axis that have a name
}

// Curve is one line of a chart.
type Curve struct {
	Name string
	Dots []Dot
}

// Dot is a point with its interval, which is the point where there is none.
type Dot struct {
	X, Y, Lo, Hi float64
}

// Band is a part of the x axis.
type Band struct {
	Name     string
	From, To float64
}

func (Chart) isBlock() {}

// empty reports whether there is nothing to draw.
func (c *Chart) empty() bool {
	for _, k := range c.Curves {
		if len(c.drawn(k)) > 0 {
			return false
		}
	}
	return true
}

// oneX reports whether nothing lies beside anything else.
func (c *Chart) oneX() bool {
	seen := map[float64]bool{}
	for _, k := range c.Curves {
		for _, d := range c.drawn(k) {
			seen[d.X] = true
		}
	}
	return len(seen) < 2
}

// drawn are the dots that have a place on the axes.
func (c *Chart) drawn(k Curve) []Dot {
	var out []Dot
	for _, d := range k.Dots {
		if d.X > 0 && (d.Y > 0 || d.Y == 0 && !c.LogY) {
			out = append(out, d)
		}
	}
	return out
}

// hues are the colours of Okabe and Ito, the darker ones first, with the
// nearest of a terminal's 256; forms go with them, so that colour never stands
// alone.
var hues = [...]struct{ web, terminal string }{
	{"#0072B2", "38;5;25"}, {"#D55E00", "38;5;166"}, {"#009E73", "38;5;36"}, {"#CC79A7", "38;5;175"},
	{"#E69F00", "38;5;214"}, {"#56B4E9", "38;5;75"}, {"#000000", ""},
}

var forms = [...]string{"circle", "square", "triangle", "diamond", "cross", "plus", "down", "bar"}

// axle maps values to places from 0 to 1.
type axle struct {
	log    bool
	lo, hi float64 // of logarithms when log
}

func (a axle) at(v float64) float64 {
	if a.log {
		v = math.Log10(math.Max(v, 1e-300))
	}
	return math.Min(math.Max((v-a.lo)/(a.hi-a.lo), 0), 1)
}

// axes fits both axes to the dots.
func (c *Chart) axes() (x, y axle) {
	xlo, xhi, ylo, yhi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, k := range c.Curves {
		for _, d := range c.drawn(k) {
			xlo, xhi = math.Min(xlo, d.X), math.Max(xhi, d.X)
			ylo, yhi = math.Min(ylo, d.Y), math.Max(yhi, math.Max(d.Y, d.Hi))
		}
	}
	if xlo > xhi {
		xlo, xhi, ylo, yhi = 1, 2, 1, 2
	}
	if xlo == xhi {
		xlo, xhi = xlo/2, xhi*2
	}
	x = axle{log: true, lo: math.Log10(xlo), hi: math.Log10(xhi)}
	if !c.LogY {
		if yhi == 0 {
			yhi = 1
		}
		return x, axle{hi: yhi * 1.05}
	}
	y = axle{log: true, lo: math.Log10(ylo) - 0.05, hi: math.Log10(yhi) + 0.05}
	if math.Ceil(y.lo) > y.hi { // at least one power of ten
		y.lo, y.hi = math.Floor(y.lo), math.Ceil(y.hi)
	}
	return x, y
}

// tick is a labelled place of an axis.
type tick struct {
	v    float64
	text string
}

// powersOfTwo are the ticks of the x axis, at most so many.
func (a axle) powersOfTwo(most int) []tick {
	lo, hi := math.Ceil(a.lo/math.Log10(2)-1e-9), math.Floor(a.hi/math.Log10(2)+1e-9)
	step := math.Max(1, math.Ceil((hi-lo+1)/float64(most)))
	var out []tick
	for k := lo; k <= hi; k += step {
		v := math.Exp2(k)
		out = append(out, tick{v, short(v)})
	}
	return out
}

// short writes a power of two with K and M for 1024 and its square.
func short(v float64) string {
	switch {
	case v >= 1<<20:
		return fmt.Sprintf("%gM", v/(1<<20))
	case v >= 1<<10:
		return fmt.Sprintf("%gK", v/(1<<10))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// round are the ticks of the y axis: powers of ten, or multiples of 1, 2 or 5
// times one.
func (a axle) round() []tick {
	var out []tick
	if a.log {
		for k := math.Ceil(a.lo); k <= a.hi; k++ {
			out = append(out, tick{math.Pow(10, k), strconv.FormatFloat(math.Pow(10, k), 'g', 6, 64)})
		}
		return out
	}
	step := math.Pow(10, math.Floor(math.Log10(a.hi/4)))
	for _, m := range []float64{1, 2, 5, 10} {
		if a.hi/float64(step*m) <= 6 {
			step *= m
			break
		}
	}
	for i := 0.0; float64(i*step) <= a.hi; i++ {
		out = append(out, tick{float64(i * step), strconv.FormatFloat(float64(i*step), 'g', 6, 64)})
	}
	return out
}
