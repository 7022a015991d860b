package logp

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Signature is message cost over M for several Δ, one of them 0, and the
// round trip of a single message (Culler et al., section 3). The order of the
// points does not matter.
type Signature struct {
	Points []Point `json:"points"`
	RTT    Mean    `json:"rtt_us"`
}

// shortBurst is the longest first burst of a curve that gives o_s. In longer bursts,
// replies may be part of the cost from the first point on.
const shortBurst = 4

// Extract finds the regimes of every curve and the parameters. It never fails:
// what the points do not determine is not identifiable, and points that cannot
// be used are counted in a warning.
//
// Culler et al., section 3.2: o_s is the mean cost of the first few M at Δ = 0,
// g the asymptote of Δ = 0, o_s + o_r the asymptote minus Δ for every Δ that
// lifts it, and L = RTT/2 − o_s − o_r.
func (s Signature) Extract() Result {
	var x extraction
	var first Curve
	for _, pts := range x.curves(s.Points) {
		c := x.curve(pts)
		if c.DeltaUs == 0 {
			first = c
			x.send(pts)
		}
		x.Curves = append(x.Curves, c)
	}
	x.limits(first)
	x.RTT = s.RTT.Estimate("RTT")
	x.Or, x.L, x.Idle = x.rest(s.RTT)
	return x.Result
}

// extraction is a signature's parameters while they are found. Readings keep their sign, also where a parameter
// cannot be negative.
type extraction struct {
	Result
	steady       []lift // Δ >= 0 that settle, in order
	os, g, sum   reading
	osOK, sumOK  bool
	gOK, limited bool   // limited: the processors set the cost already at Δ = 0
	noSum        string // why o_s + o_r is not known
	far          []far  // asymptotes far above all measured costs
}

// far is a warning about the asymptote of a Δ: it is more than 10 % above the cost of the longest burst, and so
// extrapolated.
type far struct {
	deltaUs float64
	warning string
}

// usedFrom adds the warnings about asymptotes that give a parameter: that of Δ = 0 gives g, and those of
// deltaUs and above give o_s + o_r.
func (x *extraction) usedFrom(deltaUs float64) {
	for _, f := range x.far {
		if f.deltaUs == 0 || f.deltaUs >= deltaUs {
			x.warn("%s", f.warning)
		}
	}
}

