package vmmc

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Demultiplex spends what it costs to check a packet and to find its destination,
// after which its arrival is seen (T5); for an acknowledgement that is part of
// handling it.
func (n *Node) Demultiplex(p *fabric.Packet) {
	if k := p.Header.Meta.Kind; p.CRCError || k != trace.Ack && k != trace.Nack {
		n.nic.Spend(n.cost.Demultiplex)
	}
}

// Received handles an arrived packet.
func (n *Node) Received(p *fabric.Packet) {
	if p.CRCError {
		n.stats.Corrupt++
		n.drop(p)
		return
	}
	peer := p.Src
	l := n.link(peer)
	switch p.Header.Meta.Kind {
	case trace.Ack:
		n.acked(l, p)
		n.drop(p)
		return
	case trace.Nack:
		n.acked(l, p)
		n.repeat(l, p.Header.Seq)
		n.drop(p)
		return
	}
	if !p.Header.Meta.Kind.CarriesRequest() {
		n.stats.Malformed++
		n.drop(p)
		return
	}
	gap := int32(p.Header.Seq - l.expected)
	if n.nic.Free().NetDMA {
		gap = 0 // in experiments packets overtake one another and none is lost
	}
	switch {
	case gap < 0:
		n.stats.Duplicates++
		n.drop(p)
		n.owe(l, peer)
		return
	case gap > 0:
		n.stats.OutOfOrder++
		n.drop(p)
		if !l.asked {
			l.asked = true
			n.stats.Nacks++
			n.control(trace.Nack, l, peer, n.nic.Answer(trace.Nack, peer))
		}
		return
	}
	l.expected++
	l.asked = false
	n.deposit(l, p)
}

// deposit starts the DMA of a packet into the exported region. A packet for a
// region that is not exported, or beyond its end, counts in the sequence but is
// not deposited.
func (n *Node) deposit(l *link, p *fabric.Packet) {
	h := &p.Header
	var x *Export
	if h.Words[wordHandle] < uint64(len(n.exports)) {
		x = n.exports[h.Words[wordHandle]]
	}
	offset := h.Words[wordOffset]
	if x == nil || !x.allows(offset, p.Bytes()) {
		n.stats.Protection++
		peer := p.Src
		n.deposited(l, peer, p.Header.Seq)
		n.drop(p)
		n.owe(l, peer)
		return
	}
	in := n.claimIn()
	in.export = x
	at, _ := x.target(int(offset), p.Bytes())
	n.translate(&n.deposits, x.spaceID, at)
	if end := at + host.Addr(p.Bytes()) - 1; end.Page() != at.Page() { // a redirection may be aligned differently
		n.translate(&n.deposits, x.spaceID, end)
	}
	in.dma.Dir, in.dma.Bytes, in.dma.Arg = ni.ToHost, p.Bytes(), uint64(in.slot)
	in.dma.Packet = p
	n.nic.HostDMA(&in.dma)
}

// Transferred moves the bytes of a host DMA.
func (n *Node) Transferred(d *ni.DMA) {
	if d.Dir == ni.ToNI {
		o := n.outs[d.Record.Arg]
		m := o.msg
		if m.more != nil && m.more.frame != nil {
			o.described = content.Part{}
			copy(o.data(), m.more.frame[o.offset-m.offset:])
			return
		}
		from, local := n.source(m)
		at := local + host.Addr(o.offset-m.offset)
		if int(o.Bytes) > inlineMax {
			var ok bool
			if o.described, ok = from.space.Described(at, int(o.Bytes)); ok {
				return
			}
		}
		from.space.ReadAt(at, o.data())
		return
	}
	n.inbound[d.Arg].write(&n.stats)
}

// write stores the packet's bytes in memory, by the redirection in force at the
// end of the transfer.
func (in *incoming) write(stats *Stats) {
	x, p := in.export, in.dma.Packet
	offset := int(p.Header.Words[wordOffset])
	at, moved := x.target(offset, p.Bytes())
	in.moved = moved
	if x.place != nil {
		b := x.place(offset, p.Bytes())
		if b == nil {
			stats.Protection++
			return
		}
		copy(b, p.Data())
	} else if part := p.Described(); part.Bytes > 0 {
		x.space.Describe(at, part)
	} else {
		x.space.WriteAt(at, p.Data())
	}
	if x.written != nil {
		x.written(in.deposit())
	}
}

func (in *incoming) deposit() Deposit {
	h := &in.dma.Packet.Header
	return Deposit{
		From: int(in.dma.Packet.Src), Offset: int(h.Words[wordOffset]), Bytes: in.dma.Packet.Bytes(),
		First: h.Flags&ni.FlagFirst != 0, Last: h.Flags&flagLast != 0, Moved: in.moved,
	}
}

// HostDone continues after a host DMA.
func (n *Node) HostDone(d *ni.DMA, _ sim.Time) {
	if d.Dir == ni.ToNI {
		n.idle = append(n.idle, d)
		n.fetched(n.outs[d.Record.Arg])
		return
	}
	in := n.inbound[d.Arg]
	p := in.dma.Packet
	n.nic.Spend(n.cost.Deposited)
	n.stats.Delivered++
	peer := p.Src
	l := n.link(peer)
	n.deposited(l, peer, p.Header.Seq)
	if p.Header.Flags&flagNotify != 0 {
		n.notify(in)
	}
	n.inFree = append(n.inFree, in.slot)
	n.drop(p)
	n.owe(l, peer)
}

func (n *Node) notify(in *incoming) {
	if in.export.notify == nil {
		return
	}
	n.nic.Spend(n.cost.Notify)
	n.stats.Notifications++
	in.export.notify(in.deposit())
}

// drop frees a packet and its receive buffer.
func (n *Node) drop(p *fabric.Packet) { n.nic.Drop(p) }

// Flush drops the packets whose deposit has not begun. Their senders will send
// them again.
func (n *Node) Flush() int {
	lost := 0
	n.nic.CancelHost(func(d *ni.DMA) bool {
		if d.Dir == ni.ToNI {
			return false
		}
		in := n.inbound[d.Arg]
		l := n.link(in.dma.Packet.Src)
		if int32(in.dma.Packet.Header.Seq-l.expected) < 0 {
			l.expected = in.dma.Packet.Header.Seq
		}
		l.asked = false
		n.inFree = append(n.inFree, in.slot)
		n.drop(in.dma.Packet)
		lost++
		return true
	})
	return lost
}

func (n *Node) claimIn() *incoming {
	if k := len(n.inFree); k > 0 {
		in := n.inbound[n.inFree[k-1]]
		n.inFree = n.inFree[:k-1]
		return in
	}
	in := &incoming{slot: uint32(len(n.inbound))}
	n.inbound = append(n.inbound, in)
	return in
}
