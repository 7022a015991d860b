package portable

// Mean returns the mean of x, each as often as its weight says; nil: once.
func Mean(x, weights []float64) float64 {
	mean, _ := weighted(x, weights)
	return mean
}

func weighted(x, weights []float64) (mean, count float64) {
	sum := 0.0
	for i, v := range x {
		w := weight(weights, i)
		sum += float64(w * v)
		count += w
	}
	return sum / count, count
}

func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// MeanVariance returns the mean of x and the unbiased variance of one of them, which is not a
// number for fewer than two.
func MeanVariance(x, weights []float64) (mean, variance float64) {
	mean, count := weighted(x, weights)
	var squares, rest float64 // rest: what rounding has left in the mean
	for i, v := range x {
		w, d := weight(weights, i), v-mean
		squares += float64(w * d * d)
		rest += float64(w * d)
	}
	return mean, (squares - float64(rest*rest)/count) / (count - 1)
}
