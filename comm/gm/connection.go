package gm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// Allows holds back requests to a peer whose port has no receive token. While a port has messages
// of high priority, those of low priority leave one send buffer to them.
func (n *Node) Allows(r *firmware.Request) bool {
	if n.prefers && r.Flags&flagHigh == 0 && n.Program.Slots() < min(2, n.spec.Firmware.SendPackets) {
		return false
	}
	return !n.connection(r.To, r.Flags).refused
}

// connection returns the connection to a peer for packets with these flags.
func (n *Node) connection(peer int32, flags uint8) *connection {
	i := int(peer) * priorities
	if flags&flagHigh != 0 {
		i++
	}
	return &n.connections[i]
}

// Outgoing numbers a packet.
func (n *Node) Outgoing(r *firmware.Request, p *fabric.Packet, offset int) {
	l := n.connection(r.To, r.Flags)
	p.Header.Words[wordLength], p.Header.Words[wordOffset] = uint64(r.Bytes), uint64(offset)
	k := kept{slot: firmware.Slot(p)}
	if offset+p.Bytes() == r.Bytes {
		k.last = n.port(r.Meta.Tag, r.Flags)
	}
	p.Header.Seq = l.sent.Add(k)
	n.watch(l, n.spec.Resend)
}

// giveUp is how many times in a row packets are sent again without an answer (assumed).
const giveUp = 100

// Silent returns the peers that do not answer.
func (n *Node) Silent() (all []comm.Silence) {
	for i := range n.connections {
		if l := &n.connections[i]; l.timeouts > 0 {
			all = append(all, comm.Silence{Peer: int(l.peer), Again: min(l.timeouts, giveUp), GivenUp: l.timeouts > giveUp})
		}
	}
	return all
}

// watch sets the deadline at which packets to a peer are repeated, unless one is set or the peer is
// given up.
func (n *Node) watch(l *connection, after sim.Duration) {
	if l.deadline == sim.Never && l.timeouts <= giveUp {
		l.deadline = n.NIC.Now().Add(after)
		n.arm()
	}
}

// arm sets the interface's timer to the earliest deadline.
func (n *Node) arm() {
	due := sim.Never
	for i := range n.connections {
		due = min(due, n.connections[i].deadline)
	}
	if due != sim.Never {
		n.NIC.SetTimer(max(due, n.NIC.Now()))
	}
}

// Timer sends the packets of connections again whose time has come.
func (n *Node) Timer() {
	for i := range n.connections {
		l := &n.connections[i]
		if l.deadline <= n.NIC.Now() {
			n.stats.Timeouts++
			n.expire(l)
		}
	}
	n.arm()
}

// expire sends packets of a connection again: there may be a receive token now, or no answer
// has come.
func (n *Node) expire(l *connection) {
	if !l.refused {
		l.timeouts++
	}
	if l.timeouts > giveUp {
		n.stats.GivenUp++
		l.deadline = sim.Never
		return
	}
	n.repeat(l)
}

// repeat sends all kept packets of a connection again.
func (n *Node) repeat(l *connection) {
	l.deadline, l.refused = sim.Never, false
	for _, k := range l.sent.Kept {
		n.Program.Again(k.slot, func(*fabric.Header) {})
	}
	if len(l.sent.Kept) > 0 {
		n.watch(l, n.spec.Resend)
	}
}

// answered takes an acknowledgement or a Nack, both of which tell how many packets are in
// the peer's memory.
func (n *Node) answered(l *connection, h *fabric.Header) {
	accepted, ok := l.sent.Acknowledge(h.Seq, func(k kept) {
		n.Program.Forget(k.slot)
		if k.last != nil {
			k.last.sending--
			k.last.returned.Fire()
		}
	})
	switch {
	case !ok:
		n.stats.Malformed++
		return
	case accepted < 0:
		return // an answer that another one has overtaken
	}
	l.timeouts = 0
	if accepted > 0 || len(l.sent.Kept) == 0 {
		l.deadline, l.refused = sim.Never, false
	}
	switch {
	case len(l.sent.Kept) == 0:
	case h.Meta.Kind == trace.Nack && h.Op == opNoToken:
		l.deadline, l.refused = sim.Never, true
		n.watch(l, n.spec.Refused)
	case h.Meta.Kind == trace.Nack:
		n.repeat(l)
	default:
		n.watch(l, n.spec.Resend)
	}
}

// answer tells a peer which of its packets are in host memory.
func (n *Node) answer(l *connection, kind trace.Kind, op uint8) {
	n.Program.Control(l.peer, func(h *fabric.Header) {
		h.Meta.Kind, h.Op, h.Flags, h.Seq = kind, op, l.flags, l.landed
	})
}

// Deposited acknowledges a packet whose data is in host memory.
func (n *Node) Deposited(p *fabric.Packet) {
	l := n.connection(p.Src, p.Header.Flags)
	l.settle(p.Header.Seq + 1)
	n.answer(l, trace.Ack, 0)
}

// settle notes that a packet's data is in host memory, and advances the number below which all are.
func (l *connection) settle(landed uint32) {
	l.deposits--
	l.landed = landed
	if l.deposits == 0 {
		l.landed = l.expected
	}
}
