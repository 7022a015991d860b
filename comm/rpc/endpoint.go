package rpc

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// Transmit is the system call that sends a frame.
func (e *Endpoint) Transmit(c *host.Context, p *calls.Packet, _ bool) error {
	l, peer := e.layer, e.Peers[p.Peer]
	if peer == nil {
		return e.Errorf("not bound to node %d", p.Peer)
	}
	buffer := l.kernel.buffers.Get()
	c.CopyBetween(e.Space(), p.Data, l.kernel.space, buffer, p.Carries())
	cost := l.spec.Host.Send
	if !p.Op.Reply() {
		cost += l.spec.Host.Call
	}
	r := l.Request(p, calls.Address{Endpoint: peer.Endpoint, Key: uint32(e.At.Endpoint)})
	r.Space, r.From, r.Descriptor = l.kernel.space, buffer, doorbell
	r.MinFetch = l.spec.Firmware.HeaderBytes + r.Bytes // a frame's header comes from host memory too
	l.Program.Post(c, r, cost, false)
	return nil
}

// doorbell is how many words notify the controller of a frame, whose descriptor
// is in host memory.
const doorbell = 1

// Look is a system call that fetches a frame, or finds none.
func (e *Endpoint) Look(c *host.Context, requests bool) (calls.Packet, bool) {
	p, ok := e.Take(requests)
	if !ok {
		c.Spend(e.layer.spec.Host.Poll)
		return p, false
	}
	c.Spend(e.layer.spec.Host.Receive)
	k := &e.layer.kernel
	c.CopyBetween(k.space, p.Data, e.Space(), e.in, p.Carries())
	k.buffers.Put(p.Data)
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
