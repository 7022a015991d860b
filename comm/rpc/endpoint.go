package rpc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// Connect binds a process to its peers, by node, as the port mapper would; those of
// nodes that take no part are nil.
func (e *Endpoint) Connect(peers []comm.Endpoint, most int) error {
	return library.Peers(&e.Process, peers, func(peer *Endpoint) error {
		e.peers[peer.Node()] = peer
		return nil
	})
}

// knows reports whether the process is bound to a port of a node.
func (e *Endpoint) knows(node int, port uint32) bool {
	return e.peers[node] != nil && uint32(e.peers[node].port) == port
}

// Transmit is the system call that sends a frame.
func (e *Endpoint) Transmit(c *host.Context, p *calls.Packet, _ bool) error {
	l, peer := e.layer, e.peers[p.Peer]
	if peer == nil {
		return e.Errorf("not bound to node %d", p.Peer)
	}
	buffer := l.kernel.buffers.Get()
	c.CopyBetween(e.Space(), p.Data, l.kernel.space, buffer, p.Carries())
	cost := l.spec.Host.Send
	if !p.Op.Reply() {
		cost += l.spec.Host.Call
	}
	r := l.program.NewRequest()
	r.To, r.Bytes, r.Meta, r.Op, r.Order = int32(p.Peer), p.Carries(), p.Meta, uint8(p.Op), p.Seq
	r.Words = p.Words(calls.Address{Endpoint: peer.port, Key: uint32(e.port)})
	r.Space, r.From, r.Descriptor = l.kernel.space, buffer, doorbell
	r.MinFetch = l.spec.Firmware.HeaderBytes + r.Bytes // a frame's header comes from host memory too
	l.program.Post(c, r, cost, false)
	return nil
}

// doorbell is how many words tell the controller of a frame, whose descriptor
// lies in host memory.
const doorbell = 1

// Look is a system call that fetches a frame, or finds none.
func (e *Endpoint) Look(c *host.Context, requests bool) (calls.Packet, bool) {
	p, ok := e.arrivals.Take(requests)
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

// Done does nothing: the next frame may take the place of the last one.
func (e *Endpoint) Done(calls.Packet) {}

// OnArrival sets what runs when a packet comes for the process.
func (e *Endpoint) OnArrival(f func()) { e.arrivals.OnArrival(f) }

// Due says when the process has to look: at once for what has come, or when a
// request has to be sent again.
func (e *Endpoint) Due() sim.Time {
	if e.arrivals.Len() > 0 {
		return 0
	}
	return e.Deadline()
}

// Pause blocks until a frame has come.
func (e *Endpoint) Pause(c *host.Context, d sim.Duration) {
	if e.arrivals.Block(c, d) {
		c.Spend(e.layer.spec.Host.Wake)
	}
}
