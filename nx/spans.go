package nx

import "github.com/sigview/sigview/trace"

// A broadcast is an operation of several packets. Its sender begins it, and
// the last receiver whose program gets it ends it.

// Steps of a broadcast.
const (
	StepPost   trace.Step = "post"   // the sender's library hands it to the interface, as room permits
	StepFetch  trace.Step = "fetch"  // until the sender's buffer is free
	StepSpread trace.Step = "spread" // until the last receiver has it
)

// toldBegin tells of a broadcast.
func (p *Process) toldBegin(s trace.Span) {
	if p.tell.On() {
		p.sys.reaching[s] = len(p.peers) - 1
		p.tell.Begin(s, trace.OpBroadcast, StepPost, 0)
	}
}

// toldStep tells what a broadcast goes on with, unless all have it.
func (p *Process) toldStep(s trace.Span, step trace.Step) {
	if p.tell.On() && s != 0 && p.sys.reaching[s] > 0 {
		p.tell.Step(s, step)
	}
}

// toldReceived tells that this process's program has a broadcast.
func (p *Process) toldReceived(s trace.Span) {
	if !p.tell.On() || s == 0 {
		return
	}
	if p.sys.reaching[s]--; p.sys.reaching[s] == 0 {
		delete(p.sys.reaching, s)
		p.tell.End(s)
	}
}

// handed notes that a message has been handed to the interface for one of its
// receivers, or for all of them at once.
func (p *Process) handed(r *request) {
	if r.left--; r.left == 0 {
		p.toldStep(r.span, StepFetch)
	}
}
