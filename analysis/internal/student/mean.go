package student

import "math"

// Mean returns the mean of values and half the width of its 95 % interval, which is infinite
// for fewer than two.
func Mean(values []float64) (mean, half float64) {
	n := float64(len(values))
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean = sum / n
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, float64(math.Sqrt(squares/(n-1)/n) * T975(n-1))
}
