package sim

import "math/bits"

// Stream is an independent random stream, named by the path of the component that draws
// from it. An additional draw in one component does not affect others. The generator is
// SplitMix64.
type Stream struct{ state uint64 }

// Stream returns the stream of the component path, a function of the engine's
// seed and the path alone.
func (e *Engine) Stream(path string) Stream { return NewStream(e.seed, path) }

// NewStream returns the stream of path under seed.
func NewStream(seed uint64, path string) Stream {
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(path); i++ {
		h = (h ^ uint64(path[i])) * 0x100000001b3
	}
	s := Stream{state: Mix(seed+0x9e3779b97f4a7c15) ^ h}
	s.Uint64()
	return s
}

// Mix is a mixing bijection of 64 bits, the output function of SplitMix64.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	return Mix(s.state)
}

// Float64 returns a number in [0, 1).
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// Below returns an integer in [0, n); n must be positive. The bias of the
// multiplication is below n/2⁶⁴.
func (s *Stream) Below(n int) int {
	return int(s.below(uint64(n)))
}

func (s *Stream) below(n uint64) uint64 {
	hi, _ := bits.Mul64(s.Uint64(), n)
	return hi
}

// Upto returns a duration in [0, d), or 0 when d is not positive.
func (s *Stream) Upto(d Duration) Duration {
	if d <= 0 {
		return 0
	}
	return Duration(s.below(uint64(d)))
}
