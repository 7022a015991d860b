// Package student gives the half width of 95 % intervals.
package student

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Z975 is the 97.5 % quantile of the standard normal distribution.
const Z975 = 1.959963984540054

// T975 returns the 97.5 % quantile of Student's t with df degrees of freedom: the half
// width of a 95 % interval in standard errors. It is infinite below one degree. From 30
// degrees on it is the expansion in 1/df of Abramowitz and Stegun 26.7.5, accurate to
// 2e-6, which takes 3 ns instead of 7 µs. It is called after every batch of samples and
// for every row of a signature.
func T975(df float64) float64 {
	switch {
	case df < 1:
		return math.Inf(1)
	case df < 30:
		return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.975)
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
