package hunt

import (
	"math"
	"math/rand/v2"
)

// draw draws parts of a case.
type draw struct{ *rand.Rand }

func (d draw) chance(p float64) bool { return d.Float64() < p }

// between draws a number whose logarithm is evenly distributed.
func (d draw) between(lo, hi float64) float64 { return lo * math.Pow(hi/lo, d.Float64()) }

func pick[T any](d draw, from []T) T { return from[d.IntN(len(from))] }
