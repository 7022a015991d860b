package hunt

import (
	"math/rand/v2"

	"github.com/sigview/sigview/internal/portable"
)

// draw draws parts of a case.
type draw struct{ *rand.Rand }

func (d draw) chance(p float64) bool { return d.Float64() < p }

// between draws a number whose logarithm is evenly distributed.
func (d draw) between(lo, hi float64) float64 { return lo * portable.Pow(hi/lo, d.Float64()) }

func pick[T any](d draw, from []T) T { return from[d.IntN(len(from))] }
