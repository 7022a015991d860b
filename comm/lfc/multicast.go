package lfc

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Multicasts go along a binary tree of the program's nodes, which each interface knows. The
// sender is the root; the others follow in the order of their numbers, from the root's on.
// The k-th of them sends to the (2k+1)-th and the (2k+2)-th. An interface sends a packet on
// as soon as it has arrived and the next one has a free buffer, and frees its own when the
// packet has left for all of them and for the host. Packets that wait so for one another
// cannot make a circle: on the way from the root each step, counted in nodes, is longer than
// the one before, and buffers belong to a pair of nodes and so to a length.

// Connect names the nodes of a program's processes, to which its multicasts go.
func (e *Endpoint) Connect(peers []comm.Endpoint, _ int) error {
	e.group = nil
	return library.Peers(&e.Process, peers, func(p *Endpoint) error {
		e.group = append(e.group, int32(p.Node()))
		return nil
	})
}

// Multicast sends a packet in two pieces to all other nodes of the program.
func (e *Endpoint) Multicast(c *host.Context, head, body comm.Piece, meta trace.Meta) error {
	to := e.node.children(e.Node())
	if len(to) == 0 {
		return e.Errorf("multicast without other nodes, want it after Connect with two at least")
	}
	if err := e.CheckGather(int(to[0]), head, body, meta); err != nil {
		return err
	}
	return e.send(c, opMulticast, to[0], meta, head, body)
}

// children returns the nodes to which this one sends a multicast of a root.
func (n *Node) children(root int) []int32 {
	if n.process == nil {
		return nil
	}
	g := n.process.group
	from, me := slices.Index(g, int32(root)), slices.Index(g, int32(n.NIC.ID()))
	if from < 0 || me < 0 {
		return nil
	}
	k := (me - from + len(g)) % len(g)
	var to []int32
	for i := 2*k + 1; i <= 2*k+2 && i < len(g); i++ {
		to = append(to, g[(from+i)%len(g)])
	}
	return to
}

// forward sends an arrived multicast on. It fails if this node has no process of the program.
func (n *Node) forward(p *fabric.Packet) bool {
	if n.process == nil || !slices.Contains(n.process.group, sender(p)) {
		return false
	}
	to := n.children(int(sender(p)))
	m := &cast{packet: p, left: 1 + len(to)}
	n.casts[p] = m
	n.Program.Hold(p)
	for _, peer := range to {
		l := &n.links[peer]
		l.pending = append(l.pending, m)
		n.pump(l)
	}
	return true
}

// pump sends multicasts on to a peer as long as it has buffers.
func (n *Node) pump(l *link) {
	for len(l.pending) > 0 && n.open(l) {
		m := l.pending[0]
		l.pending = slices.Delete(l.pending, 0, 1)
		n.stats.Forwarded++
		n.Program.Relay(m.packet, l.peer, func(h *fabric.Header) { n.number(l, h) }, func() { n.reached(m) })
	}
}

// reached counts a node that a multicast has reached. Its buffer is empty after the last one.
func (n *Node) reached(m *cast) {
	if m.left--; m.left > 0 {
		return
	}
	delete(n.casts, m.packet)
	n.empty(m.packet.Src)
	n.Program.Unhold(m.packet)
}

// sender returns the node whose message a packet is.
func sender(p *fabric.Packet) int32 {
	if p.Header.Op == opMulticast {
		return int32(p.Header.Words[wordRoot])
	}
	return p.Src
}
