package logp

import (
	"cmp"
	"fmt"
	"slices"
)

// Params are the LogP parameters of small messages or of one message size, in µs. What the measurements do not
// determine has a reason instead of a value.
type Params struct {
	Os  Estimate `json:"os_us"`  // processor time to send
	Or  Estimate `json:"or_us"`  // processor time to receive
	L   Estimate `json:"L_us"`   // latency without both overheads
	G   Estimate `json:"g_us"`   // gap: least time between messages
	RTT Estimate `json:"rtt_us"` // request and reply
}

// Result is what a method finds: parameters, and how well the measurements fit the laws by which they were
// found.
type Result struct {
	Params
	// Idle is the time per message that the sender waits at the gap: g minus
	// o_s + o_r (signature, request/reply fragments) or minus o_s.
	Idle Estimate `json:"idle_us"`
	// Curves are the regimes found, one for each Δ in order; signatures only.
	Curves []Curve `json:"curves,omitempty"`
	// Residuals are the misfits of the measurements to the laws of the parameters.
	Residuals []Residual `json:"residuals,omitempty"`
	Warnings  []string   `json:"warnings,omitempty"`
}

// Curve is one Δ of a signature and its regimes. A missing regime is the zero Range.
type Curve struct {
	DeltaUs float64 `json:"delta_us"`
	// SendOnly is where a message costs as much as the first ones.
	SendOnly   Range `json:"send_only"`
	Transition Range `json:"transition"`
	// Steady is where cost = asymptote − c/M holds: a fixed time per message
	// after a head start.
	Steady Range `json:"steady"`
	// Knee holds the M at which the cost begins to rise: From is the last
	// measured M of the send-only regime, To the first one beyond.
	Knee        Range    `json:"knee"`
	AsymptoteUs Estimate `json:"asymptote_us"`
	// HeadStartUs is c of the steady state's law.
	HeadStartUs float64  `json:"head_start_us"`
	Residual    Residual `json:"residual"` // of the steady state's law
}

// Range is a closed range of burst lengths M; zero when there is none.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// unknown returns parameters of which none is identifiable.
func unknown(reason string) Params {
	e := Estimate{Reason: reason}
	return Params{e, e, e, e, e}
}

// warn adds a warning.
func (r *Result) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// usable returns the points that can be used, and warns of how many cannot, and of what is wrong with the
// first. The warning begins with lead and calls the points what.
func (r *Result) usable(lead, what string, points []Point) []Point {
	bad, first := 0, ""
	pts := slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
		why := p.Cost.check()
		if p.M < 1 {
			why = fmt.Sprintf("M = %d, wanted at least 1", p.M)
		} else if !(p.DeltaUs >= 0 && p.DeltaUs <= maxUs) {
			why = fmt.Sprintf("Δ = %g µs, wanted 0 to %g", p.DeltaUs, maxUs)
		}
		if why != "" {
			bad++
			first = cmp.Or(first, why)
		}
		return why != ""
	})
	if bad > 0 {
		r.warn("%s%d %s cannot be used, the first because %s", lead, bad, what, first)
	}
	return pts
}

// capped warns of points whose sampling stopped before they were accurate.
func (r *Result) capped(lead, what string, pts []Point) {
	n := 0
	for _, p := range pts {
		if p.Cost.Capped {
			n++
		}
	}
	if n > 0 {
		r.warn("%s%d of %d %s still varied when sampling stopped: their intervals are wider than required", lead, n, len(pts), what)
	}
}

// latency returns L = RTT/2 − (o_s + o_r). If not empty, why says what is wrong with the
// RTT.
func latency(half reading, why string, sum reading) Estimate {
	if why != "" {
		return Estimate{Reason: "L: RTT: " + why}
	}
	return half.minus(sum).estimate("L is negative: o_s + o_r exceed RTT/2, sending and receiving overlap the transfer")
}

// Point is one point of a signature: bursts of M messages with a spin of
// DeltaUs after each. Cost is the time per message, spin included: elapsed
// time of the issue phase divided by M, µs.
type Point struct {
	M       int     `json:"m"`
	DeltaUs float64 `json:"delta_us"`
	Cost    Mean    `json:"cost_us"`
}
