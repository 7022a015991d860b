package lfc

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// share returns the packet buffers of an interface for each of its peers. Beside
// them it keeps room for two reports of each, and for one answer to a fetch-and-add.
func (s *Spec) share(nodes int) (uint32, error) {
	n := (s.Firmware.ReceiveBuffers-1)/max(1, nodes-1) - 2
	if n < 2 {
		return 0, fmt.Errorf("lfc.firmware.receive_buffers is %d, want at least %d, which is 1 and 4 for each peer of %d nodes", s.Firmware.ReceiveBuffers, 4*(nodes-1)+1, nodes)
	}
	return uint32(min(n, s.Credits)), nil
}

// open reports whether the peer's interface has a free buffer for this node.
func (n *Node) open(l *link) bool { return l.next-l.freed < n.credits }

// Allows reports whether all receivers of a request have a free buffer, and no packet to be
// forwarded waits for one.
func (n *Node) Allows(r *firmware.Request) bool {
	if r.Op != opMulticast {
		return n.first(r.To)
	}
	return !slices.ContainsFunc(n.children(n.NIC.ID()), func(to int32) bool { return !n.first(to) })
}

func (n *Node) first(to int32) bool {
	l := &n.links[to]
	return n.open(l) && len(l.pending) == 0
}

// Outgoing numbers a packet and reports emptied buffers with it. A multicast goes to the other
// children of this node as well, from the same buffer.
func (n *Node) Outgoing(r *firmware.Request, p *fabric.Packet, _ int) {
	if r.Op == opMulticast {
		for _, to := range n.children(n.NIC.ID())[1:] {
			n.Program.Relay(p, to, func(h *fabric.Header) { n.number(&n.links[to], h) }, func() {})
		}
	}
	n.number(&n.links[r.To], &p.Header)
}

func (n *Node) number(l *link, h *fabric.Header) {
	h.Seq = l.next
	l.next++
	n.report(l, h)
}

// Acknowledge counts a packet's buffer as emptied, or the host as one of those that a
// multicast has reached.
func (n *Node) Acknowledge(p *fabric.Packet) {
	if m := n.casts[p]; m != nil {
		n.reached(m)
		return
	}
	n.empty(p.Src)
}

// empty counts an emptied buffer and reports it when half of the share is free
// again without a report.
func (n *Node) empty(peer int32) {
	l := &n.links[peer]
	l.emptied++
	if l.emptied-l.credited >= max(1, n.credits/2) {
		n.Program.Control(peer, func(h *fabric.Header) {
			h.Meta.Kind = trace.Ack
			n.report(l, h)
		})
	}
}

func (n *Node) report(l *link, h *fabric.Header) {
	h.Ack = l.emptied
	l.credited = l.emptied
}

// reported takes a peer's count of emptied buffers. A count that falls, or exceeds what was sent,
// is damage that the CRC has not shown: it is counted as malformed and ignored.
func (n *Node) reported(l *link, h *fabric.Header) {
	if h.Ack-l.freed > l.next-l.freed {
		n.stats.Malformed++
		return
	}
	l.freed = h.Ack
	n.pump(l)
}
