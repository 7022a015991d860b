package nx

import "github.com/sigview/sigview/trace"

// A broadcast is an operation of several packets. Its sender begins it, and the
// last program to receive it ends it.

// Steps of a broadcast.
const (
	stepPost   trace.Step = "post"   // until the sender's library has posted it for all receivers
	stepFetch  trace.Step = "fetch"  // until the sender's buffer is free
	stepSpread trace.Step = "spread" // until the last receiver has received it
)

// reportBegin reports the begin of a broadcast.
func (p *Process) reportBegin(s trace.Span) {
	if p.instrument.On() {
		p.sys.reaching[s] = len(p.peers) - 1
		p.instrument.Begin(s, trace.OpBroadcast, stepPost, 0)
	}
}

// reportStep reports the next step of a broadcast, unless all have received it.
func (p *Process) reportStep(s trace.Span, step trace.Step) {
	if p.instrument.On() && s != 0 && p.sys.reaching[s] > 0 {
		p.instrument.Step(s, step)
	}
}

// reportReceived reports that this process's program has received a broadcast.
func (p *Process) reportReceived(s trace.Span) {
	if !p.instrument.On() || s == 0 {
		return
	}
	if p.sys.reaching[s]--; p.sys.reaching[s] == 0 {
		delete(p.sys.reaching, s)
		p.instrument.End(s)
	}
}

// notePosted records that a message has been posted to the interface for one of its
// receivers, or for all of them at once.
func (p *Process) notePosted(r *request) {
	if r.left--; r.left == 0 {
		p.reportStep(r.span, stepFetch)
	}
}
