package rpc

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Transmit is the system call that sends a frame.
func (e *Endpoint) Transmit(c *host.Context, p *calls.Packet, _ bool) error {
	l, peer := e.layer, e.Peers[p.Peer]
	if peer == nil {
		return e.Errorf("not bound to node %d", p.Peer)
	}
	buffer := l.Buffers.Get()
	c.CopyBetween(e.Space(), p.Data, l.Driver.Space, buffer, p.Carries())
	cost := l.spec.Host.Send
	if !p.Op.Reply() {
		cost += l.spec.Host.Call
	}
	r := l.Request(p, calls.Address{Endpoint: peer.Endpoint, Key: uint32(e.At.Endpoint)})
	l.Send(r, buffer)
	l.Program.Post(c, r, cost, host.Words)
	return nil
}

// Look is a system call that fetches a frame, or finds none.
func (e *Endpoint) Look(c *host.Context, requests bool) (calls.Packet, bool) {
	p, ok := e.Take(requests)
	if !ok {
		c.Spend(e.layer.spec.Host.Poll)
		return p, false
	}
	c.Spend(e.layer.spec.Host.Receive)
	c.CopyBetween(e.layer.Driver.Space, p.Data, e.Space(), e.in, p.Carries())
	e.layer.Buffers.Put(p.Data)
	p.Data = e.in
	return p, true
}

// Done does nothing: the next frame may overwrite the last one.
func (e *Endpoint) Done(calls.Packet) {}

// Pause blocks until a frame has arrived.
func (e *Endpoint) Pause(c *host.Context, d sim.Duration) {
	if e.Block(c, d) {
		c.Spend(e.layer.spec.Host.Wake)
	}
}
