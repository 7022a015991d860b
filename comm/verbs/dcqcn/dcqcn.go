package dcqcn

import "github.com/sigview/sigview/sim"

// Receiver is the end of a flow that sends notices. The zero value is ready.
type Receiver struct{ next sim.Time }

// Marked takes note of a marked packet, and reports whether a notice is to be sent now.
func (r *Receiver) Marked(spec *Spec, now sim.Time) bool {
	if now < r.next {
		return false
	}
	r.next = now.Add(spec.CNPGap)
	return true
}

// Sender is the end of a flow whose rate is limited. Times must not decrease from call to call.
type Sender struct {
	spec         *Spec
	line         float64
	rate, target float64
	alpha        float64
	limited      bool
	cutFrom      sim.Time // earliest next cut
	alphaDue     sim.Time // when alpha falls
	riseDue      sim.Time // when the timer makes a step
	sent         int      // bytes since the last step by bytes
	byTime       int      // steps since the last cut
	byBytes      int
}

// NewSender returns a sender that begins at the rate of its line.
func NewSender(spec *Spec, line sim.Rate) Sender {
	return Sender{spec: spec, line: float64(line), rate: float64(line), target: float64(line), alpha: 1, alphaDue: sim.Never, riseDue: sim.Never}
}

// Rate returns the present rate.
func (s *Sender) Rate(now sim.Time) sim.Rate {
	s.advance(now)
	return sim.Rate(s.rate)
}

// Due returns when the timer changes the rate next, or Never.
func (s *Sender) Due() sim.Time { return s.riseDue }

// Notified takes a notice.
func (s *Sender) Notified(now sim.Time) {
	s.advance(now)
	if now < s.cutFrom {
		return
	}
	s.cutFrom = now.Add(s.spec.CutGap)
	s.target = s.rate
	s.rate = min(s.rate, max(float64(s.spec.Least), s.rate-float64(s.rate*s.alpha/2)))
	s.alpha = float64((1-s.spec.Gain)*s.alpha) + s.spec.Gain
	s.alphaDue, s.riseDue = now.Add(s.spec.AlphaTimer), now.Add(s.spec.RiseTimer)
	s.sent, s.byTime, s.byBytes = 0, 0, 0
	s.limited = true
}

// Sent counts bytes that the flow has sent.
func (s *Sender) Sent(now sim.Time, bytes int) {
	s.advance(now)
	if !s.limited || s.spec.RiseBytes == 0 {
		return
	}
	for s.sent += bytes; s.sent >= s.spec.RiseBytes && s.limited; s.sent -= s.spec.RiseBytes {
		s.byBytes++
		s.rise()
	}
}

// advance makes up for the timers that have run out.
func (s *Sender) advance(now sim.Time) {
	for s.alphaDue <= now {
		s.alpha *= 1 - s.spec.Gain
		s.alphaDue = s.alphaDue.Add(s.spec.AlphaTimer)
		if s.alpha < 1e-18 { // it changes no rate
			s.alpha, s.alphaDue = 0, sim.Never
		}
	}
	for s.riseDue <= now {
		s.riseDue = s.riseDue.Add(s.spec.RiseTimer)
		s.byTime++
		s.rise()
	}
}

// rise makes a step.
func (s *Sender) rise() {
	least, most := min(s.byTime, s.byBytes), max(s.byTime, s.byBytes)
	if s.spec.RiseBytes == 0 {
		least = s.byTime
	}
	switch {
	case most < s.spec.Stages:
	case least > s.spec.Stages:
		s.target += float64(s.spec.Hyper)
	default:
		s.target += float64(s.spec.Additive)
	}
	s.target = min(s.target, s.line)
	s.rate = (s.rate + s.target) / 2
	if s.rate > s.line-1 {
		s.rate, s.limited, s.riseDue = s.line, false, sim.Never
	}
}
