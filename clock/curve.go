package clock

// curve is a node's estimate of one clock: its offset to global time as a
// parabola, and an error bound that grows with the parabola's age.
type curve struct {
	epoch  int64  // global ticks
	offset int64  // local less global, subticks
	rate   int64  // 2^-56
	bend   int64  // 2^-56 per 2^20 ticks
	err0   int64  // subticks
	err1   int64  // 2^-56
	err2   int64  // 2^-56 per 2^20 ticks
	error  uint32 // as last received; Cristian only
}

// Curves are the curves that converters in one memory have in common, because the nodes have adopted
// the same tables.
type Curves struct{ latest []*curve } // by node

// NewCurves returns none, of so many nodes.
func NewCurves(nodes int) *Curves { return &Curves{make([]*curve, nodes)} }

// keep returns a curve of node's clock equal to v, and the previous one if that is equal. A nil s
// shares nothing.
func (s *Curves) keep(node int, v *curve) *curve {
	if s != nil && s.latest[node] != nil && *s.latest[node] == *v {
		return s.latest[node]
	}
	own := new(curve)
	*own = *v
	if s != nil {
		s.latest[node] = own
	}
	return own
}

// anchor is a curve's tangent near now.
type anchor struct {
	local  uint64 // the node's ticks
	global int64  // the same instant, subticks
	slope  int64  // global less local rate, 2^-40
	bound  int64  // subticks, valid for the next stride
}

// anchor returns the tangent of e at global tick now.
func (e *curve) anchor(now, stride int64) anchor {
	dt := now - e.epoch
	change := mulShift(e.bend, dt, 20)
	offset := e.offset + mulShift(e.rate+change/2, dt, rateBits-FracBits)
	rate := max(-maxRate, min(e.rate+change, maxRate))
	slope := -rate >> (rateBits - slopeBits)
	slope += mulShift(slope, slope, slopeBits) // 1/(1+x) = 1 - x + x^2
	age := max(dt, 0) + stride
	grown := mulShift(e.err1+mulShift(e.err2, age, 20), age, rateBits-FracBits)
	return anchor{
		local:  uint64(now + offset>>FracBits),
		global: now<<FracBits - offset&(subtick-1),
		slope:  slope,
		bound:  max(min(e.err0+grown, Unbounded/4), 0),
	}
}

// at returns the global time in subticks, d ticks of the node after the anchor.
func (a *anchor) at(d int64) int64 { return a.global + d<<FracBits + d*a.slope>>(slopeBits-FracBits) }

const slopeBits = 40
