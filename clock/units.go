package clock

import (
	"math"
	"math/bits"
)

// FracBits is the number of fractional bits of global time.
const FracBits = 12

const subtick = 1 << FracBits

// Unbounded is the error bound of a conversion that no table covers yet.
const Unbounded = math.MaxInt64

// mulShift returns floor(a*b/2^n) for 0 < n < 64, and saturates.
func mulShift(a, b int64, n uint) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	h := int64(hi) - a>>63&b - b>>63&a
	if top := h >> (n - 1); uint64(top+1) > 1 {
		if h < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return h<<(64-n) | int64(lo>>n)
}

// round converts to int64 and saturates.
func round(x float64) int64 {
	switch {
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(math.Round(x))
}
