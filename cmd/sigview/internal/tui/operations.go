package tui

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// operationsOf sums up the operations of a trace, the costliest first.
func operationsOf(spans []trace.SpanRow, steps []trace.StepRow) []analysis.Operation {
	out := analysis.Operations(spans, steps)
	slices.SortStableFunc(out, func(a, b analysis.Operation) int {
		return cmp.Or(cmp.Compare(b.Duration.SumNs, a.Duration.SumNs), strings.Compare(nameOf(a), nameOf(b)))
	})
	return out
}

// nameOf names an operation, or a phase with its name.
func nameOf(o analysis.Operation) string { return strings.TrimSpace(o.Operation + " " + o.Name) }

// meanOf returns the mean, and half the width of its 95 % interval if the values
// are independent. Fewer than 30 values have no interval.
func meanOf(values []int64) (mean, half trace.Opt[float64]) {
	if len(values) == 0 {
		return mean, half
	}
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	m, variance := stat.MeanVariance(x, nil)
	if len(x) >= 30 {
		half = trace.Some(1.96 * math.Sqrt(variance/float64(len(x))))
	}
	return trace.Some(m), half
}
