package why

import (
	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/trace"
)

// Estimate is the mean of a figure over runs with its 95 % interval, in the unit of the figure. With fewer than
// two runs the interval is unknown.
type Estimate struct {
	Value  float64
	Lo, Hi trace.Opt[float64]
}

// over returns the mean over runs with Student's interval.
func over(runs []float64) Estimate {
	mean, half := student.Mean(runs)
	if len(runs) < 2 {
		return Estimate{Value: mean}
	}
	return Estimate{mean, trace.Some(mean - half), trace.Some(mean + half)}
}

// less returns a − b, seed by seed. Both have the same length and the same order of seeds.
func less(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// Shown reports whether the whole interval lies above 0 or below it.
func (e Estimate) Shown() bool { return e.Lo.OK && e.Lo.Value*e.Hi.Value > 0 }
