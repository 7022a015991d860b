package logp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/internal/portable"
)

const (
	// maxUs is the longest time accepted as a measurement, eleven days: a longer one is
	// an overflow or has a wrong unit.
	maxUs = 1e12
	// exactUs is the half width below which a time counts as exact: a
	// thousandth of the model's picosecond.
	exactUs = 1e-9
)

// reading is a value, of either sign, with the half width of its 95 % interval.
// Half widths of independent readings add in quadrature, as standard errors do.
type reading struct{ v, half float64 }

// reading returns the mean with the half width of its interval.
func (m Mean) reading() reading { return reading{m.Value, float64((m.Hi - m.Lo) / 2)} }

// check returns what is wrong with a mean: not measured, out of 0 to maxUs, or outside of its interval; "" if
// it can be used.
func (m Mean) check() string {
	switch {
	case m.N < 1:
		return "not measured"
	case !(m.Value >= 0 && m.Value <= maxUs):
		return fmt.Sprintf("%g is not a valid time, wanted 0 to %g µs", m.Value, maxUs)
	case !(m.Lo <= m.Value && m.Value <= m.Hi && m.Hi-m.Lo <= maxUs):
		return fmt.Sprintf("interval [%g, %g] does not contain %g", m.Lo, m.Hi, m.Value)
	}
	return ""
}

// Estimate returns the mean as a parameter. If it cannot be used, the reason begins with the parameter's name.
func (m Mean) Estimate(name string) Estimate {
	if why := m.check(); why != "" {
		return Estimate{Reason: name + ": " + why}
	}
	return m.reading().estimate("")
}

// plus returns r + s of independent readings.
func (r reading) plus(s reading) reading {
	return reading{r.v + s.v, portable.Hypot(r.half, s.half)}
}

// minus returns r − s of independent readings.
func (r reading) minus(s reading) reading {
	return reading{r.v - s.v, portable.Hypot(r.half, s.half)}
}

// times returns k·r, for k of 0 or more.
func (r reading) times(k float64) reading { return reading{float64(r.v * k), float64(r.half * k)} }

// estimate returns the reading as a parameter, cut off at 0. A reading that is negative by more than its half
// width is not identifiable; negative is the reason, to which the value is added.
func (r reading) estimate(negative string) Estimate {
	if !finite(r.v) || !finite(r.half) {
		return Estimate{Reason: "the measurements give no finite value"}
	}
	hi := r.v + r.half
	if hi < -exactUs {
		return Estimate{Reason: fmt.Sprintf("%s (%.4g µs)", negative, r.v)}
	}
	return Estimate{Value: math.Max(0, r.v), Lo: math.Max(0, r.v-r.half), Hi: math.Max(0, hi)}
}

// constant returns the weighted mean of readings that should be equal, and their residual.
//
// The error of a reading is assumed proportional to its size, or equal for all if sizes is nil. The half width
// is that of the readings, widened if they scatter more than it allows (Birge's ratio). For exact readings it
// is that of their scatter.
func constant(rs []reading, sizes []float64, of string) (reading, Residual) {
	v, half, w := columns(rs, sizes)
	mean := portable.Mean(v, w)
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	alpha, off := make([]float64, len(v)), make([]float64, len(v))
	for i := range v {
		alpha[i] = w[i] / sum
		off[i] = v[i] - mean
	}
	_, width := spread(alpha, half, off, 1)
	return reading{mean, width}, residual(of, off)
}

// line is y = a + b·x through readings. a and b have half widths that include the scatter about the line.
type line struct {
	a, b           reading
	noiseA, noiseB float64   // half widths that come from the readings alone
	off            []float64 // measured − line
	residual       Residual
}

// at returns the line's value at x, with the half width that comes from the readings' own. It is too large
// rather than too small, because the errors of a and b have opposite signs.
func (l line) at(x float64) reading {
	return reading{l.a.v + float64(l.b.v*x), portable.Hypot(l.noiseA, l.noiseB*x)}
}

