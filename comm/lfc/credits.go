package lfc

import (
	"fmt"

	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/trace"
)

// share returns the packet buffers of an interface for each of its peers. Beside
// them it keeps room for two reports of each.
func (s *Spec) share(nodes int) (uint32, error) {
	n := s.Firmware.ReceiveBuffers/max(1, nodes-1) - 2
	if n < 2 {
		return 0, fmt.Errorf("lfc.firmware.receive_buffers is %d, want at least %d, which is 4 for each peer of %d nodes", s.Firmware.ReceiveBuffers, 4*(nodes-1), nodes)
	}
	return uint32(min(n, s.Credits)), nil
}

// May reports whether the receiver of the oldest request has a free buffer.
func (n *Node) May(r *firmware.Request) bool {
	l := &n.links[r.To]
	return l.next-l.freed < n.credits
}

// Outgoing numbers a packet and reports emptied buffers with it.
func (n *Node) Outgoing(r *firmware.Request, p *fabric.Packet, _ int) {
	l := &n.links[r.To]
	p.Header.Seq = l.next
	l.next++
	n.report(l, &p.Header)
}

// Acknowledge counts a packet's buffer as emptied.
func (n *Node) Acknowledge(p *fabric.Packet) { n.empty(p.Src) }

// empty counts an emptied buffer and reports it when half of the share is free
// again without a report.
func (n *Node) empty(peer int32) {
	l := &n.links[peer]
	l.emptied++
	if l.emptied-l.told >= max(1, n.credits/2) {
		n.Program.Control(peer, func(h *fabric.Header) {
			h.Meta.Kind = trace.Ack
			n.report(l, h)
		})
	}
}

func (n *Node) report(l *link, h *fabric.Header) {
	h.Ack = l.emptied
	l.told = l.emptied
}

// reported takes a peer's count of emptied buffers. Only undetected damage can make
// it run back or ahead.
func (n *Node) reported(l *link, h *fabric.Header) {
	if h.Ack-l.freed > l.next-l.freed {
		n.stats.Malformed++
		return
	}
	l.freed = h.Ack
}
