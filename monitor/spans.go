package monitor

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// process implements trace.Spans and trace.Recorder for one process.
type process struct {
	m      *Monitor
	c      *host.Context
	tag    trace.Tag
	inside bool // in a phase that is recorded
}

// Instrument returns the instrument of a process of the program with this tag. Operations
// are recorded only in runs that request them; recording can always be switched.
func (m *Monitor) Instrument(c *host.Context, tag trace.Tag) trace.Instrument {
	p := &process{m: m, c: c, tag: tag}
	i := trace.Instrument{Recorder: p}
	if m.marks != nil || len(m.phases) > 0 {
		i.Spans = p
	}
	return i
}

// Record implements trace.Recorder: the process stores to a flag in SRAM, which
// the firmware sees when the store has arrived.
func (p *process) Record(on bool) {
	old := p.c.Enter(host.Monitor)
	p.c.PIOWrite(1, host.Words)
	p.c.Enter(old)
	if on {
		p.m.begin()
	} else {
		p.m.nic.Settle()
		p.m.active = 0 // waiting samples are binned in idle moments
	}
}

// Begin implements trace.Spans.
func (p *process) Begin(s trace.Span, op trace.Operation, first trace.Step, parent trace.Span) {
	p.note(trace.Mark{Act: trace.ActBegin, Span: s, Operation: op, Step: first, Parent: parent})
}

// Step implements trace.Spans.
func (p *process) Step(s trace.Span, next trace.Step) {
	p.note(trace.Mark{Act: trace.ActStep, Span: s, Step: next})
}

// End implements trace.Spans.
func (p *process) End(s trace.Span) { p.note(trace.Mark{Act: trace.ActEnd, Span: s}) }

// Phase implements trace.Spans. It also switches recording if that is limited
// to phases.
func (p *process) Phase(name string) {
	was := p.inside
	p.inside = p.m.wanted(name)
	if p.inside && !was {
		p.Record(true)
	}
	p.note(trace.Mark{Act: trace.ActPhase, Name: name})
	if was && !p.inside {
		p.Record(false)
	}
}

// wanted reports whether the phase is to be recorded.
func (m *Monitor) wanted(name string) bool {
	_, wanted := m.phases[name]
	if wanted {
		m.phases[name] = true
	}
	return wanted
}

// Reached reports whether a program on this node has reached a phase that is to be
// recorded.
func (m *Monitor) Reached(name string) bool { return m.phases[name] }

// note reads the interface's clock, a load over the I/O bus for which the
// processor waits, and stores the mark. The library knows without a load
// whether the node records.
func (p *process) note(k trace.Mark) {
	if p.m.active == 0 || p.m.marks == nil {
		return
	}
	old := p.c.Enter(host.Monitor)
	p.c.PIORead(1)
	at, bound := p.m.global(p.m.nic.ID(), p.m.nic.Ticks(p.c.Now()))
	p.c.Compute(host.Work{Stores: markWords})
	p.c.Enter(old)
	k.Node, k.Tag, k.AtNs, k.BoundNs = p.m.nic.ID(), p.tag, at, p.m.clock.nanoseconds(bound)
	p.m.marks.Add(k)
}

// markWords are the words of a mark in host memory: clock, span, what, parent.
const markWords = 4
