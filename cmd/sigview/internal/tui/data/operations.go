package data

import (
	"math"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// NameOf names an operation, or a phase with its name.
func NameOf(o analysis.Operation) string { return strings.TrimSpace(o.Operation + " " + o.Name) }

// MeanOf returns the mean, and half the width of its 95 % interval if the values
// are independent. Fewer than 30 values have no interval.
func MeanOf(values []int64) (mean, half trace.Opt[float64]) {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	return weighedMean(x, nil, len(x))
}

// MeanTime is meanOf for durations.
func MeanTime(t analysis.Times) (mean, half trace.Opt[float64]) {
	var x, weights []float64
	for ns, count := range t.All() {
		x, weights = append(x, float64(ns)), append(weights, float64(count))
	}
	return weighedMean(x, weights, int(t.Count()))
}

// weighedMean is meanOf for n values, each as often as its weight says; nil: once.
func weighedMean(x, weights []float64, n int) (mean, half trace.Opt[float64]) {
	if n == 0 {
		return mean, half
	}
	m, variance := portable.MeanVariance(x, weights)
	if n >= 30 {
		half = trace.Some(1.96 * math.Sqrt(variance/float64(n)))
	}
	return trace.Some(m), half
}
