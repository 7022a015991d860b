package histo

import (
	"fmt"
	"math/big"
	"math/bits"
)

// scale turns ticks into latency bins. Bin b holds [b·width, (b+1)·width) of
// exact time; the last bin is open. The quotient floor(ticks·num/den) is
// computed by multiplication with a rounded-up reciprocal, to 128 bits. The
// shift is chosen to make it exact below topTicks.
type scale struct {
	topTicks int64  // first tick of the open bin
	mul      uint64 // num/den, times 2 to the power of shift + leastShift
	shift    uint8
	top      uint32 // index of the open bin
}

// leastShift is the least k of a reciprocal: bin doubles the ticks and takes the upper 64 bits of their product.
const leastShift = 63

// newScale returns the scale of bins of widthNs, the last of which is open.
//
// With m = ceil(2^k·num/den), ticks·m/2^k exceeds ticks·num/den by less than
// ticks/2^k. A quotient is at least 1/den below the next integer, so it never
// reaches that integer if topTicks·den ≤ 2^k.
func newScale(tickHz, widthNs int64, bins int) (scale, error) {
	perTick := new(big.Rat).SetFrac(big.NewInt(1_000_000_000), new(big.Int).Mul(big.NewInt(tickHz), big.NewInt(widthNs)))
	num, den := perTick.Num(), perTick.Denom()
	ceil := func(a, b *big.Int) *big.Int { // a/b rounded up
		a.Add(a, b)
		return a.Quo(a.Sub(a, big.NewInt(1)), b)
	}
	// The first tick whose bin is bins-1: ceil((bins-1)·den/num).
	top := ceil(new(big.Int).Mul(big.NewInt(int64(bins-1)), den), num)
	// 2^k > topTicks·den, as the proof wants.
	k := max(top.BitLen()+den.BitLen(), leastShift)
	m := ceil(new(big.Int).Lsh(num, uint(k)), den)
	if m.BitLen() > 64 || top.BitLen() > 62 {
		return scale{}, fmt.Errorf("histo: LatencyNs: bins of %d ns of a %d Hz clock are no ratio that fits 64 bits; want fewer bins or a width and frequency with common factors", widthNs, tickHz)
	}
	return scale{topTicks: top.Int64(), mul: m.Uint64(), shift: uint8(k - leastShift), top: uint32(bins - 1)}, nil
}

// bin returns the bin of a latency that is not negative.
func (s *scale) bin(ticks int64) uint32 {
	if ticks >= s.topTicks {
		return s.top
	}
	product, _ := bits.Mul64(uint64(ticks)<<1, s.mul)
	// The mask tells the compiler that the shift is below 64.
	return uint32(product >> (s.shift & 63))
}

// u128 is an unsigned sum of squares that cannot overflow.
type u128 struct{ hi, lo uint64 }

func (a u128) plus(b u128) u128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return u128{hi, lo}
}

func (a u128) minus(b u128) u128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return u128{hi, lo}
}

func (a u128) big() *big.Int {
	x := new(big.Int).SetUint64(a.hi)
	x.Lsh(x, 64)
	return x.Add(x, new(big.Int).SetUint64(a.lo))
}
