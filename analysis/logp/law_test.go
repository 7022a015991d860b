package logp

import (
	"math"
	"math/rand/v2"
)

// law is the cost law of Culler et al., section 3.1, simulated request by
// request: nothing of it is in closed form, and no code is shared with the
// extraction.
type law struct {
	os, or, l, g float64
	capacity     int // requests outstanding
}

func (p law) rtt() float64 { return 2 * (p.os + p.l + p.or) }

// cost is the time per message of a burst.
func (p law) cost(m int, deltaUs float64) float64 {
	now, last := 0.0, math.Inf(-1)
	var replies []float64 // when they arrive
	for range m {
		for len(replies) > 0 && (replies[0] <= now || len(replies) == p.capacity) {
			now = max(now, replies[0]) + p.or
			replies = replies[1:]
		}
		now += p.os
		last = max(now+p.rtt()-p.os-p.or, last+p.g)
		replies = append(replies, last)
		now += deltaUs
	}
	return now / float64(m)
}

// noise makes one sample of a time.
type noise func(r *rand.Rand, us float64) float64

func exact(_ *rand.Rand, us float64) float64 { return us }

// gaussian with a tenth of the time.
func gaussian(r *rand.Rand, us float64) float64 { return us * (1 + 0.1*r.NormFloat64()) }

// ticks are rare and long: one sample in ten takes twice as long, the others
// a little less, so that the mean is the time itself.
func ticks(r *rand.Rand, us float64) float64 {
	us *= 1 + 0.01*r.NormFloat64() - 0.1
	if r.Float64() < 0.1 {
		us += us / 0.9
	}
	return us
}

func sample(r *rand.Rand, us float64, n noise) Mean {
	s := NewSampler(Culler())
	for !s.Done() {
		s.Add(n(r, us))
	}
	return s.Mean()
}

// powers are 1, 2, 4 … up to most.
func powers(most int) []int {
	var ms []int
	for m := 1; m <= most; m *= 2 {
		ms = append(ms, m)
	}
	return ms
}

func (p law) signature(r *rand.Rand, n noise, ms []int, deltasUs ...float64) Signature {
	s := Signature{RTT: sample(r, p.rtt(), n)}
	for _, d := range deltasUs {
		for _, m := range ms {
			s.Points = append(s.Points, Point{m, d, sample(r, p.cost(m, d), n)})
		}
	}
	return s
}

// steadyFrom is about the M at which Δ = 0 meets the capacity: until then the
// backlog grows by one reply in g for every message, which takes
// o_s·g/(g − o_r).
func (p law) steadyFrom() float64 {
	each := p.os * p.g / (p.g - p.or)
	return math.Max(float64(p.capacity), (float64(p.capacity)-p.rtt()/p.g)/(1-each/p.g))
}