// curves returns the points by Δ, those of each sorted by M. It drops points that cannot be used or were
// measured twice, with a warning.
func (x *extraction) curves(points []Point) [][]Point {
	pts := x.usable("", "points", points)
	slices.SortStableFunc(pts, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.DeltaUs, b.DeltaUs), cmp.Compare(a.M, b.M))
	})
	n := len(pts)
	pts = slices.CompactFunc(pts, func(a, b Point) bool { return a.DeltaUs == b.DeltaUs && a.M == b.M })
	if n > len(pts) {
		x.warn("%d points were measured more than once; the first measurement of each is used", n-len(pts))
	}
	x.capped("", "points", pts)
	var out [][]Point
	for i, p := range pts {
		if i == 0 || p.DeltaUs != pts[i-1].DeltaUs {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// curve finds the regimes of the points of one Δ, sorted by M. The asymptote of a curve that settles is kept in
// steady.
func (x *extraction) curve(pts []Point) Curve {
	n := sendOnly(pts)
	last := pts[len(pts)-1]
	c := Curve{DeltaUs: pts[0].DeltaUs, SendOnly: Range{pts[0].M, pts[n-1].M}}
	before := n
	if n < len(pts) {
		c.Knee = Range{pts[n-1].M, pts[n].M}
	} else {
		before = 0 // the cost never rises: all of it may be steady
	}
	from, law, ok := steadyState(pts, before)
	if !ok {
		c.AsymptoteUs.Reason = fmt.Sprintf("the cost has not settled by M = %d", last.M)
		if n < len(pts) {
			c.Transition = Range{pts[n].M, last.M}
		}
		return c
	}
	if n < len(pts) {
		// The last three may reach back into what looked like send-only.
		c.SendOnly.To = min(c.SendOnly.To, pts[max(from-1, 0)].M)
		if n < from {
			c.Transition = Range{pts[n].M, pts[from-1].M}
		}
	}
	c.Steady = Range{pts[from].M, last.M}
	c.AsymptoteUs = law.a.estimate("the asymptote is negative")
	c.HeadStartUs, c.Residual = -law.b.v, law.residual
	if c.AsymptoteUs.OK() {
		x.steady = append(x.steady, lift{c.DeltaUs, law.a})
		if law.a.v > 1.1*last.Cost.Value {
			x.far = append(x.far, far{c.DeltaUs, fmt.Sprintf("Δ = %g µs: the asymptote %.4g µs is extrapolated from %.4g at M = %d", c.DeltaUs, law.a.v, last.Cost.Value, last.M)})
		}
	}
	return c
}

// send sets o_s from the first few bursts of the curve of Δ = 0. It is not identifiable if the shortest one is
// too long.
func (x *extraction) send(pts []Point) {
	if pts[0].M > shortBurst {
		x.Os.Reason = fmt.Sprintf("o_s: the shortest burst is M = %d, wanted at most %d", pts[0].M, shortBurst)
		return
	}
	var res Residual
	x.os, res = firstFew(pts[:sendOnly(pts)])
	x.Os, x.osOK = x.os.estimate("o_s is negative"), true
	x.Residuals = append(x.Residuals, res)
}

// limits sets g from the asymptote of Δ = 0, and o_s + o_r from those that are lifted above it.
func (x *extraction) limits(first Curve) {
	if !x.osOK && x.Os.OK() {
		x.Os.Reason = "o_s: no points at Δ = 0"
	}
	if len(x.steady) > 0 && x.steady[0].deltaUs == 0 {
		x.g, x.gOK = x.steady[0].cost, true
		x.G = first.AsymptoteUs
	} else if x.G.Reason = first.AsymptoteUs.Reason; x.G.Reason == "" {
		x.G.Reason = "g: no points at Δ = 0"
	}
	up := lifted(x.steady, x.g) // all with Δ > 0 while g is not known
	x.usedFrom(x.sumFrom(up))
	if x.gOK {
		x.hidden()
	}
}

// sumFrom sets o_s + o_r from lifted asymptotes and returns the shortest Δ that it used; infinity, and a reason
// in noSum, if there is none. Without g it wants two Δ that agree.
func (x *extraction) sumFrom(up []lift) float64 {
	none := math.Inf(1)
	switch {
	case len(up) == 0 && !x.gOK:
		x.noSum = "no Δ has a steady state"
		return none
	case len(up) == 0:
		x.noSum = fmt.Sprintf("no Δ lifts the asymptote above %.4g µs: o_s + o_r + Δ stays below it", x.g.v)
		return none
	}
	sum, res, used, warning := overhead(up, x.g, "o_s + o_r")
	if !x.gOK && used < 2 {
		x.noSum = "without g, two Δ have to agree on o_s + o_r"
		return none
	}
	if warning != "" {
		x.warn("%s", warning)
	}
	x.sum, x.sumOK = sum, true
	x.Residuals = append(x.Residuals, res)
	return up[len(up)-used].deltaUs
}

// hidden checks whether the asymptote of Δ = 0 is the gap. It is not if the curve never rises above o_s, or if
// the processors are the limit: g is then o_s + o_r, or not identifiable.
func (x *extraction) hidden() {
	noise := func(v float64, r reading) float64 { return float64(v*x.g.v) + r.half }
	above := x.g.minus(x.os)
	flat := x.osOK && above.v <= noise(rise, above)
	if !x.sumOK {
		if flat {
			x.G = Estimate{Reason: fmt.Sprintf("the curve of Δ = 0 never rises above o_s: g is at most %.4g µs", x.g.v)}
		}
		return
	}
	idle := x.g.minus(x.sum)
	switch {
	case idle.v < -noise(settled, idle):
		x.G = Estimate{Reason: fmt.Sprintf("the curves neither flatten nor converge: Δ = 0 tends to %.4g µs, less than o_s + o_r = %.4g; the overhead hides g or bursts are too short", x.g.v, x.sum.v)}
	case idle.v <= noise(settled, idle) && flat:
		x.G = Estimate{Reason: fmt.Sprintf("the overhead limits and the curve of Δ = 0 never rises above o_s: g is hidden, at most %.4g µs", x.g.v)}
	case idle.v <= noise(settled, idle):
		x.limited = true
		if math.Abs(idle.v) <= idle.half { // two measurements of the same
			both, _ := constant([]reading{x.g, x.sum}, nil, "g")
			x.G = both.estimate("g is negative")
		}
		x.warn("the first Δ lifts the curve, idle time is zero: g = o_s + o_r, set by the processors")
	}
}

// rest returns o_r, L and the idle time, which follow from o_s + o_r. Without that, none is identifiable.
func (x *extraction) rest(rtt Mean) (or, l, idle Estimate) {
	if !x.sumOK {
		return Estimate{Reason: "o_r: " + x.noSum}, Estimate{Reason: "L: " + x.noSum}, Estimate{Reason: "idle time: " + x.noSum}
	}
	if or = x.Os; x.osOK {
		or = x.sum.minus(x.os).estimate("o_r is negative: lifted curves cost less than o_s + Δ")
	} else {
		or.Reason = "o_r: " + or.Reason
	}
	l = latency(rtt.reading().times(0.5), rtt.check(), x.sum)
	switch {
	case x.limited:
		idle = Estimate{Hi: math.Max(0, x.g.minus(x.sum).v+x.g.minus(x.sum).half)}
	case !x.G.OK():
		idle.Reason = "idle time: g is not identifiable"
	default:
		idle = x.g.minus(x.sum).estimate("idle time is negative")
	}
	return or, l, idle
}
