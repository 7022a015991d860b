package gm

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	n := &Node{spec: *s, connections: make([]connection, nodes*priorities)}
	for i := range n.connections {
		n.connections[i].peer, n.connections[i].deadline = int32(i/priorities), sim.Never
		if i%priorities > 0 {
			n.connections[i].flags = flagHigh
		}
	}
	if err := n.Load(card, s.Traits(), nodes, s.Firmware, n); err != nil {
		return nil, err
	}
	n.Program.Use(&n.queue)
	return n, nil
}

// Open opens a port. Ports of one node must have different tags.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	if n.port(tag, 0) != nil {
		return nil, fmt.Errorf("gm: node %d: a process with tag %d has a port already", n.NIC.ID(), tag)
	}
	e := &Endpoint{Process: n.Process(space, tag), node: n}
	e.provide(host.PageBytes)
	n.ports = append(n.ports, e)
	return e, nil
}

// High returns the port's part for messages of high priority, which has tokens and buffers of
// its own: messages of different priorities are in no order.
func (e *Endpoint) High() *Endpoint {
	n := e.node
	switch {
	case e.flags == flagHigh:
		return e
	case e.other == nil:
		e.other = &Endpoint{Process: n.Process(e.Space(), e.Tag()), node: n, flags: flagHigh, other: e}
		e.other.provide(host.PageBytes)
		n.ports = append(n.ports, e.other)
		n.prefers = true
		n.Program.Sort()
	}
	return e.other
}

// port returns the port of a program for packets with these flags, or nil.
func (n *Node) port(tag trace.Tag, flags uint8) *Endpoint {
	for _, e := range n.ports {
		if e.Tag() == tag && e.flags == flags&flagHigh {
			return e
		}
	}
	return nil
}

// Stats returns the counters.
func (n *Node) Stats() Stats { return n.stats }

// Counts returns the counts of refused and repeated packets.
func (n *Node) Counts() []comm.Count {
	s, f := &n.stats, n.Program.Stats()
	return []comm.Count{
		{Name: "no token", N: s.NoToken}, {Name: "out of order", N: s.OutOfOrder}, {Name: "duplicates", N: s.Duplicates},
		{Name: "damaged", N: f.Damaged}, {Name: "repeated", N: f.Repeated}, {Name: "timeouts", N: s.Timeouts}, {Name: "moved", N: s.Moved},
		{Name: "malformed", N: s.Malformed, Loss: true}, {Name: "refused", N: s.Refused, Loss: true},
		{Name: "protection", N: s.Protection, Loss: true}, {Name: "flushed", N: f.Flushed}, {Name: "given up", N: s.GivenUp, Loss: true},
	}
}
