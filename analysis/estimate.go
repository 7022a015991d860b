package analysis

import (
	"math"

	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// estimate is a mean with its standard error and the degrees of freedom of that error.
// The error is unknown when df is 0.
type estimate struct {
	value, se float64
	df        int64
}

// interval returns the 95 % confidence interval; false when the error is unknown.
func (e estimate) interval() (lo, hi float64, ok bool) {
	if e.df < 1 {
		return 0, 0, false
	}
	half := float64(e.se * student.T975(float64(e.df)))
	return e.value - half, e.value + half, true
}

// minus returns the difference of two independent estimates, with the degrees of
// freedom of Welch and Satterthwaite, rounded down.
func (e estimate) minus(f estimate) estimate {
	d := estimate{value: e.value - f.value}
	if e.df < 1 || f.df < 1 {
		return d
	}
	a, b := float64(e.se*e.se), float64(f.se*f.se)
	d.se = math.Sqrt(a + b)
	d.df = min(e.df, f.df)
	if den := float64(a*a)/float64(e.df) + float64(b*b)/float64(f.df); den > 0 {
		sum := a + b
		d.df = int64(math.Min(math.Max(math.Floor(float64(sum*sum)/den), float64(d.df)), float64(e.df+f.df)))
	}
	return d
}

// over returns the mean of a figure over runs, of those that have it, with the standard
// error of a mean of runs.
func over(runs []trace.Stat, of func(trace.Stat) trace.Opt[float64]) estimate {
	var values []float64
	for _, s := range runs {
		if v := of(s); v.OK {
			values = append(values, v.Value)
		}
	}
	if len(values) == 0 {
		return estimate{value: math.NaN()}
	}
	if len(values) == 1 {
		return estimate{value: values[0]}
	}
	mean, variance := portable.MeanVariance(values, nil)
	n := len(values)
	return estimate{mean, math.Sqrt(variance) / math.Sqrt(float64(n)), int64(n - 1)}
}

// opt returns the value, missing if there is none.
func (e estimate) opt() trace.Opt[float64] {
	if math.IsNaN(e.value) {
		return trace.Opt[float64]{}
	}
	return trace.Some(e.value)
}
