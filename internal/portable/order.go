package portable

// Median returns the median of sorted numbers, of which there is at least one: of an even count,
// the mean of the two in the middle.
func Median[T ~int64 | ~float64](sorted []T) T {
	n := len(sorted)
	return T((sorted[(n-1)/2] + sorted[n/2]) / 2) // the conversion keeps arm64 from fusing it with a caller's sum
}

// Percentile returns the least of sorted numbers that so many per cent of them do not exceed.
func Percentile[T ~int64 | ~float64](sorted []T, percent int) T {
	return sorted[max(1, (len(sorted)*percent+99)/100)-1]
}
