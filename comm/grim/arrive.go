package grim

import (
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// HeadBytes is the first word, if decoding begins with it: the rest of the header comes meanwhile.
func (n *Node) HeadBytes() int {
	if !n.spec.Overlap {
		return 0
	}
	return host.WordBytes
}

// Head decodes a header while the rest of the packet arrives. With receiver cut-through it
// also begins to deliver a packet that is in order and has room.
func (n *Node) Head(p *fabric.Packet) {
	n.nic.SpendTime(n.cost.Decode)
	n.heads[p] = nil
	if !n.spec.ReceiverCutThrough || n.nic.Now() >= p.T5 {
		return // all of it has come
	}
	h := &p.Header
	l := n.link(h.Ack, p.Src)
	if l == nil || h.Seq != l.expected || h.Op == opRead || n.process(h) == nil {
		return
	}
	n.nic.SpendTime(n.cost.Sequence)
	n.heads[p] = n.accept(l, p, true)
}

// Demultiplex spends the time to decode a packet whose head has not been handled, or to
// take an answer.
func (n *Node) Demultiplex(p *fabric.Packet) {
	if _, decoded := n.heads[p]; decoded {
		return
	}
	if k := p.Header.Meta.Kind; k == trace.Ack || k == trace.Nack {
		n.nic.SpendTime(n.cost.TakeAnswer)
	} else {
		n.nic.SpendTime(n.cost.Decode)
	}
}

// Received handles a packet that has arrived.
func (n *Node) Received(p *fabric.Packet) {
	in := n.heads[p]
	delete(n.heads, p)
	switch k := p.Header.Meta.Kind; {
	case p.CRCError:
		n.stats.Damaged++
		if in == nil {
			n.nic.Drop(p)
			return
		}
		n.fail(in)
		n.arrived(in)
	case in != nil:
		n.arrived(in)
	case k == trace.Ack || k == trace.Nack:
		n.answered(p)
		n.nic.Drop(p)
	case !k.CarriesRequest():
		n.stats.Malformed++
		n.nic.Drop(p)
	default:
		n.check(p)
	}
}

// check accepts the next message of a link. It answers a duplicate with an ACK, and a gap or want
// of room with a NACK that names the expected number, once.
func (n *Node) check(p *fabric.Packet) {
	h := &p.Header
	l := n.link(h.Ack, p.Src)
	if l == nil {
		n.stats.Malformed++
		n.nic.Drop(p)
		return
	}
	n.nic.SpendTime(n.cost.Sequence)
	// Numbers wrap: their order is the sign of their difference.
	gap := int32(h.Seq - l.expected)
	if n.nic.Free().NetDMA {
		gap = 0 // packets overtake one another, and none is lost
	}
	switch {
	case gap < 0:
		n.stats.Duplicates++
		n.answer(l, trace.Ack, 0, l.done, h.Meta.Tag)
		n.nic.Drop(p)
	case gap > 0:
		n.stats.OutOfOrder++
		if !l.nacked {
			l.nacked = true
			n.answer(l, trace.Nack, opMissing, l.expected, h.Meta.Tag)
		}
		n.nic.Drop(p)
	default:
		if in := n.accept(l, p, false); in == nil {
			n.stats.NoRoom++
			l.nacked = true
			n.answer(l, trace.Nack, opNoRoom, l.expected, h.Meta.Tag)
			n.nic.Drop(p)
		}
	}
}

// accept begins the delivery of the next message of a link. It returns nil if the endpoint has no
// room. A message for a process or memory that does not exist is counted, advances the sequence and
// goes nowhere.
func (n *Node) accept(l *link, p *fabric.Packet, through bool) *incoming {
	n.nic.SpendTime(n.cost.Capacity)
	h := &p.Header
	to := n.process(h)
	var e *entry
	switch {
	case to == nil || !to.takes(h, p.Bytes()):
		n.stats.Refused++
		to = nil
	case h.Op == opActive:
		if e = to.active.room(h, int(p.Src), p.Bytes()); e == nil {
			return nil
		}
	case h.Op == opRead && !n.reserve(h):
		return nil
	}
	in := n.claimIn()
	in.packet, in.header, in.link, in.number, in.process, in.entry = p, p.Header, l, l.expected, to, e
	in.through, in.whole = through, !through
	l.expected++
	l.nacked = false
	if n.stalled() {
		n.inOrder(func() { n.deliver(in) })
	} else {
		n.deliver(in)
	}
	return in
}

// process returns the process that a message is for, or nil. Active messages are for the
// process of the sender's program.
func (n *Node) process(h *fabric.Header) *process {
	id, _ := split(h.Words[wordTo])
	if h.Op == opActive || id == ownProgram {
		for _, p := range n.processes {
			if p.Tag() == h.Meta.Tag && p.active != nil {
				return p
			}
		}
		return nil
	}
	if int64(id) >= int64(len(n.processes)) {
		return nil
	}
	return n.processes[id]
}

// takes reports whether the memory that a message names exists.
func (p *process) takes(h *fabric.Header, bytes int) bool {
	total, offset := split(h.Words[wordSize])
	if int64(offset)+int64(bytes) > int64(total) {
		return false
	}
	at := host.Addr(h.Words[wordAt])
	_, number := split(h.Words[wordTo])
	switch {
	case h.Op == opActive:
		return true
	case h.Op > opBlock || h.Flags&flagLock != 0 && !p.Space().Valid(host.Addr(h.Words[wordLock]), lockBytes):
		return false
	case h.Op == opRead:
		return int64(total) <= int64(p.node.spec.FragmentBytes) && p.Space().Valid(at, int(total))
	case number == 0:
		return bytes == 0 || p.Space().Valid(at, bytes)
	}
	if int64(number) > int64(len(p.regions)) {
		return false
	}
	x := p.regions[number-1]
	return h.Words[wordAt] <= uint64(x.bytes) && bytes <= x.bytes-int(h.Words[wordAt])
}

// Flush handles a forward reset: packets that were still arriving are lost, and so are those
// that no handler has seen. Deliveries that have begun continue.
func (n *Node) Flush() int {
	for p, in := range n.heads { // the order does not matter
		delete(n.heads, p)
		if in == nil {
			continue
		}
		n.stats.Flushed++
		n.fail(in)
		in.packet = nil // the network frees it
		n.arrived(in)
	}
	return 0
}

// fail reverts the acceptance of a message whose packet turns out to be damaged or lost. It is
// always the last that its link accepted, because the next head comes after the end of this packet.
func (n *Node) fail(in *incoming) {
	in.bad = true
	in.link.expected, in.link.nacked = in.number, false
}
