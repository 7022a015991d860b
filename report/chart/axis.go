package chart

import (
	"math"
	"strconv"

	"github.com/sigview/sigview/internal/portable"
)

// Scale is how an axis places values: by the value, or by its logarithm.
type Scale uint8

// Scales. Log10 has ticks at 1, 2 and 5 times powers of ten, or at even steps where that
// makes fewer than two; Log2 at powers of two.
const (
	Linear Scale = iota
	Log10
	Log2
)

// Axis maps values onto a line.
type Axis struct {
	Name  string // with the unit
	Scale Scale
	// Lo and Hi are the ends. Both are 0 before they are fitted.
	Lo, Hi float64
	// FromZero begins a fitted linear axis at 0.
	FromZero bool
	// Marks are ticks to use instead of round ones.
	Marks []Tick
	// Label writes the value of a tick; nil: Short does.
	Label func(float64) string
}

// Tick is a labelled place of an axis.
type Tick struct {
	Value float64
	Text  string
}

// of returns a value or, on a logarithmic scale, its logarithm to base 10.
func (a Axis) of(v float64) float64 {
	if a.Scale == Linear {
		return v
	}
	return portable.Log10(math.Max(v, math.SmallestNonzeroFloat64))
}

// Shows reports whether the scale has a place for a value: a logarithmic one has none for 0 and below, and no
// scale for NaN and infinity.
func (a Axis) Shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (a.Scale == Linear || v > 0)
}

// Part returns where a value lies on the axis, 0 at Lo and 1 at Hi, and false if it is not between them. The
// axis has to be fitted.
func (a Axis) Part(v float64) (float64, bool) {
	lo, hi := a.of(a.Lo), a.of(a.Hi)
	if !a.Shows(v) || hi <= lo {
		return 0, false
	}
	f := (a.of(v) - lo) / (hi - lo)
	return f, f >= -1e-9 && f <= 1+1e-9
}

// Value returns the value at a part of the axis, 0 to 1. It is the inverse of Part.
func (a Axis) Value(part float64) float64 {
	if a.Scale == Linear {
		return a.Lo + float64(part*(a.Hi-a.Lo))
	}
	return a.Lo * portable.Pow(a.Hi/a.Lo, part)
}

// Near is Part, but returns 0 or 1 for values outside of the axis.
func (a Axis) Near(v float64) float64 {
	f, _ := a.Part(v)
	return math.Min(math.Max(f, 0), 1)
}

// Place divides the axis into n places, numbered from 0 at Lo, and returns the one of a value; false if the
// value is outside of the axis.
func (a Axis) Place(v float64, n int) (int, bool) {
	f, ok := a.Part(v)
	return int(math.Round(float64(f * float64(n-1)))), ok
}

// Clamp is Place, but returns 0 or n-1 for values outside of the axis.
func (a Axis) Clamp(v float64, n int) int {
	return int(math.Round(float64(a.Near(v) * float64(n-1))))
}

// Ticks returns ticks for an axis of n places, in order: the axis's own marks or else round values. Neighbours
// are at least gap places apart.
func (a Axis) Ticks(n, gap int) []Tick {
	var out []Tick
	last := -gap
	put := func(t Tick) {
		if p, ok := a.Place(t.Value, n); ok && p-last >= gap {
			out, last = append(out, t), p
		}
	}
	switch {
	case a.Marks != nil:
		for _, t := range a.Marks {
			put(t)
		}
	case !(a.Hi > a.Lo):
	case a.Scale == Linear:
		a.even(n, gap, put)
	case a.Scale == Log2:
		for k := math.Ceil(portable.Log2(a.Lo) - 1e-9); k <= portable.Log2(a.Hi)+1e-9; k++ {
			v := math.Ldexp(1, int(k))
			put(Tick{v, binaryText(v)})
		}
	default:
		parts := []float64{1, 2, 5}
		if decade := float64(n-1) / portable.Log10(a.Hi/a.Lo); decade*portable.Log10(2) < float64(gap) {
			parts = parts[:1] // not enough room between 1 and 2
		}
		for k := math.Floor(portable.Log10(a.Lo)); k <= portable.Log10(a.Hi)+1e-9; k++ {
			for _, f := range parts {
				v := float64(f * math.Pow10(int(k)))
				put(Tick{v, a.label(v)})
			}
		}
		if len(out) < 2 && a.Hi < 10*a.Lo { // it shows no scale
			out, last = nil, -gap
			a.even(n, gap, put)
		}
	}
	return out
}

