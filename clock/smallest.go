package clock

import "math"

// smallest tracks the smallest of a series of delays over the present and the
// previous block of values. It adapts to a route that becomes longer.
type smallest struct {
	now, before ranks
	mean        float64 // moving average of the excess over about eight values
	calm        int     // values since the last one that shows load
}

const (
	smallestBlock = 512
	smallestRanks = 4

	// calmLength is how many excesses in a row show that there is no load.
	calmLength = 16
)

// ranks holds the smallest values of a block in order.
type ranks struct {
	count int
	value [smallestRanks]float64
}

func (r *ranks) add(x float64) {
	n := min(r.count, smallestRanks)
	r.count++
	if n < smallestRanks {
		r.value[n] = x
		n++
	} else if x < r.value[n-1] {
		r.value[n-1] = x
	}
	for i := n - 1; i > 0 && r.value[i] < r.value[i-1]; i-- {
		r.value[i], r.value[i-1] = r.value[i-1], r.value[i]
	}
}

// least returns the smallest value, +Inf without one.
func (r *ranks) least() float64 {
	if r.count == 0 {
		return math.Inf(1)
	}
	return r.value[0]
}

// newSmallest returns the state of an interface without load.
func newSmallest() smallest { return smallest{calm: calmLength} }

// add adds a delay.
func (s *smallest) add(x float64) {
	if s.now.count == smallestBlock {
		s.before, s.now = s.now, ranks{}
	}
	s.now.add(x)
}

// over returns by how much x exceeds the smallest delay so far, in ticks.
func (s *smallest) over(x float64) float64 { return x - min(s.now.least(), s.before.least()) }

// excess adds a delay and returns by how much it exceeds the smallest, in ticks. Invariant: it is
// >= 0.
func (s *smallest) excess(x, jitter float64) float64 {
	s.add(x)
	x = s.over(x)
	s.mean += float64((x - s.mean) / 8)
	s.calm++
	if x > 2*jitter+2 { // ticks: both ends round
		s.calm = 0
	}
	return x
}

// quiet reports whether recent excesses are those of an unloaded interface: at most
// twice the jitter each and about the jitter on average.
func (s *smallest) quiet(jitter float64) bool {
	return s.calm >= calmLength && s.mean < 1.3*jitter
}

// doubt returns how far the smallest measured delay may be above the smallest
// possible one, or the value otherwise if there are too few delays.
//
// Near its lower end, the distribution of a sum of two independent delays grows
// quadratically. The expected distances of the four smallest values from the
// end are then 0.886, 1.329, 1.662 and 1.939 of one unknown length. So the
// distance of the first from the end is 0.84 of that between the first and the
// fourth. An unloaded interface gives 1.25*jitter/sqrt(n). Four values can be
// close by chance, so doubt uses the larger estimate.
func (s *smallest) doubt(jitter, otherwise float64) float64 {
	if !s.settled() {
		return otherwise
	}
	r := &s.now
	if r.count < smallestRanks || s.before.least() < r.least() && s.before.count >= smallestRanks {
		r = &s.before
	}
	return max(0.84*(r.value[smallestRanks-1]-r.value[0]),
		1.25*jitter/math.Sqrt(float64(s.now.count+s.before.count)))
}

// settled reports whether doubt has enough values.
func (s *smallest) settled() bool { return max(s.now.count, s.before.count) >= smallestRanks }
