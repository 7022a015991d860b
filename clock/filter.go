package clock

import "math"

// filter estimates a node's offset and rate by a Kalman filter, the recursive
// form of a weighted regression over all rounds. The weight of old rounds falls
// with the assumed wander. Units are ticks and rounds.
//
// State: the offset; the part of the rate that follows a random walk; the part that
// follows a slow sine, and its change per round. The period of the sine is assumed;
// its amplitude and phase are estimated, and may change by a quarter a day.
//
// Measurements: if a round trip exceeds the shortest by s, the error of the
// midpoint is at most s/2, so its variance is taken as s^2/12.
type filter struct {
	plan    *plan
	started bool
	zero    int64   // offset from which x[0] counts, ticks
	time    float64 // of the state, global ticks
	x       [states]float64
	p       [states][states]float64 // covariance
	probes  smallest
	data    smallest
	strain  float64 // mean square of innovations over their expectation
}

const (
	states = 4 // offset, rate by the walk, rate by the sine, change of the latter

	// Variance of the unpredicted change of one oscillator's sine in a round, in
	// units of the square of its largest predicted one.
	filterSwing = 1e-4

	filterPrior = 1.5 // initial variance of the sine, in units of its squared amplitude
	filterWidth = 4.0 // of the bound, in standard deviations

	filterMemory  = 16.0 // innovations that the strain covers
	filterMaxJump = 9.0  // largest squared innovation that counts fully

	filterTickVar = 1.0 / 6 // of a midpoint of registers that read whole ticks
	filterMinWalk = 0.02    // ticks per round, so that no rate is ever certain
)

func newFilter(l *plan) *filter {
	return &filter{plan: l, probes: newSmallest(), strain: 1}
}

// predict moves the state to global tick t.
func (f *filter) predict(t float64) {
	u := (t - f.time) / f.plan.period
	if u <= 0 {
		return
	}
	f.time = t
	f.advance(u)
}

// advance moves the state by u rounds.
func (f *filter) advance(u float64) {
	l := f.plan
	// With w = turn, z = (w*u)^2: cos(w*u), sin(w*u)/w and (1 - cos(w*u))/w^2.
	z := min(float64(l.turn*u)*float64(l.turn*u), 4)
	cos := 1 - float64(z/2*(1-float64(z/12*(1-float64(z/30*(1-z/56))))))
	s1 := u * (1 - float64(z/6*(1-float64(z/20*(1-float64(z/42*(1-z/72)))))))
	c2 := u * u / 2 * (1 - float64(z/12*(1-float64(z/30*(1-float64(z/56*(1-z/90)))))))
	t := [states][states]float64{
		{1, u, s1, c2},
		{0, 1, 0, 0},
		{0, 0, cos, s1},
		{0, 0, -float64(s1 * float64(l.turn*l.turn)), cos},
	}
	var x [states]float64
	var tp, p [states][states]float64
	for i := range t {
		for j := range t {
			x[i] += float64(t[i][j] * f.x[j])
			for k := range t {
				tp[i][j] += float64(t[i][k] * f.p[k][j])
			}
		}
	}
	for i := range t {
		for j := range t {
			for k := range t {
				p[i][j] += float64(tp[i][k] * t[j][k])
			}
		}
	}
	f.x, f.p = x, p

	// Both oscillators wander. A walk W per round has a density of 3*W^2.
	q := 6 * (float64(l.walk*l.walk) + filterMinWalk*filterMinWalk)
	b := 2 * filterSwing * float64(l.bend*l.bend)
	u2 := float64(u * u)
	u3 := float64(u2 * u)
	f.add(0, 0, float64(q*u3)/3+float64(b*u3*u2)/20)
	f.add(0, 1, float64(q*u2/2))
	f.add(1, 1, float64(q*u))
	f.add(0, 2, float64(b*u2*u2/8))
	f.add(0, 3, float64(b*u3)/6)
	f.add(2, 2, float64(b*u3)/3)
	f.add(2, 3, float64(b*u2/2))
	f.add(3, 3, float64(b*u))
}

func (f *filter) add(i, j int, v float64) {
	f.p[i][j] += v
	if i != j {
		f.p[j][i] += v
	}
}

// update adds a measurement that differs from the state's offset by off.
func (f *filter) update(off, variance float64) {
	s := f.p[0][0] + variance
	c := f.p[0] // column 0 as well
	for i := range c {
		k := c[i] / s
		f.x[i] += float64(k * off)
		for j := range c {
			f.p[i][j] -= float64(k * c[j])
		}
	}
	f.strain += float64((min(float64(off*off)/s, filterMaxJump) - f.strain) / filterMemory)
}

// variance returns the variance of a midpoint whose round trip exceeds the
// shortest by at most width, for a uniform distribution.
func variance(width float64) float64 { return float64(width*width)/12 + filterTickVar }