// label writes the value of a tick.
func (a Axis) label(v float64) string {
	if a.Label != nil {
		return a.Label(v)
	}
	return Short(v)
}

// even calls put with ticks at even steps of 1, 2 or 5 times a power of ten, at least gap of n places long.
func (a Axis) even(n, gap int, put func(Tick)) {
	step := niceStep((a.Hi - a.Lo) / math.Max(1, float64(n)/float64(gap)))
	for i, k := 0, math.Ceil(a.Lo/step-1e-9); k <= a.Hi/step+1e-9 && i < 100; i, k = i+1, k+1 {
		put(Tick{float64(k * step), a.label(float64(k * step))})
	}
}

// niceStep rounds a step up to 1, 2 or 5 times a power of ten.
func niceStep(v float64) float64 {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 1
	}
	p := math.Pow10(int(math.Floor(portable.Log10(v))))
	for _, f := range []float64{1, 2, 5} {
		if v <= float64(f*p)*(1+1e-9) {
			return float64(f * p)
		}
	}
	return 10 * p
}

// Short writes a label in at most five columns where possible.
func Short(v float64) string {
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

// binaryText writes a power of two, from 16384 on in units of K = 1024, M or G.
func binaryText(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}} {
		if v >= 1e4 && v >= u.of {
			return strconv.FormatFloat(v/u.of, 'g', 4, 64) + u.name
		}
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Extent is the range of values on an axis, Lo to Hi. It is empty until Some is set.
type Extent struct {
	Scale  Scale
	Lo, Hi float64
	Some   bool
}

// Add widens the range so that it has these values. Those that the scale cannot show are left out.
func (e *Extent) Add(values ...float64) {
	for _, v := range values {
		switch {
		case !(Axis{Scale: e.Scale}).Shows(v):
		case !e.Some:
			e.Lo, e.Hi, e.Some = v, v, true
		default:
			e.Lo, e.Hi = math.Min(e.Lo, v), math.Max(e.Hi, v)
		}
	}
}

// Tight returns the axis with exactly the range. An axis that has a range keeps it. A single value gets room on
// either side.
func (e *Extent) Tight(a Axis) Axis {
	switch {
	case a.Hi > a.Lo:
	case !e.Some:
		a.Lo, a.Hi = 1, 2
	case e.Lo == e.Hi && e.Scale != Linear:
		a.Lo, a.Hi = e.Lo/2, e.Hi*2
	case e.Lo == e.Hi:
		a.Lo, a.Hi = e.Lo-1, e.Hi+1
	default:
		a.Lo, a.Hi = e.Lo, e.Hi
	}
	return a
}

// Axis returns the axis with the range and some room on either side. An axis that has a range keeps it.
func (e *Extent) Axis(a Axis) Axis {
	lo, hi := e.Lo, e.Hi
	switch {
	case a.Hi > a.Lo:
		return a
	case !e.Some && e.Scale == Linear:
		lo, hi = 0, 1
	case !e.Some:
		lo, hi = 1, 10
	case e.Scale != Linear:
		lo, hi = lo/1.15, hi*1.15
		if hi/lo < 3 {
			mid := math.Sqrt(float64(lo * hi))
			lo, hi = mid/math.Sqrt(3), float64(mid*math.Sqrt(3))
		}
	case a.FromZero && lo >= 0:
		if lo, hi = 0, hi*1.06; hi == 0 {
			hi = 1
		}
	default:
		pad := float64((hi - lo) * 0.06)
		if pad == 0 {
			pad = float64(math.Abs(hi)*0.1) + 1
		}
		lo, hi = lo-pad, hi+pad
	}
	a.Lo, a.Hi = lo, hi
	return a
}

// spot is a position: in a field from 0 to 1, from its lower left corner, or in a picture
// in pixels, from its upper left corner.
type spot struct{ x, y float64 }

// spots returns the positions of the items of a list, in their order.
func spots[T any](list []T, at func(T) spot) []spot {
	var out []spot
	for _, x := range list {
		out = append(out, at(x))
	}
	return out
}
