package student

import (
	"math"

	"github.com/sigview/sigview/internal/portable"
)

// distribution is Student's t.
type distribution struct {
	df   float64
	peak float64 // the density at zero
}

func of(df float64) distribution {
	// The peak has the quotient of the gamma functions of w + 3/4 and w + 1/4, which is the root of
	// w but for a series in 1/w². The quotient of a smaller w follows from that of w + 1.
	w, factor := float64(df/2)-0.25, 1.0
	for ; w < 40; w++ {
		factor *= (w + 0.25) / (w + 0.75)
	}
	u := 1 / float64(w*w)
	series := float64(u * (1./64 - float64(u*(5./2048-float64(u*(61./49152))))))
	return distribution{df, factor * math.Sqrt(w/(df*math.Pi)) * portable.Exp(series)}
}

func (d distribution) density(t float64) float64 {
	return d.peak * portable.Exp(-(d.df+1)/2*portable.Log1p(t*t/d.df))
}

// survival returns the probability to exceed t, which is not negative: an incomplete beta
// function, whose fraction is taken on the side where it converges fast.
func (d distribution) survival(t float64) float64 {
	if math.IsInf(t, 1) {
		return 0
	}
	square := float64(t * t)
	rest := d.df + square
	front := float64(t * d.density(t))
	if x := d.df / rest; x < (d.df+2)/(d.df+5) {
		return float64(front / d.df * fraction(x, float64(d.df/2), 0.5))
	}
	return 0.5 - float64(front*fraction(square/rest, 0.5, float64(d.df/2)))
}

// fraction returns the continued fraction of the incomplete beta function of x, by Lentz's method.
func fraction(x, a, b float64) float64 {
	above, below, product := math.Inf(1), 1.0, 1.0
	for n := 1; n < 10000; n++ {
		m, end := float64(n/2), a+float64(n)
		term := m * (b - m) * x / (end - 1) / end
		if n%2 == 1 {
			term = -(a + m) * (a + b + m) * x / (end - 1) / end
		}
		below = 1 / (1 + float64(term*below))
		above = 1 + term/above
		step := float64(above * below)
		if product *= step; n > 1 && math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return product
}
