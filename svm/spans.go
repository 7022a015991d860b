package svm

import (
	"slices"

	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Page fetches, lock acquires, barriers and the flush of each diff are reported as
// operations of several packets. The requesting thread begins and ends them. Every
// node that processes a message of an operation reports its next step. The
// operation of a diff ends at its home.

// SetInstrument sets the function that makes a process's instrument, with which it
// reports operations. The function is called once for each process, when the
// process starts.
func (s *System) SetInstrument(instrument func(node int, c *host.Context) trace.Instrument) {
	s.instrument = instrument
}

func (m *Member) bind(c *host.Context) trace.Instrument {
	if m.system.instrument == nil {
		return trace.Instrument{}
	}
	return m.system.instrument(m.node.id, c)
}

// Phase runs a part of the program as a named phase of the run's records.
func (t *Thread) Phase(name string, part func()) {
	t.port.instrument.Phase(name)
	part()
	t.port.instrument.Phase("")
}

// Record switches the monitor's recording on the thread's node on or off.
func (t *Thread) Record(on bool) { t.port.instrument.Record(on) }

// open begins an operation that the thread waits for.
func (t *Thread) open(span trace.Span, op trace.Operation, first trace.Step) {
	if t.port.instrument.On() {
		t.member.open = span
		t.port.instrument.Begin(span, op, first, 0)
	}
}

// close ends that operation.
func (t *Thread) close(span trace.Span) {
	if t.member.open == span {
		t.member.open = 0
		t.port.instrument.End(span)
	}
}

// missing returns the operation that an access to p has to wait for, or none if it does not wait.
func (n *Node) missing(p Page) (trace.Operation, bool) {
	e := n.pages.at(p)
	if e.state != Invalid {
		return "", false
	}
	switch h := n.home(p); {
	case h == int32(n.id):
		if e.extra == 0 {
			return "", false
		}
		x := n.extra.of(e)
		return trace.OpHomeWait, !n.satisfied(x, x.required)
	case h < 0:
		directory, _ := n.layout.Home(p)
		_, given := n.given[p]
		return trace.OpPageFetch, directory != n.id || given
	}
	return trace.OpPageFetch, true
}

// reportSent reports the next step of an operation whose message is about to be
// sent.
func (m *Member) reportSent(p *port, msg *Message) {
	if !p.instrument.On() || msg.Span == 0 {
		return
	}
	switch msg.Kind {
	case trace.PageRequest, trace.LockRequest, trace.LockForward, trace.BarrierArrive:
		step := trace.StepForward
		if msg.Node == m.node.id {
			step = trace.StepRequest
		}
		p.instrument.Step(msg.Span, step)
	case trace.PageReply, trace.LockGrant, trace.BarrierRelease:
		p.instrument.Step(msg.Span, trace.StepReply)
	}
}

// reportTaken reports the next step of the operation of a message that has been
// processed, and of the thread's own operation if the message woke it.
func (m *Member) reportTaken(p *port, kind trace.Kind, span trace.Span) {
	if !p.instrument.On() {
		return
	}
	if span != 0 {
		p.instrument.Step(span, stepOf(kind, p.out.answers(span)))
	}
	if p.out.Wake && m.open != 0 && m.open != span {
		p.instrument.Step(m.open, trace.StepResume)
	}
}

// answers reports whether the step sends a message that belongs to operation span.
func (o *Out) answers(span trace.Span) bool {
	return slices.ContainsFunc(o.Messages, func(m Message) bool { return m.Span == span })
}

// stepOf returns the next step of an operation after a message of this kind.
// Without an answer to send, the operation waits.
func stepOf(kind trace.Kind, answered bool) trace.Step {
	switch kind {
	case trace.PageReply, trace.LockGrant, trace.BarrierRelease:
		return trace.StepResume
	case trace.Diff:
		return trace.StepApply
	}
	if answered {
		return trace.StepHandler
	}
	switch kind {
	case trace.PageRequest:
		return trace.StepDiffWait
	case trace.BarrierArrive:
		return trace.StepGather
	}
	return trace.StepHeld
}
