package gm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Arrived accepts the next packet of a connection and returns its place in memory.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target {
	h := &p.Header
	l := n.connection(p.Src, h.Flags)
	switch {
	case h.Meta.Kind == trace.Ack || h.Meta.Kind == trace.Nack:
		n.answered(l, h)
		return firmware.Target{}
	case !h.Meta.Kind.CarriesRequest():
		n.stats.Malformed++
		return firmware.Target{}
	case h.Seq != l.expected:
		n.disordered(p, l)
		return firmware.Target{}
	}
	t, ok := n.place(p, l)
	if !ok {
		n.answer(l, trace.Nack, opNoToken)
		return firmware.Target{}
	}
	l.expected++
	l.gap = false
	if t.Action == firmware.Deposit {
		l.deposits++
	} else if l.deposits == 0 {
		l.landed = l.expected
		n.answer(l, trace.Ack, 0)
	}
	return t
}

// disordered answers a packet that is not the next one. A gap is reported once; an
// answer to a packet that has come before replaces a lost one.
func (n *Node) disordered(p *fabric.Packet, l *connection) {
	if int32(p.Header.Seq-l.expected) < 0 {
		n.stats.Duplicates++
		n.answer(l, trace.Ack, 0)
		return
	}
	n.stats.OutOfOrder++
	if !l.gap {
		l.gap = true
		n.answer(l, trace.Nack, opGap)
	}
}

// place returns the memory for a packet. It returns false if the packet begins a message and its
// port has no receive token.
func (n *Node) place(p *fabric.Packet, l *connection) (firmware.Target, bool) {
	h := &p.Header
	e := n.port(h.Meta.Tag, h.Flags)
	length, offset := int(h.Words[wordLength]), int(h.Words[wordOffset])
	switch {
	case length < 0 || offset < 0 || offset+p.Bytes() > length:
		n.stats.Malformed++
		return firmware.Target{}, true
	case e == nil || h.Op == opMessage && length > e.most:
		n.stats.Refused++
		return firmware.Target{}, true
	case h.Op == opDirected:
		return n.directed(p, e, host.Addr(h.Words[wordAddress])+host.Addr(offset)), true
	}
	if offset == 0 {
		if e.Pool.Free() == 0 {
			n.stats.NoToken++
			e.short = true
			e.wake() // the library may make room
			if e.other != nil {
				e.other.wake()
			}
			n.queue.Room().Fire()
			return firmware.Target{}, false
		}
		l.buffer, l.length, l.arrived = e.Pool.Take(), length, 0
	}
	if length != l.length || offset != l.arrived {
		n.stats.Malformed++
		return firmware.Target{}, true
	}
	l.arrived += p.Bytes()
	h.Words[wordBuffer] = uint64(l.buffer)
	t := firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: e.Pool.At(l.buffer) + host.Addr(offset)}
	switch {
	case length <= n.spec.FastBytes:
		t.HeaderBytes = n.spec.EventBytes
	case l.arrived == length:
		t.RecordBytes = n.spec.EventBytes
	}
	return t, true
}

// directed returns the place of a packet of a directed send.
func (n *Node) directed(p *fabric.Packet, e *Endpoint, at host.Addr) firmware.Target {
	if p.Bytes() == 0 {
		return firmware.Target{}
	}
	if !e.Space().Valid(at, p.Bytes()) {
		n.stats.Protection++
		return firmware.Target{}
	}
	return firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: at}
}

// Landed records a message whose event is in host memory.
func (n *Node) Landed(p *fabric.Packet) {
	h := &p.Header
	e := n.port(h.Meta.Tag, h.Flags)
	if h.Op == opDirected {
		n.NIC.Host().Evict(e.Space(), host.Addr(h.Words[wordAddress])+host.Addr(h.Words[wordOffset]), p.Bytes())
		e.Ring()
		return
	}
	i, offset := int(h.Words[wordBuffer]), int(h.Words[wordOffset])
	n.NIC.Host().Evict(e.Space(), e.Pool.At(i)+host.Addr(offset), p.Bytes())
	if offset+p.Bytes() == int(h.Words[wordLength]) {
		e.Pool.Landed(i, int(p.Src), int(h.Words[wordLength]))
		e.Ring()
	}
}

// Lost reverts the acceptance of a packet that a forward reset flushed before its DMA: it is
// expected again. A damaged packet was never accepted.
func (n *Node) Lost(p *fabric.Packet, why firmware.Loss) {
	if why == firmware.Damaged {
		return
	}
	h := &p.Header
	l := n.connection(p.Src, h.Flags)
	offset := int(h.Words[wordOffset])
	if h.Op == opMessage && offset == 0 {
		n.port(h.Meta.Tag, h.Flags).Pool.Put(int(h.Words[wordBuffer]))
	}
	if int32(h.Seq-l.expected) < 0 {
		l.expected = h.Seq
		l.buffer, l.length, l.arrived = int(h.Words[wordBuffer]), int(h.Words[wordLength]), offset
	}
	l.settle(l.landed)
}
