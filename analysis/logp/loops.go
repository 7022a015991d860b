package logp

import (
	"cmp"
	"context"
	"math"

	"github.com/sigview/sigview/internal/portable"
)

// Pair takes the samples of code fragments between two nodes, in µs (Araki et al., Figure 3).
type Pair interface {
	// HalfRTT returns half of the mean round trip of several rounds.
	HalfRTT(rounds int) (float64, error)
	// SendGap and ReceiveGap return the time per message of a loop at the sender, or at the receiver.
	SendGap(Loop) (float64, error)
	ReceiveGap(Loop) (float64, error)
}

// Loop is a program's loop over messages with a spin after each.
type Loop struct {
	Warm     int // messages before the timed ones, which fill queues and windows
	Messages int // timed
	SpinUs   float64
}

// Loops measures by code fragments. After the first error, which Err keeps, measurements are zero.
type Loops struct {
	Ctx      context.Context
	Pair     Pair
	Times    int  // how often each measurement is taken at least
	Accurate bool // it is taken until the mean is accurate
	// Resolution is the least half width of an interval, as a fraction of the mean: samples of a
	// simulation may all be equal.
	Resolution float64
	Err        error
}

// Batches of a measurement that is taken until it is accurate.
const (
	repeats     = 3
	mostRepeats = 60
)

// HalfRTT measures half of the round trip, each sample over so many rounds.
func (l *Loops) HalfRTT(rounds int) Mean {
	return l.repeat(func() (float64, error) { return l.Pair.HalfRTT(rounds) })
}

// Sender measures the gap at the sender, and Receiver that at the receiver: without delay, and with delays of
// half, once and twice the gap without.
func (l *Loops) Sender(loop Loop) []Gap   { return l.delayed(l.Pair.SendGap, loop) }
func (l *Loops) Receiver(loop Loop) []Gap { return l.delayed(l.Pair.ReceiveGap, loop) }

// Sent measures the time per message of a number of messages on an idle layer.
func (l *Loops) Sent(messages int) Mean {
	return l.repeat(func() (float64, error) { return l.Pair.SendGap(Loop{Messages: messages}) })
}

// delayed measures a gap without delay and with the delays of Sender.
func (l *Loops) delayed(gap func(Loop) (float64, error), loop Loop) (out []Gap) {
	base := 0.0
	for _, part := range []float64{0, 0.5, 1, 2} {
		loop.SpinUs = 0
		if part > 0 {
			loop.SpinUs = RoundDelay(part * base)
		}
		m := l.repeat(func() (float64, error) { return gap(loop) })
		if part == 0 {
			base = m.Value
		}
		out = append(out, Gap{DeltaUs: loop.SpinUs, Gap: m})
	}
	return out
}

// repeat returns the mean of several samples: Times of them, or until the mean is accurate.
func (l *Loops) repeat(measure func() (float64, error)) Mean {
	s := NewSampler(Enough{Batch: repeats, Relative: Culler().Relative, MaxBatches: mostRepeats / repeats})
	for i := 0; i < l.Times || l.Accurate && !s.Done(); i++ {
		l.Err = cmp.Or(l.Err, l.Ctx.Err())
		if l.Err != nil {
			return Mean{}
		}
		var us float64
		if us, l.Err = measure(); l.Err == nil {
			s.Add(us)
		}
	}
	m := s.Mean().Resolved(l.Resolution)
	m.Capped = m.Capped && m.N > 1
	return m
}

// RoundDelay rounds a delay up to two digits, as one would type it.
func RoundDelay(us float64) float64 {
	if us <= 0 {
		return 0.1
	}
	unit := math.Pow10(int(math.Floor(portable.Log10(us))) - 1)
	if unit >= 1 {
		return math.Ceil(us/unit) * unit
	}
	per := math.Round(1 / unit) // a whole number, so that the quotient is the nearest decimal
	return math.Ceil(us*per) / per
}
