package clock

import (
	"fmt"
	"math"
	"math/bits"
)

// The frequency error is constant within a segment. Segments come in blocks. Only the
// state at the start of a block is stored (16 bytes for 70 s). The segments of the last
// two blocks used are cached; those of an older block are recomputed, with the same
// values, from its start.
const (
	rateBits  = 56 // fractional bits of a frequency ratio
	rateOne   = 1 << rateBits
	blockBits = 6
	blockLen  = 1 << blockBits
)

// segment is a stretch of constant frequency.
type segment struct {
	local uint64 // local time at its start, ps
	mult  uint64 // local ps per true ps, 2^-56
}

// mark is the state at the start of a block.
type mark struct {
	local uint64
	walk  int64 // the walk's part of the frequency, 2^-56
}

type block struct {
	index    int64 // -1 when empty
	segments [blockLen]segment
}

type wander struct {
	shift     uint  // log2 of the segment in ps
	rate      int64 // constant part, 2^-56
	sine      float64
	period    uint64
	phase     uint64 // of the sine, ps into its period
	stepScale int64  // 2^-16 of a walk step per unit of noise
	seed      uint64
	marks     []mark
	blocks    [2]block
}

func (w *wander) init(s Spec) {
	w.shift = uint(bits.TrailingZeros64(uint64(s.segment())))
	w.rate = int64(math.Round(s.RatePPB * 1e-9 * rateOne))
	w.sine = s.SinePPB * 1e-9 * rateOne
	w.period = uint64(s.SinePeriodPs)
	turns := s.SineTurns - math.Floor(s.SineTurns)
	w.phase = uint64(turns * float64(w.period))
	w.stepScale = int64(math.Round(s.walkStep() / noiseSigma * (1 << 16)))
	w.seed = s.Seed
	w.marks = []mark{{local: uint64(s.OffsetPs)}}
	w.blocks[0].index, w.blocks[1].index = -1, -1
}

// walkStep returns the standard deviation of the walk's step from segment to
// segment in 2^-56. A walk of q per second adds sqrt(q*T^3/3) to the phase in T.
func (s Spec) walkStep() float64 {
	if s.WalkPs == 0 {
		return 0
	}
	period := float64(s.WalkPeriodPs)
	return s.WalkPs / period * math.Sqrt(3*float64(s.segment())/period) * rateOne
}

// at returns segment k.
func (w *wander) at(k int64) segment {
	n := k >> blockBits
	b := &w.blocks[n&1]
	if b.index != n {
		for int64(len(w.marks)) <= n {
			w.fill(int64(len(w.marks)) - 1)
		}
		if b.index != n {
			w.fill(n)
		}
	}
	return b.segments[k&(blockLen-1)]
}

// fill computes block n from its mark, and stores the next block's mark.
func (w *wander) fill(n int64) {
	b := &w.blocks[n&1]
	b.index = n
	m := w.marks[n]
	for i := range b.segments {
		k := n<<blockBits + int64(i)
		rate := w.rate + m.walk + w.sineAt(k)
		if rate < -rateOne/8 || rate > rateOne/8 {
			panic(fmt.Sprintf("clock: oscillator is off by %g of its frequency at true time %d segments of %d ps: wander is too large",
				float64(rate)/rateOne, k, int64(1)<<w.shift))
		}
		mult := uint64(rateOne + rate)
		b.segments[i] = segment{local: m.local, mult: mult}
		m.local += stretch(1<<w.shift, mult)
		m.walk += (noise(w.seed, uint64(k)) * w.stepScale) >> 16
	}
	if int64(len(w.marks)) == n+1 {
		w.marks = append(w.marks, m)
	}
}

// stretch returns floor(dt*mult/2^56).
func stretch(dt, mult uint64) uint64 {
	hi, lo := bits.Mul64(dt, mult)
	return hi<<(64-rateBits) | lo>>rateBits
}

// sineAt returns the sine's part of the frequency in the middle of segment k.
func (w *wander) sineAt(k int64) int64 {
	if w.sine == 0 {
		return 0
	}
	mid := uint64(k)<<w.shift + 1<<(w.shift-1) + w.phase
	return int64(w.sine * sineTurns(float64(mid%w.period)/float64(w.period)))
}

// sineTurns returns sin(2*pi*x) for x in [0, 1], to 1e-9. It uses a polynomial
// with each product rounded, to give the same bits on every architecture;
// math.Sin does not guarantee that.
func sineTurns(x float64) float64 {
	switch { // to a quarter turn each side of 0
	case x > 0.75:
		x -= 1
	case x > 0.25:
		x = 0.5 - x
	}
	y := 2 * math.Pi * x
	y2 := float64(y * y)
	sum := 1.0
	for n := 14.0; n >= 2; n -= 2 {
		sum = 1 - float64(y2*sum)/float64(n*(n+1))
	}
	return float64(y * sum)
}

// noiseSigma is the standard deviation of noise: four uniform 16-bit numbers.
const noiseSigma = 37837.2

// noise returns deviate k of the stream seed: nearly normal, mean 0, bounded by
// 3.5 sigma, computed from integers only.
func noise(seed, k uint64) int64 {
	z := mix(mix(seed) + k)
	return int64(z&0xffff) + int64(z>>16&0xffff) + int64(z>>32&0xffff) + int64(z>>48) - 2*0xffff
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
