package student

import "math"

// Z975 is the 97.5 % quantile of the standard normal distribution.
const Z975 = 1.959963984540054

// T975 returns the 97.5 % quantile of Student's t with df degrees of freedom: the half
// width of a 95 % interval in standard errors. It is infinite below one degree. From 30
// degrees on it is the expansion in 1/df of Abramowitz and Stegun 26.7.5, accurate to
// 2e-6, which takes 3 ns instead of microseconds. It is called after every batch of samples and
// for every row of a signature.
func T975(df float64) float64 {
	switch {
	case df < 1:
		return math.Inf(1)
	case df < 30:
		return Quantile(0.975, df)
	}
	const (
		z  = Z975
		z3 = z * z * z
		z5 = z3 * z * z
		z7 = z5 * z * z

		g1 = (z3 + z) / 4
		g2 = (5*z5 + 16*z3 + 3*z) / 96
		g3 = (3*z7 + 19*z5 + 17*z3 - 15*z) / 384
	)
	return z + float64((g1+float64((g2+g3/df)/df))/df)
}

// Quantile returns the value that Student's t exceeds with probability 1 - p, of a p of one half or more.
func Quantile(p, df float64) float64 {
	d := of(df)
	// The probability to exceed a positive value is convex: Newton's steps rise to the quantile,
	// and end when rounding stops them.
	for t := 0.0; ; {
		next := t + (d.survival(t)-(1-p))/d.density(t)
		if !(next > t) {
			return t
		}
		t = next
	}
}

// Survival returns the probability that Student's t exceeds a value.
func Survival(t, df float64) float64 {
	d := of(df)
	if t < 0 {
		return 1 - d.survival(-t)
	}
	return d.survival(t)
}