func (f *filter) probe(p probe, there, back []Point) {
	mid := float64(p.t0+p.t1) / 2
	there0 := int64(p.received - p.t0) // offset + delay
	back0 := int64(p.sent - p.t1)      // offset - delay
	jitter := f.plan.jitter
	roundTrip := float64(p.roundTrip())
	width := f.probes.excess(roundTrip, jitter)
	if f.probes.quiet(jitter) {
		// Two delays of at most the jitter whose sum is nearly twice that are as
		// equal as two whose sum is nearly zero.
		width = min(width, max(2*jitter-width, width/2))
	}
	v := variance(width + f.probes.doubt(jitter, roundTrip))
	if !f.started {
		f.started = true
		f.zero = there0
		f.time = mid
		f.x = [states]float64{float64(back0-there0) / 2}
		l := f.plan
		f.p[0][0] = v
		f.p[1][1] = float64(l.rate * l.rate)
		f.p[2][2] = filterPrior * float64(l.sine*l.sine)
		f.p[3][3] = filterPrior * float64(l.bend*l.bend)
		return
	}
	f.points(there, back)
	f.predict(mid)
	f.update(float64(float64(there0-f.zero)/2)+float64(float64(back0-f.zero)/2)-f.x[0], v)
}

// points processes the least delayed data packets to and from the node, oldest
// first. Two of the same window make a probe.
func (f *filter) points(there, back []Point) {
	pairs, n := f.match(there, back)
	for _, p := range pairs[:n] {
		f.data.add(f.roundTrip(p))
	}
	if !f.data.settled() {
		return
	}
	for _, p := range pairs[:n] {
		mid := (float64(p.t0) + float64(p.t1)) / 2
		if mid < f.time {
			continue
		}
		f.predict(mid)
		width := f.data.over(f.roundTrip(p)) + f.data.doubt(f.plan.jitter, 0)
		f.update((f.there(p)+f.back(p))/2, variance(width))
	}
}

// match pairs points by window. The two packets of a pair form one probe, whose
// return packet may precede its outgoing one.
func (f *filter) match(there, back []Point) (pairs [replyPoints]probe, n int) {
	window := uint64(f.plan.window)
	for len(there) > 0 && len(back) > 0 {
		a, b := there[0], back[0]
		switch wa, wb := a.Sent/window, b.Received/window; {
		case wa < wb:
			there = there[1:]
		case wa > wb:
			back = back[1:]
		default:
			there, back = there[1:], back[1:]
			pairs[n] = probe{t0: a.Sent, received: a.Received, sent: b.Sent, t1: b.Received}
			n++
		}
	}
	return pairs, n
}

// there returns the delay of a probe's outgoing packet by the present estimate, in ticks.
func (f *filter) there(p probe) float64 {
	return float64(int64(p.received-p.t0)-f.zero) - f.at(float64(p.t0))
}

// back returns the negated delay of a probe's return packet by the present estimate, in ticks.
func (f *filter) back(p probe) float64 {
	return float64(int64(p.sent-p.t1)-f.zero) - f.at(float64(p.t1))
}

func (f *filter) roundTrip(p probe) float64 { return f.there(p) - f.back(p) }

// at returns the offset near the state's time, at global tick t.
func (f *filter) at(t float64) float64 {
	u := (t - f.time) / f.plan.period
	return f.x[0] + float64(u*(f.x[1]+f.x[2]+float64(u*f.x[3]/2)))
}

// deviation returns the standard deviation of the offset, in ticks.
func (f *filter) deviation() float64 { return math.Sqrt(max(0, f.p[0][0])) }

func (f *filter) entry(node int, now uint64) (Entry, bool) {
	if !f.started {
		return Entry{}, false
	}
	g := *f
	g.predict(float64(now))
	g.time = float64(now)
	l := f.plan
	rate, bend := (g.x[1]+g.x[2])/l.period*rateOne, g.x[3]/l.period/l.period*rateOne*(1<<20)
	e := Entry{
		Node: uint32(node), Epoch: now,
		Offset: f.zero<<FracBits + round(g.x[0]*subtick),
		Rate:   max(-maxRate, min(round(rate), maxRate)),
		Bend:   max(-maxBend, min(round(bend), maxBend)),
	}
	// The error's parabola through its deviation now, a round and two later.
	width := filterWidth * math.Sqrt(max(1, f.strain))
	s0 := g.deviation()
	g.advance(1)
	s1 := g.deviation()
	g.advance(1)
	s2 := g.deviation()
	e.Error = saturate(float64(width*s0) + l.skew)
	if math.Abs(rate) > maxRate || math.Abs(bend) > float64(maxBend) {
		e.Error = math.MaxUint32 // not a clock: the format cannot express it
	}
	e.Error1 = grow(width * (float64(4*s1) - s2 - float64(3*s0)) / 2 / l.period * rateOne)
	e.Error2 = grow(width * (s2 - 2*s1 + s0) / 2 / l.period / l.period * rateOne * (1 << 20))
	return e, true
}

func grow(x float64) uint64 { return uint64(min(max(round(x), 0), int64(maxGrow))) }
