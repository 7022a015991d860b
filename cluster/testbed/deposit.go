package testbed

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Depositor is a process of VMMC-2 with a region on every other node to deposit
// into.
type Depositor struct {
	Node     int
	Space    *host.Space
	Endpoint *vmmc.Endpoint
	Out      host.Addr        // the buffer sent from
	In       []host.Addr      // the buffers received into, by sender
	Exports  []deposit.Export // by sender
	To       []deposit.Import // by receiver
	Called   []sim.Time       // when each send was called
	Posted   []sim.Time       // when its request was in the queue
	testbed  *Testbed
}

// Depositor returns node's process of the first program.
func (b *Testbed) Depositor(node int) *Depositor { return b.DepositorOf(0, node) }

// DepositorOf returns node's process of a program. After an error it returns one that
// does nothing.
func (b *Testbed) DepositorOf(tag trace.Tag, node int) *Depositor {
	if b.depositors[tag] == nil && b.OK() {
		b.depositors[tag] = keep[[]*Depositor](b)(b.open(tag))
	}
	if !b.OK() {
		return &Depositor{testbed: b}
	}
	return b.depositors[tag][node]
}

// open makes the processes of a program.
func (b *Testbed) open(tag trace.Tag) ([]*Depositor, error) {
	all, bytes := make([]*Depositor, len(b.Nodes)), max(b.bytes, host.PageBytes)
	for i, n := range b.Nodes {
		if n.VMMC == nil {
			return nil, fmt.Errorf("deposits on layer %s, want vmmc", b.Place.Layer)
		}
		p := &Depositor{Node: i, Space: host.NewSpace(fmt.Sprintf("bed%d", i), n.Frames), testbed: b}
		p.Endpoint = n.VMMC.Process(p.Space, tag)
		p.Out = p.Space.Alloc(int64(bytes))
		for j := range b.Nodes {
			p.In = append(p.In, p.Space.Alloc(int64(bytes)))
			x, err := p.Endpoint.Export(p.In[j], bytes, nil)
			if err != nil {
				return nil, err
			}
			p.Exports = append(p.Exports, x)
		}
		all[i] = p
	}
	for i, p := range all {
		p.To = make([]deposit.Import, len(all))
		for j, peer := range all {
			if i == j {
				continue
			}
			var err error
			if p.To[j], err = p.Endpoint.Import(peer.Exports[i]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Send deposits n bytes at node to.
func (p *Depositor) Send(c *host.Context, to, n int) { p.SendAs(c, to, n, trace.Data) }

// SendAs is Send with a kind of packets.
func (p *Depositor) SendAs(c *host.Context, to, n int, kind trace.Kind) {
	if !p.testbed.OK() {
		return
	}
	p.Called = append(p.Called, c.Now())
	p.deposit(c, p.To[to], n, kind, false)
	p.Posted = append(p.Posted, c.Now())
}

// Deposit sends n bytes to the start of an import. With notify it interrupts the
// receiver.
func (p *Depositor) Deposit(c *host.Context, to deposit.Import, n int, notify bool) {
	if p.testbed.OK() {
		p.deposit(c, to, n, trace.Data, notify)
	}
}

func (p *Depositor) deposit(c *host.Context, to deposit.Import, n int, kind trace.Kind, notify bool) {
	p.testbed.Keep(p.Endpoint.Send(c, p.Out, to, 0, n, trace.Meta{Kind: kind}, notify))
}

// Interrupting returns an import by which node from deposits into a page of node to.
// Messages with notification interrupt a handler there, which calls serve for each.
func (b *Testbed) Interrupting(from, to int, serve func(*host.Context)) deposit.Import {
	handler := b.Nodes[to].Host.Go("row handler", host.Handler, func(c *host.Context) {
		for {
			c.WaitInterrupt("a message")
			serve(c)
		}
	})
	q := b.Depositor(to)
	if !b.OK() {
		return nil
	}
	x, err := q.Endpoint.Export(q.Space.Alloc(host.PageBytes), host.PageBytes, func(vmmc.Deposit) { handler.Interrupt() })
	if !b.Keep(err) {
		return nil
	}
	return keep[deposit.Import](b)(b.Depositor(from).Endpoint.Import(x))
}
