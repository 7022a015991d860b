package svm

import (
	"slices"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Page fetches, lock acquires, barriers and the flush of each difference are
// reported as operations of several packets. The asker's thread begins and ends
// them. Every node that takes a message of an operation reports its next step. The
// operation of a difference ends at its home.

// Tell sets what the processes of all nodes tell of their operations with. It is
// called once for each process, before the process does anything.
func (s *System) Tell(instrument func(node int, c *host.Context) trace.Instrument) {
	s.tell = instrument
}

func (m *Member) bind(c *host.Context) trace.Instrument {
	if m.system.tell == nil {
		return trace.Instrument{}
	}
	return m.system.tell(m.node.id, c)
}

// Phase runs a part of the program that shows by its name in records of the run.
func (t *Thread) Phase(name string, part func()) {
	t.port.tell.Phase(name)
	part()
	t.port.tell.Phase("")
}

// Record switches the monitor's recording on the thread's node on or off.
func (t *Thread) Record(on bool) { t.port.tell.Record(on) }

// open begins an operation that the thread waits for.
func (t *Thread) open(span trace.Span, op trace.Operation, first trace.Step) {
	if t.port.tell.On() {
		t.member.open = span
		t.port.tell.Begin(span, op, first, 0)
	}
}

// close ends it.
func (t *Thread) close(span trace.Span) {
	if t.member.open == span {
		t.member.open = 0
		t.port.tell.End(span)
	}
}

// missing returns the operation that an access to p needs, if any.
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

// toldSent tells that an operation goes on with a message, which is about to
// be sent.
func (m *Member) toldSent(p *port, msg *Message) {
	if !p.tell.On() || msg.Span == 0 {
		return
	}
	switch msg.Kind {
	case trace.PageRequest, trace.LockRequest, trace.LockForward, trace.BarrierArrive:
		step := trace.StepForward
		if msg.Node == m.node.id {
			step = trace.StepRequest
		}
		p.tell.Step(msg.Span, step)
	case trace.PageReply, trace.LockGrant, trace.BarrierRelease:
		p.tell.Step(msg.Span, trace.StepReply)
	}
}

// toldTaken tells what has become of the operation of a message that has been
// taken, and of the thread's own one when the message woke it.
func (m *Member) toldTaken(p *port, kind trace.Kind, span trace.Span) {
	if !p.tell.On() {
		return
	}
	if span != 0 {
		p.tell.Step(span, stepOf(kind, p.out.answers(span)))
	}
	if p.out.Wake && m.open != 0 && m.open != span {
		p.tell.Step(m.open, trace.StepResume)
	}
}

// answers reports whether a message of operation span is to be sent.
func (o *Out) answers(span trace.Span) bool {
	return slices.ContainsFunc(o.Messages, func(m Message) bool { return m.Span == span })
}

// stepOf returns what an operation goes on with when a message of this kind
// has been taken: with nothing to send it waits.
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
