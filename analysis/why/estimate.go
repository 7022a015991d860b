package why

import (
	"math"

	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/trace"
)

// Estimate is the mean of a figure over runs, with its 95 % interval. The interval is
// unknown with fewer than two runs.
type Estimate struct {
	Value  float64
	Lo, Hi trace.Opt[float64]
}

// over returns the mean over runs and Student's interval.
func over(runs []float64) Estimate {
	n := float64(len(runs))
	var sum, squares float64
	for _, v := range runs {
		sum += v
	}
	mean := sum / n
	if len(runs) < 2 {
		return Estimate{Value: mean}
	}
	for _, v := range runs {
		squares += float64((v - mean) * (v - mean))
	}
	half := float64(math.Sqrt(squares/(n-1)/n) * student.T975(n-1))
	return Estimate{mean, trace.Some(mean - half), trace.Some(mean + half)}
}

// less returns the differences of two figures with the same seeds.
func less(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// Shown reports whether the figure is shown to differ from zero: its whole interval lies
// on one side.
func (e Estimate) Shown() bool { return e.Lo.OK && e.Lo.Value*e.Hi.Value > 0 }
