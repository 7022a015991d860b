package clock

import "math"

// cristian is the curve with the offset of a new table; its rate follows from that one
// and the previous one, nil if there is none.
func cristian(old *curve, e Entry, l *plan) curve {
	v := curve{epoch: int64(e.Epoch), offset: e.Offset, err0: int64(e.Error) + subtick, error: e.Error}
	perRound := float64(rateOne) / l.period
	if old == nil {
		v.err1 = round(l.rate * perRound)
		return v
	}
	span := float64(int64(e.Epoch) - old.epoch)
	rate := float64(e.Offset-old.offset) / subtick / span * rateOne
	v.rate = max(-maxRate, min(round(rate), maxRate))
	if math.Abs(rate) > maxRate {
		v.err0 = math.MaxUint32 // not a clock: faster than a conversion can follow
	}

	// The bound of the extrapolation, age a after a secant over s: both
	// offsets' errors by a*(e+e')/s, a bend D by D*a*(a+s)/2, a walk by
	// W*a*sqrt(a+s) (a and s in rounds).
	s := span / l.period
	d := cristianBend * l.bend
	w := cristianWalk * l.walk
	errors := (float64(e.Error) + float64(old.error)) / subtick / span
	v.err1 = round(float64(errors*rateOne) + float64((float64(d*s/2)+float64(w*math.Sqrt(s)))*perRound))
	v.err2 = round(float64((float64(d/2) + float64(0.45*w)/math.Sqrt(s)) * perRound / l.period * (1 << 20)))
	return v
}

// Widths of Cristian's bound, in units of the assumed wander and of the delay
// that the shortest round trip may still contain.
const (
	cristianBend  = 2.0
	cristianWalk  = 4.5
	cristianDoubt = 2.0
)

// midpoint estimates one node's clock on the coordinator by Cristian's algorithm.
type midpoint struct {
	plan  *plan
	fresh bool
	last  probe
	error float64 // ticks
	best  smallest
}

func (m *midpoint) probe(p probe, _, _ []Point) {
	roundTrip := float64(p.roundTrip())
	excess := m.best.excess(roundTrip, m.plan.jitter)
	m.last, m.fresh = p, true
	m.error = float64((excess+float64(cristianDoubt*m.best.doubt(m.plan.jitter, roundTrip/cristianDoubt)))/2) + m.plan.skew
}

func (m *midpoint) entry(node int, _ uint64) (Entry, bool) {
	if !m.fresh {
		return Entry{}, false
	}
	m.fresh = false
	sum := m.last.t0 + m.last.t1
	return Entry{
		Node: uint32(node), Epoch: sum / 2,
		// Half a tick of the midpoint is half a tick of the offset.
		Offset: int64(m.last.received-sum/2)<<FracBits - int64(sum&1)<<(FracBits-1),
		Error:  saturate(m.error),
	}, true
}

// saturate converts ticks to subticks in a word.
func saturate(ticks float64) uint32 {
	return uint32(min(max(round(ticks*subtick), 0), math.MaxUint32))
}
