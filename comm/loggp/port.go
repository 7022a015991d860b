package loggp

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
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
	if m.data = append(m.data[:0], frame...); frame == nil {
		if cap(m.data) < n {
			m.data = make([]byte, n)
		}
		m.data = m.data[:n]
		p.space.ReadAt(from, m.data)
	}
	if done != nil {
		done.Add()
	}
	p.layer.leave(i)
	if !nested {
		p.leave(c)
	}
	return nil
}
