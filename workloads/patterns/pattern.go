package patterns

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// New returns a pattern, which Start starts. Errors are *bounds.Error.
func New(spec Spec) (*Pattern, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	return &Pattern{spec: spec, slots: spec.slots(), stride: spec.stride(), scratch: make([]byte, spec.Bytes)}, nil
}

// Spec returns the specification with nothing left open.
func (p *Pattern) Spec() Spec { return p.spec }

// Start begins the pattern on its nodes, whose packets carry tag. Done, which
// may be nil, is called when the last one has ended.
func (p *Pattern) Start(nodes []deposit.Node, tag trace.Tag, done func()) error {
	if len(nodes) != p.spec.Nodes || p.members != nil {
		return fmt.Errorf("patterns: start on %d nodes (started before: %t), want %d", len(nodes), p.members != nil, p.spec.Nodes)
	}
	p.engine, p.done = nodes[0].Host.Engine(), done
	p.choice = newChoice(p.spec, p.engine)
	ports, err := deposit.Open(nodes, p.spec.Shape.String(), tag)
	if err != nil {
		return err
	}
	for i, port := range ports {
		m := &member{p: p, id: i, port: port}
		p.members = append(p.members, m)
		if err := m.open(); err != nil {
			return err
		}
	}
	p.begun = p.engine.Now()
	p.running = len(nodes)
	for _, m := range p.members {
		m.pauses = p.engine.Stream(fmt.Sprintf("node%d/%v/pause", m.id, p.spec.Shape))
		m.ctx = nodes[m.id].Host.Go(fmt.Sprintf("%v%d", p.spec.Shape, m.id), host.Application, func(c *host.Context) {
			programs[p.spec.Shape](p, c, m)
			p.leave(c, m)
		})
	}
	return nil
}

// leave ends a member's program. On a layer whose hosts poll, it polls until all
// programs have ended.
func (p *Pattern) leave(c *host.Context, m *member) {
	if p.running--; p.running == 0 {
		p.ended = c.Now()
		for _, other := range p.members {
			other.wake.Fire()
		}
		if p.done != nil {
			p.done()
		}
	}
	for p.running > 0 && m.port.Polled() {
		m.wait(c, "the end of the other nodes")
	}
}

// Result is a pattern that has ended.
type Result struct {
	Took     sim.Duration
	Messages uint64 // compared with what they should be
	Bytes    uint64
	Credits  uint64 // credits returned to a sender
	Shares   []host.Shares
}

// Result returns the counts of a pattern that has ended. The error describes
// the first wrong message, or says that the pattern has not ended.
func (p *Pattern) Result() (Result, error) {
	if p.members == nil || p.running > 0 {
		return Result{}, fmt.Errorf("patterns: %v has not ended", p.spec.Shape)
	}
	r := Result{
		Took: p.ended.Sub(p.begun), Messages: p.messages,
		Bytes: p.messages * uint64(p.spec.Bytes), Credits: p.credits,
	}
	for _, m := range p.members {
		r.Shares = append(r.Shares, m.ctx.Shares())
	}
	if want := p.spec.messages(); p.fault == nil && p.messages != want {
		p.wrong("%d messages came, want %d", p.messages, want)
	}
	if p.faults > 1 {
		return r, fmt.Errorf("%w (and %d more)", p.fault, p.faults-1)
	}
	return r, p.fault
}

// Progress returns how many messages have come, and of how many.
func (p *Pattern) Progress() (done, total int64) {
	return int64(p.messages), int64(p.spec.messages())
}

// Broken returns the error of the first wrong message so far, or nil.
func (p *Pattern) Broken() error { return p.fault }

// wrong records a wrong message.
func (p *Pattern) wrong(format string, args ...any) {
	if p.faults++; p.faults == 1 {
		p.fault = fmt.Errorf("patterns: %v: "+format, append([]any{p.spec.Shape}, args...)...)
	}
}

// pause returns how long a member computes before its next message.
func (p *Pattern) pause(m *member) sim.Duration {
	if p.spec.Shape == Random || p.spec.Shape == HotSpot {
		return m.pauses.Upto(2 * p.spec.gap())
	}
	return p.spec.gap()
}

// messages returns how many messages the pattern has in all, wishes and
// credits not counted.
func (s Spec) messages() uint64 {
	n, count := uint64(s.Nodes), uint64(s.Count)
	switch s.Shape {
	case PingPong:
		return 2 * count * (n / 2)
	case CentralQueue:
		return 2 * count * (n - 1)
	case Stream, ProducerConsumer:
		return count * (n / 2)
	case AllToAll:
		return count * n * (n - 1)
	case Incast:
		return count * uint64(s.Senders)
	case Broadcast:
		return count * (n - 1)
	}
	return count * n
}
