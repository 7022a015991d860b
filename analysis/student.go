package analysis

import "math"

// z975 is the 97.5 % quantile of the standard normal distribution.
const z975 = 1.959963984540054

// t975 is the 97.5 % quantile of Student's t with df degrees of freedom, the
// half width of a 95 % interval in standard errors. From three degrees on it
// is the expansion in 1/df of Abramowitz and Stegun 26.7.5, which is low by
// 1.2 parts in a thousand at three and less beyond.
func t975(df int64) float64 {
	switch {
	case df < 1:
		return math.Inf(1)
	case df == 1:
		return 12.706204736432095
	case df == 2:
		return 4.302652729696142
	}
	const (
		z  = z975
		z3 = z * z * z
		z5 = z3 * z * z
		z7 = z5 * z * z
		z9 = z7 * z * z

		g1 = (z3 + z) / 4
		g2 = (5*z5 + 16*z3 + 3*z) / 96
		g3 = (3*z7 + 19*z5 + 17*z3 - 15*z) / 384
		g4 = (79*z9 + 776*z7 + 1482*z5 - 1920*z3 - 945*z) / 92160
	)
	n := float64(df)
	return z + float64((g1+float64((g2+float64((g3+g4/n)/n))/n))/n)
}

// estimate is a mean with its standard error and that error's degrees of
// freedom; df 0 says that the error is not known.
type estimate struct {
	value, se float64
	df        int64
}

// interval is the 95 % confidence interval, false when it is not known.
func (e estimate) interval() (lo, hi float64, ok bool) {
	if e.df < 1 {
		return 0, 0, false
	}
	half := float64(e.se * t975(e.df))
	return e.value - half, e.value + half, true
}

// minus is the difference of two independent estimates, with the degrees of
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
