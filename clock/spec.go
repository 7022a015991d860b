package clock

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Spec describes an oscillator and the register that counts it. Local time is
// true time stretched by 1 + Rate + sine + walk. Tick n occurs at local time
// n*10^12*HzDen/HzNum picoseconds, computed exactly.
type Spec struct {
	HzNum, HzDen uint64 // nominal frequency in Hz, an exact ratio below 1 THz
	WidthBits    int    // width of the hardware register, 16 to 64

	OffsetPs int64   // local time at true time 0, not negative
	RatePPB  float64 // constant error of the frequency

	SinePPB      float64 // amplitude of a slow sine (day and night) in the frequency
	SinePeriodPs int64   // its period
	SineTurns    float64 // its phase at true time 0, in turns

	WalkPs       float64 // rms phase that the frequency's random walk adds in WalkPeriodPs
	WalkPeriodPs int64

	// SegmentPs is the time for which the frequency is constant, a power of
	// two. The zero value means 2^40 ps, 1.1 s.
	SegmentPs int64

	Seed uint64 // of the random walk
}

const (
	secondPs = 1_000_000_000_000
	dayPs    = 86_400 * secondPs

	defaultSegmentPs = 1 << 40

	// roundPs is the period over which the reference set states its wander.
	roundPs = 300 * secondPs

	// referenceWalkPs keeps what the walks of any two of 64 nodes add to their
	// difference below 0.3 us per 300 s throughout a day (5.3 sigma).
	referenceWalkPs = 40_000
	referenceSine   = 100 // ppb
	referenceRate   = 1500
	harshRate       = 50_000
	harshFactor     = 10
)

// Perfect returns a 33 MHz clock without offset, rate or wander.
func Perfect() Spec {
	return Spec{HzNum: 33_000_000, HzDen: 1, WidthBits: 32}
}

// Reference returns node's oscillator of the reference set: pairwise rates up
// to 3 ppm, a 24 h sine of 0.1 ppm of the node's own phase, a random walk of
// the frequency that adds less than 0.3 us per 300 s, and a start up to two
// hours before true time 0.
func Reference(seed uint64, node int) Spec {
	return drawn(seed, node, referenceRate, 1)
}

// Harsh returns node's oscillator of the harsh set: rates within 50 ppm and
// ten times the wander (sine and walk) of the reference set.
func Harsh(seed uint64, node int) Spec {
	return drawn(seed, node, harshRate, harshFactor)
}

func drawn(seed uint64, node int, ratePPB, wander float64) Spec {
	r := rand.New(rand.NewPCG(seed, uint64(node)))
	s := Perfect()
	s.OffsetPs = r.Int64N(7200 * secondPs)
	s.RatePPB = ratePPB * (2*float64(r.Float64()) - 1)
	s.SinePPB = referenceSine * wander
	s.SinePeriodPs = dayPs
	s.SineTurns = r.Float64()
	s.WalkPs = referenceWalkPs * wander
	s.WalkPeriodPs = roundPs
	s.Seed = r.Uint64()
	return s
}

// Accelerate returns the spec with a wander (sine and walk, not offset or rate) that
// runs factor times as fast and reaches the same phase. Rounds that are factor times
// as close then see the same wander per round. For the length of a segment, factor is
// rounded down to a power of two.
func (s Spec) Accelerate(factor float64) Spec {
	if !(factor >= 1) {
		panic(fmt.Sprintf("clock: accelerate by %v, want at least 1", factor))
	}
	s.SinePPB *= factor
	s.SinePeriodPs = int64(float64(s.SinePeriodPs) / factor)
	s.WalkPeriodPs = int64(float64(s.WalkPeriodPs) / factor)
	s.SegmentPs = max(s.segment()>>(bits.Len64(uint64(factor))-1), 1<<20)
	return s
}

func (s Spec) segment() int64 { return cmp.Or(s.SegmentPs, defaultSegmentPs) }

// ratio returns ticks per picosecond as a reduced fraction.
func (s Spec) ratio() (num, den uint64) {
	return ratio(s.HzNum, s.HzDen)
}

func ratio(hzNum, hzDen uint64) (num, den uint64) {
	g := gcd(hzNum, hzDen)
	num, den = hzNum/g, hzDen/g
	g = gcd(num, secondPs)
	return num / g, den * (secondPs / g)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func checkRegister(num, den uint64, width int) error {
	switch {
	case num == 0 || num > 1e18:
		return fmt.Errorf("clock: HzNum %d: want 1 to 10^18", num)
	case den == 0 || den > 1e6:
		return fmt.Errorf("clock: HzDen %d: want 1 to 10^6", den)
	case num/den >= secondPs:
		return fmt.Errorf("clock: frequency %d/%d Hz: want below 1 THz", num, den)
	case width < 16 || width > 64:
		return fmt.Errorf("clock: WidthBits %d: want 16 to 64", width)
	}
	return nil
}

// within reports whether 0 <= v <= limit; false for NaN.
func within(v, limit float64) bool { return v >= 0 && v <= limit }

func (s Spec) check() error {
	if err := checkRegister(s.HzNum, s.HzDen, s.WidthBits); err != nil {
		return err
	}
	seg := s.segment()
	switch {
	case s.OffsetPs < 0 || s.OffsetPs > 1<<62:
		return fmt.Errorf("clock: OffsetPs %d: want 0 to 2^62", s.OffsetPs)
	case !within(math.Abs(s.RatePPB), 1e7):
		return fmt.Errorf("clock: RatePPB %v: want within 10^7 (1 %%)", s.RatePPB)
	case !within(s.SinePPB, 1e7):
		return fmt.Errorf("clock: SinePPB %v: want 0 to 10^7", s.SinePPB)
	case !within(math.Abs(s.SineTurns), 1):
		return fmt.Errorf("clock: SineTurns %v: want within one turn", s.SineTurns)
	case s.SinePPB > 0 && s.SinePeriodPs < 16*seg:
		return fmt.Errorf("clock: SinePeriodPs %d: want at least 16 segments of %d ps", s.SinePeriodPs, seg)
	case !within(s.WalkPs, 1e12):
		return fmt.Errorf("clock: WalkPs %v: want 0 to 10^12", s.WalkPs)
	case s.WalkPs > 0 && s.WalkPeriodPs < seg:
		return fmt.Errorf("clock: WalkPeriodPs %d: want at least a segment of %d ps", s.WalkPeriodPs, seg)
	case seg < 1<<20 || seg > 1<<40 || seg&(seg-1) != 0:
		return fmt.Errorf("clock: SegmentPs %d: want a power of two from 2^20 to 2^40", s.SegmentPs)
	case s.walkStep() > 1<<40:
		return fmt.Errorf("clock: WalkPs %v per WalkPeriodPs %d: want a frequency step below 2^-16 per segment",
			s.WalkPs, s.WalkPeriodPs)
	}
	return nil
}
