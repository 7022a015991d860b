package logp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/internal/names"
)

// Style is the programming model of a layer. It decides how overheads follow from gaps
// (Araki et al., section 4.1).
type Style uint8

const (
	RequestReply  Style = iota // active messages: GAM
	SendReceive                // BIP, FM, PM
	DirectDeposit              // VMMC-2: nobody receives
)

var styles = names.NewEnum[Style]("style", "request/reply", "send/receive", "direct deposit")

// String names the style.
func (s Style) String() string { return styles.Name(s) }

// MarshalText writes the name of the style, also for JSON.
func (s Style) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Style) UnmarshalText(b []byte) error { return styles.Set(s, b) }

// Gap is g(Δ): the time per message of a long stream with a spin of DeltaUs
// after each, spin included, µs.
type Gap struct {
	DeltaUs float64 `json:"delta_us"`
	Gap     Mean    `json:"gap_us"`
}

// Fragments are the measurements of one message size (Araki et al., Figure 3).
type Fragments struct {
	Style     Style `json:"style"`
	SizeBytes int   `json:"size_bytes"`
	HalfRTT   Mean  `json:"half_rtt_us"` // (a) T0/(2N)
	// Sender is (b) for several Δ, one of them 0.
	Sender []Gap `json:"sender"`
	// FewSent is (b) with Δ = 0 and N below the buffering capacity, which is
	// o_s itself; request/reply only.
	FewSent Mean `json:"few_sent_us"`
	// Receiver is (c), spin and time at the receiver; send/receive only.
	Receiver []Gap `json:"receiver"`
}

// Extract computes the parameters of one size. It never fails: what the
// measurements do not determine is not identifiable.
//
// g = g(0). Where the spin lifts the gap, g(Δ) − Δ is the processor's time per message:
// o_s at a sender without replies, o_s + o_r at a sender with replies, o_r at a
// receiver. Idle is the Δ at which that line meets g(0): "the largest Δ with g(Δ) =
// g(0)" of the paper, interpolated between the measured Δ.
func (f Fragments) Extract() Result {
	var r Result
	half, why := f.HalfRTT.reading(), f.HalfRTT.check()
	if why == "" {
		r.RTT = half.times(2).estimate("")
	} else {
		r.RTT.Reason = "RTT: " + why
	}
	switch f.Style {
	case RequestReply:
		s := r.side(f.Sender, "o_s + o_r")
		r.G, r.Idle = s.gap(), s.idle()
		r.Os = f.FewSent.Estimate("o_s")
		if why := cmp.Or(s.why, r.Os.Reason); why != "" {
			r.Or.Reason = "o_r: " + why
		} else {
			r.Or = s.busy.minus(f.FewSent.reading()).estimate("o_r is negative: o_s of few messages exceeds o_s + o_r of many")
		}
		r.L = f.latency(s.busy, s.why)
	case SendReceive:
		s, d := r.side(f.Sender, "o_s"), r.side(f.Receiver, "o_r")
		r.G, r.Idle = s.gap(), s.idle()
		r.Os, r.Or = s.overhead(), d.overhead()
		r.L = f.latency(s.busy.plus(d.busy), cmp.Or(s.why, d.why))
	case DirectDeposit:
		s := r.side(f.Sender, "o_s")
		r.G, r.Idle = s.gap(), s.idle()
		r.Os = s.overhead() // and o_r is zero: nobody receives
		r.L = f.latency(s.busy, s.why)
	default:
		r.Params = unknown(fmt.Sprintf("%v, wanted one of %q", f.Style, styles.Words().Names()))
		r.Idle = r.Os
	}
	return r
}

// latency returns L = RTT/2 − sum in µs, where sum is o_s + o_r. If why is not empty, it is the reason that sum
// is not known.
func (f Fragments) latency(sum reading, why string) Estimate {
	if why != "" {
		return Estimate{Reason: "L: " + why}
	}
	return latency(f.HalfRTT.reading(), f.HalfRTT.check(), sum)
}

// side holds the results from g(Δ) of one end. busy is the processor time per message.
type side struct {
	of        string
	g0, busy  reading
	noG0, why string // why g(0), and why busy, are not known
}

// gap returns g(0) in µs, not identifiable if it was not measured.
func (s side) gap() Estimate {
	if s.noG0 != "" {
		return Estimate{Reason: "g: " + s.noG0}
	}
	return s.g0.estimate("g is negative")
}

// overhead returns the processor time per message in µs, or the reason why it is not known.
func (s side) overhead() Estimate {
	if s.why != "" {
		return Estimate{Reason: s.of + ": " + s.why}
	}
	return s.busy.estimate(s.of + " is negative: the gap grows by less than Δ")
}

// idle returns g(0) less the processor time per message in µs, or the reason why it is not known.
func (s side) idle() Estimate {
	if s.why != "" {
		return Estimate{Reason: "idle time: " + s.why}
	}
	return s.g0.minus(s.busy).estimate("idle time is negative: g(Δ) − Δ exceeds g(0)")
}

// side evaluates g(Δ) and notes its residual and warnings in the result.
func (r *Result) side(gaps []Gap, of string) side {
	s := side{of: of, noG0: "no gap at Δ = 0"}
	var pts []Point
	for _, g := range gaps {
		pts = append(pts, Point{M: 1, DeltaUs: g.DeltaUs, Cost: g.Gap})
	}
	pts = r.usable(of+": ", "gaps", pts)
	r.capped(of+": ", "gaps", pts)
	var ls []lift
	for _, p := range pts {
		ls = append(ls, lift{p.DeltaUs, p.Cost.reading()})
	}
	slices.SortStableFunc(ls, func(a, b lift) int { return cmp.Compare(a.deltaUs, b.deltaUs) })
	if len(ls) == 0 || ls[0].deltaUs > 0 {
		s.why = s.noG0
		return s
	}
	s.g0, s.noG0 = ls[0].cost, ""
	up := lifted(ls, s.g0)
	if len(up) == 0 {
		s.why = fmt.Sprintf("no Δ lifts the gap above %.4g µs", s.g0.v)
		return s
	}
	busy, res, _, warning := overhead(up, s.g0, of)
	if s.busy = busy; warning != "" {
		r.warn("%s", warning)
	}
	r.Residuals = append(r.Residuals, res)
	if idle := s.g0.minus(busy); idle.v <= float64(settled*s.g0.v)+idle.half {
		r.warn("idle time is zero: g = %s, set by the processor", of)
	}
	return s
}
