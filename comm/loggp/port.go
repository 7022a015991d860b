package loggp

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Space returns the memory of the process.
func (p *port) Space() *host.Space { return p.space }

// Depth returns 1: the bytes of a message are copied, in no time, when it is sent.
func (p *port) Depth() int { return 1 }

// Send deposits bytes.
func (p *port) Send(c *host.Context, from host.Addr, to deposit.Import, offset, n int, _ trace.Meta, notify bool) error {
	return p.send(c, from, nil, to, offset, n, notify, nil)
}

// SendTracked is Send that reports to done when the interface has taken the message.
func (p *port) SendTracked(c *host.Context, from host.Addr, to deposit.Import, offset, n int, _ trace.Meta, done *deposit.Completion) error {
	return p.send(c, from, nil, to, offset, n, false, done)
}

// SendFrame is Send of a frame in place of the memory at an address.
func (p *port) SendFrame(c *host.Context, at host.Addr, frame []byte, to deposit.Import, offset int, _ trace.Meta) error {
	return p.send(c, at, frame, to, offset, len(frame), false, nil)
}

func (p *port) send(c *host.Context, from host.Addr, frame []byte, through deposit.Import, offset, n int, notify bool, done *deposit.Completion) error {
	to, ok := through.(*remote)
	switch {
	case !ok || to.owner != p:
		return fmt.Errorf("loggp: node %d sends through an import of another process", p.layer.node)
	case n <= 0 || offset < 0 || n > to.region.bytes-offset:
		return fmt.Errorf("loggp: node %d sends %d B at offset %d into an import of %d B", p.layer.node, n, offset, to.region.bytes)
	case !p.space.Valid(from, n):
		return fmt.Errorf("loggp: node %d sends %d B from %#x, which is not all allocated", p.layer.node, n, from)
	}
	net := p.layer.net
	cost := net.costs.At(n)
	nested := p.busy
	p.busy = true
	c.Spend(p.layer.link.Ready(c.Now(), cost, net.params.Slots).Sub(c.Now()) + cost.Send)
	i := net.claim()
	m := &net.messages[i]
	m.from, m.to, m.offset, m.bytes, m.notify, m.done = p.layer.node, to.region, offset, n, notify, done
	m.hold(p.space, from, frame)
	if done != nil {
		done.Add()
	}
	p.layer.leave(i)
	if !nested {
		p.leave(c)
	}
	return nil
}

// hold takes the bytes of a message: of the frame, or if that is nil of the memory, described as they are there.
func (m *message) hold(space *host.Space, from host.Addr, frame []byte) {
	m.part = content.Part{}
	if frame != nil {
		m.data = append(m.data[:0], frame...)
		return
	}
	if part, ok := space.Described(from, m.bytes); ok {
		m.part = part
		return
	}
	m.data = slices.Grow(m.data[:0], m.bytes)[:m.bytes]
	space.ReadAt(from, m.data)
}

// store puts bytes of a message, from one offset to before another, into memory.
func (m *message) store(space *host.Space, at host.Addr, from, to int) {
	if m.part.Bytes > 0 {
		space.Describe(at, m.part.Slice(from, to))
	} else {
		space.WriteAt(at, m.data[from:to])
	}
}

// fill puts bytes of a message, from an offset on, into a frame.
func (m *message) fill(frame []byte, from int) {
	if m.part.Bytes > 0 {
		m.part.Slice(from, m.bytes).Read(frame)
	} else {
		copy(frame, m.data[from:])
	}
}
