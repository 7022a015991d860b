package clock

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Estimators.
const (
	// Cristian is the published estimator: the midpoint of one probe gives a
	// node's offset, and two successive tables its rate.
	Cristian = "cristian"

	// Filtered exchanges the same messages. It weights each probe by how much
	// its round trip exceeds the smallest one, uses the smallest delays of data
	// packets in both directions as additional probes, and runs a recursive
	// regression of offset, rate and change of rate over all rounds.
	Filtered = "filtered"
)

// Estimators returns the names that Protocol.Estimator may have.
func Estimators() []string { return []string{Cristian, Filtered} }

// Protocol describes the global clock of a cluster. It is the same on all
// nodes.
type Protocol struct {
	Estimator string
	Nodes     int

	HzNum, HzDen uint64 // nominal frequency of every interface's register
	WidthBits    int    // its width

	PeriodPs int64 // from round to round
	FirstPs  int64 // from the first round to the second; zero means PeriodPs/4096 or 2 ms

	Start uint32 // programs start after this round; zero: at any time

	// Assumptions of the error bounds. Estimates of Cristian do not use them;
	// Filtered derives its weights from them.
	RatePPB      float64 // largest difference in rate of two oscillators
	SinePPB      float64 // slow change of one oscillator's frequency: amplitude
	SinePeriodPs int64   // and period
	WalkPs       float64 // rms phase added by the random walk of its frequency
	WalkPeriodPs int64   // in this period
	JitterPs     int64   // largest delay of a stamp by an unloaded interface
	AsymmetryPs  int64   // largest difference between the two directions of an unloaded path
}

// Assume returns p with the register of s and error bounds for oscillators like s.
// PairPPB is the largest difference of two oscillators' rates.
func (p Protocol) Assume(s Spec, pairPPB float64) Protocol {
	p.HzNum, p.HzDen, p.WidthBits = s.HzNum, s.HzDen, s.WidthBits
	p.RatePPB = pairPPB
	p.SinePPB, p.SinePeriodPs = s.SinePPB, s.SinePeriodPs
	p.WalkPs, p.WalkPeriodPs = s.WalkPs, s.WalkPeriodPs
	return p
}

// Gap returns the time from a round, counted from 1, to the next, in ps. The first gap is
// short, every third gap doubles, and six gaps of half a period come before the full
// period. A measured rate, and its change, is therefore never used for much longer than
// it was observed. (After a pair of rounds 10 s apart, 0.5 us of noise would be an error
// of 7 us in 300 s.)
func (p Protocol) Gap(round uint32) int64 {
	gap := cmp.Or(p.FirstPs, max(p.PeriodPs/4096, firstPs))
	for gap < p.PeriodPs {
		same := uint32(3)
		if 2*gap >= p.PeriodPs {
			same = 6
		}
		if round <= same {
			return gap
		}
		round -= same
		gap *= 2
	}
	return p.PeriodPs
}

// firstPs leaves time for the packets of a round.
const firstPs = 2 * secondPs / 1000

// FirstTable returns the first round, counted from 1, whose table goes to all nodes. With many
// nodes the tables are most packets of a start-up, and programs need only the last one; the one
// before it serves nodes that lose a packet of the last. Cristian's nodes compute rates from all
// tables.
func (p Protocol) FirstTable() uint32 {
	if p.Nodes <= fewNodes || p.Estimator == Cristian {
		return 1
	}
	return max(2, p.Start) - 1
}

// InterpolatePs returns how often [Converter.Interpolate] is due: every second, or 16
// times a round if rounds are closer. With more than fewNodes nodes it is due less
// often, which keeps the work per second constant as far as rounds and the register's
// width allow. Curves are then still straight to within 10 ns.
func (p Protocol) InterpolatePs() int64 {
	often := min(secondPs, p.PeriodPs/16)
	if p.Nodes <= fewNodes {
		return often
	}
	seldom := min(int64(p.Nodes)*secondPs/fewNodes, p.PeriodPs/16)
	if most := math.Ldexp(1, min(p.WidthBits-3, strideBits)) - 1; p.ticks(seldom) > most {
		seldom = int64(most / p.ticks(secondPs) * secondPs)
	}
	return max(often, seldom)
}

const (
	fewNodes   = 64 // also the entries of the table that a node of many moves in a second
	strideBits = 30 // of the largest number of ticks between interpolations
)