// fit draws a line through readings at x by weighted least squares. There have to be two different x. Sizes are
// as for constant.
func fit(x []float64, rs []reading, sizes []float64, of string) line {
	v, half, w := columns(rs, sizes)
	mean, level := portable.Mean(x, w), portable.Mean(v, w)
	var sum, sxx, b float64
	for i := range x {
		sum += w[i]
		d := x[i] - mean
		sxx += float64(w[i] * d * d)
	}
	// Both coefficients are weighted sums of the readings; these are the weights.
	alpha, beta, off := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		beta[i] = w[i] * (x[i] - mean) / sxx
		alpha[i] = w[i]/sum - float64(mean*beta[i])
		b += float64(beta[i] * (v[i] - level))
	}
	a := level - float64(b*mean)
	for i := range x {
		off[i] = v[i] - a - float64(b*x[i])
	}
	l := line{a: reading{v: a}, b: reading{v: b}, off: off, residual: residual(of, off)}
	l.noiseA, l.a.half = spread(alpha, half, off, 2)
	l.noiseB, l.b.half = spread(beta, half, off, 2)
	return l
}

// columns splits readings into values, half widths and weights of a fit.
//
// The weights are 1/size² and do not follow the measured half widths: samples that happened to miss a timer
// tick have both a low mean and a narrow interval, and would bias the result. If only some readings are exact,
// they count as 20 times as accurate as the best of the others.
func columns(rs []reading, sizes []float64) (v, half, w []float64) {
	least := math.Inf(1)
	for _, r := range rs {
		if r.half > exactUs {
			least = math.Min(least, r.half)
		}
	}
	inexact := !math.IsInf(least, 1)
	largest := 0.0
	for _, x := range sizes {
		largest = math.Max(largest, x)
	}
	for i, r := range rs {
		h, rel := 0.0, 1.0
		if largest > 0 {
			rel = math.Max(sizes[i]/largest, 1e-6) // no size is all of it
		}
		switch {
		case inexact && r.half <= exactUs:
			h, rel = least/20, rel/20
		case inexact:
			h = r.half
		}
		v, half, w = append(v, r.v), append(half, h), append(w, 1/float64(rel*rel))
	}
	return v, half, w
}

// spread returns the half width of Σ factor·v: own, from the half widths of the v alone, and width, own times
// √(χ²/df) if the v scatter more about the law than their half widths say. df is the number of v less that of
// the law's parameters. If all v are exact, width is that of their scatter (Student).
func spread(factor, half, off []float64, parameters int) (own, width float64) {
	df := float64(len(off) - parameters)
	var chi2, squares, factors float64
	for i, f := range factor {
		own = portable.Hypot(own, f*half[i])
		squares += float64(off[i] * off[i])
		factors = portable.Hypot(factors, f)
		if half[i] > 0 {
			x := student.Z975 * off[i] / half[i]
			chi2 += float64(x * x)
		}
	}
	switch {
	case df < 1:
		return own, own
	case own > 0:
		return own, float64(own * math.Sqrt(math.Max(1, chi2/df)))
	}
	return 0, float64(student.T975(df) * math.Sqrt(squares/df) * factors)
}

// residual returns the misfit of measurements to a law, by how far each is off in µs.
func residual(of string, off []float64) Residual {
	r := Residual{Of: of, Points: len(off)}
	for _, x := range off {
		r.RMSUs += float64(x * x)
		r.MaxUs = math.Max(r.MaxUs, math.Abs(x))
	}
	if len(off) > 0 {
		r.RMSUs = math.Sqrt(r.RMSUs / float64(len(off)))
	}
	return r
}

// Mean is a mean of N samples with its 95 % confidence interval, in the unit
// of the samples (µs throughout this package). N 0 says not measured.
type Mean struct {
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	N      int     `json:"n"`
	Capped bool    `json:"capped,omitempty"` // wanted accuracy not reached
}

// Resolved returns the mean with an interval of at least ±fraction of its value. Equal samples give an interval
// of 0, which says too much.
func (m Mean) Resolved(fraction float64) Mean {
	least := float64(fraction * m.Value)
	m.Lo, m.Hi = min(m.Lo, m.Value-least), max(m.Hi, m.Value+least)
	return m
}

// Residual is the misfit of measurements to a law, µs.
type Residual struct {
	Of     string  `json:"of"`
	RMSUs  float64 `json:"rms_us"`
	MaxUs  float64 `json:"max_us"` // largest absolute value
	Points int     `json:"points"`
}
