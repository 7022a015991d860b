package clock

import (
	"fmt"
	"math/bits"
)

// Oscillator maps true time to the ticks of one interface. It is a pure
// function of its Spec: results do not depend on the order of calls.
type Oscillator struct {
	// The segment in use. Within it, ticks are first + floor((rem + dl*num)/den),
	// where dl is the local time since its start.
	start int64  // true time, ps
	span  uint64 // its length, ps; 0 before the first use
	first uint64
	// Nearly the same in ticks of 2^-64: dt true picoseconds after its start, fraction + dt*slope.
	// The integer part is exact if the fraction is between low and low + sure.
	slope     uint64
	fraction  uint64
	low, sure uint64

	mult  uint64 // local per true time, 2^-56
	rem   uint64
	num   uint64 // ticks per picosecond, num/den
	den   uint64
	recip uint64 // floor(num*2^64/den)

	mask   uint64
	wander wander
}

// NewOscillator returns the oscillator that s describes, or an error that
// names the field, its value and what was wanted.
func NewOscillator(s Spec) (*Oscillator, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	o := &Oscillator{mask: ^uint64(0) >> (64 - s.WidthBits)}
	o.num, o.den = s.ratio()
	o.recip, _ = bits.Div64(o.num, 0, o.den)
	o.wander.init(s)
	return o, nil
}

// Ticks returns the number of ticks that have passed by truePs, the offset
// included: the largest n with n*10^12*HzDen/HzNum <= local time. It panics
// for negative times.
func (o *Oscillator) Ticks(truePs int64) uint64 {
	dt := uint64(truePs - o.start)
	ticks, part := bits.Mul64(dt, o.slope)
	part, carry := bits.Add64(part, o.fraction, 0)
	if dt < o.span && part-o.low < o.sure {
		return o.first + ticks + carry
	}
	return o.exactly(truePs)
}

// exactly is Ticks of any time.
func (o *Oscillator) exactly(truePs int64) uint64 {
	dt := uint64(truePs - o.start)
	if dt >= o.span {
		o.seek(truePs)
		dt = uint64(truePs - o.start)
	}
	hi, lo := bits.Mul64(dt, o.mult)
	dl := hi<<(64-rateBits) | lo>>rateBits
	// The reciprocal is too small by less than 2^-64, so q is short by at most
	// one tick of dl's and one of rem's, and the remainder, taken modulo 2^64,
	// is below 3*den: exact, without a division.
	q, _ := bits.Mul64(dl, o.recip)
	r := o.rem + dl*o.num - q*o.den
	for r >= o.den {
		r -= o.den
		q++
	}
	return o.first + q
}

// Counter returns the hardware register at truePs: Ticks modulo 2^WidthBits.
func (o *Oscillator) Counter(truePs int64) uint64 {
	return o.Ticks(truePs) & o.mask
}

// seek makes the segment of truePs the one in use.
func (o *Oscillator) seek(truePs int64) {
	if truePs < 0 {
		panic(fmt.Sprintf("clock: oscillator at true time %d ps, want 0 or more", truePs))
	}
	k := truePs >> o.wander.shift
	s := o.wander.at(k)
	o.start = k << o.wander.shift
	o.span = 1 << o.wander.shift
	o.mult = s.mult
	hi, lo := bits.Mul64(s.local, o.num)
	o.first, o.rem = bits.Div64(hi, lo, o.den)
	o.approximate()
}

// approximate sets the factors of the segment in use. Local time is a whole number of picoseconds, so that the
// exact count may be less than the approximate one by a picosecond's worth. The slope is too small by less than
// 3: by one of its own and by the reciprocal's times mult, which is less than 2; the fraction by less than 1.
func (o *Oscillator) approximate() {
	hi, lo := bits.Mul64(o.recip, o.mult)
	o.slope = hi<<(64-rateBits) | lo>>rateBits
	o.fraction, _ = bits.Div64(o.rem, 0, o.den)
	o.low = o.recip + 2
	o.sure = 0
	if lost := o.low + 3*o.span + 2; hi>>rateBits == 0 && o.span < 1<<60 && lost > o.low {
		o.sure = -lost
	}
}