func (p Protocol) check() error {
	if err := checkRegister(p.HzNum, p.HzDen, p.WidthBits); err != nil {
		return err
	}
	switch {
	case !slices.Contains(Estimators(), p.Estimator):
		return fmt.Errorf("clock: Estimator %q: want one of %s", p.Estimator, strings.Join(Estimators(), ", "))
	case p.Nodes < 2 || p.Nodes > 4096:
		return fmt.Errorf("clock: Nodes %d: want 2 to 4096", p.Nodes)
	case p.PeriodPs < secondPs/1000 || p.PeriodPs > dayPs:
		return fmt.Errorf("clock: PeriodPs %d: want a millisecond to a day", p.PeriodPs)
	case p.FirstPs < 0 || p.FirstPs > p.PeriodPs:
		return fmt.Errorf("clock: FirstPs %d: want 0 to PeriodPs (%d)", p.FirstPs, p.PeriodPs)
	case !within(p.RatePPB, 1e6):
		return fmt.Errorf("clock: RatePPB %v: want 0 to 10^6", p.RatePPB)
	case !within(p.SinePPB, 1e6):
		return fmt.Errorf("clock: SinePPB %v: want 0 to 10^6", p.SinePPB)
	case p.SinePPB > 0 && p.SinePeriodPs < p.PeriodPs:
		return fmt.Errorf("clock: SinePeriodPs %d: want at least PeriodPs (%d)", p.SinePeriodPs, p.PeriodPs)
	case !within(p.WalkPs, 1e12):
		return fmt.Errorf("clock: WalkPs %v: want 0 to 10^12", p.WalkPs)
	case p.WalkPs > 0 && p.WalkPeriodPs <= 0:
		return fmt.Errorf("clock: WalkPeriodPs %d: want a positive time", p.WalkPeriodPs)
	case p.JitterPs < 0 || p.JitterPs > secondPs/1000:
		return fmt.Errorf("clock: JitterPs %d: want 0 to a millisecond", p.JitterPs)
	case p.AsymmetryPs < 0 || p.AsymmetryPs > secondPs/1000:
		return fmt.Errorf("clock: AsymmetryPs %d: want 0 to a millisecond", p.AsymmetryPs)
	}
	switch t := p.ticks(p.InterpolatePs()); {
	case t > 1<<strideBits:
		return fmt.Errorf("clock: frequency %d/%d Hz: want at most 2^30 ticks between interpolations (%d ps apart)",
			p.HzNum, p.HzDen, p.InterpolatePs())
	case t < 8:
		return fmt.Errorf("clock: frequency %d/%d Hz: want at least 8 ticks between interpolations (%d ps apart)",
			p.HzNum, p.HzDen, p.InterpolatePs())
	case 8*t > math.Ldexp(1, p.WidthBits):
		return fmt.Errorf("clock: WidthBits %d: the register passes a quarter of its range in less than two interpolations (%d ps apart)",
			p.WidthBits, p.InterpolatePs())
	}
	return nil
}

// ticks converts picoseconds to nominal ticks.
func (p Protocol) ticks(ps int64) float64 {
	return float64(ps) * float64(p.HzNum) / (float64(p.HzDen) * secondPs)
}

// plan holds constants that the firmware derives from a Protocol: times in
// ticks, wander of one oscillator in ticks per round.
type plan struct {
	filtered bool
	nodes    int
	width    uint
	period   float64 // ticks
	stride   int64   // between interpolations, ticks
	window   int64   // of the minima of data packets, ticks
	rate     float64 // largest difference of two clocks, ticks per round
	sine     float64 // amplitude of one's rate by its sine, ticks per round
	bend     float64 // largest change of that rate by one's sine, ticks per round^2
	turn     float64 // advance of the sine's phase, radians per round
	walk     float64 // rms phase by the frequency's walk, ticks in one round
	jitter   float64 // ticks
	skew     float64 // error by asymmetry, ticks
}

func (p Protocol) plan() plan {
	l := plan{filtered: p.Estimator == Filtered, nodes: p.Nodes, width: uint(p.WidthBits)}
	l.period = p.ticks(p.PeriodPs)
	l.stride = int64(p.ticks(p.InterpolatePs()))
	l.window = int64(l.period) / windows
	l.rate = (p.RatePPB + float64(2*p.SinePPB)) * 1e-9 * l.period
	if p.SinePPB > 0 {
		l.turn = 2 * math.Pi * float64(p.PeriodPs) / float64(p.SinePeriodPs)
		l.sine = p.SinePPB * 1e-9 * l.period
		l.bend = l.sine * l.turn
	}
	if p.WalkPs > 0 {
		// A walk's phase grows as the time to the power of 3/2.
		r := float64(p.PeriodPs) / float64(p.WalkPeriodPs)
		l.walk = p.ticks(1) * p.WalkPs * r * math.Sqrt(r)
	}
	l.jitter = p.ticks(p.JitterPs)
	l.skew = p.ticks(p.AsymmetryPs) / 2
	return l
}
