package pm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

const (
	open       flow = iota
	held            // a packet has been rejected
	recovering      // it and later ones are being sent again
)

// Operations of a Nack.
const (
	opRejected uint8 = iota // no buffer for packet Seq; Ack is the next round
	opRoom                  // there is room now
)

// accept accepts or rejects a packet of a process. Its number is in order
// unless the network has lost a packet.
func (n *Node) accept(l *link, e *Endpoint, k *fabric.Packet) firmware.Target {
	h := &k.Header
	switch {
	case h.Ack != l.wanted:
		n.stats.Discarded++
		return firmware.Target{}
	case h.Seq != l.expected:
		n.Missing(l.expected, k)
		return firmware.Target{}
	case e == nil:
		n.stats.Refused++
		l.expected++
		n.acknowledge(k.Src, h.Meta.Tag, l)
		return firmware.Target{}
	case e != n.owner:
		n.call(e)
	case h.Op == opWrite:
		l.expected++
		t := e.put(k)
		if t.Action == firmware.Drop {
			n.acknowledge(k.Src, h.Meta.Tag, l)
		}
		return t
	case e.Pool.Free() > 0:
		l.expected++
		return e.take(k)
	}
	n.stats.Rejected++
	l.wanted++
	e.waiting = append(e.waiting, k.Src)
	e.Ring() // the library may make room
	e.queue.Room().Fire()
	n.Program.Control(k.Src, func(a *fabric.Header) {
		a.Meta = trace.Meta{Tag: h.Meta.Tag, Kind: trace.Nack}
		a.Op, a.Seq, a.Ack = opRejected, l.expected, l.wanted
	})
	return firmware.Target{}
}

// acknowledge sends a peer the number of packets in buffers.
func (n *Node) acknowledge(to int32, tag trace.Tag, l *link) {
	n.Program.Control(to, func(a *fabric.Header) {
		a.Meta = trace.Meta{Tag: tag, Kind: trace.Ack}
		a.Seq = l.expected
		if e := n.channel(tag).process; e != nil {
			a.Words[wordRoom] = uint64(e.Pool.Free())
		}
	})
}

// wordRoom is the header word with the number of free buffers in answers.
const wordRoom = 1

// welcome reports room to peers whose packets were rejected: to as many peers as there are free
// buffers.
func (n *Node) welcome(e *Endpoint) {
	for room := e.Pool.Free(); room > 0 && len(e.waiting) > 0; room-- {
		peer := e.waiting[0]
		e.waiting = append(e.waiting[:0], e.waiting[1:]...)
		l := &n.channel(e.Tag()).links[peer]
		n.Program.Control(peer, func(a *fabric.Header) {
			a.Meta = trace.Meta{Tag: e.Tag(), Kind: trace.Nack}
			a.Op, a.Seq, a.Ack = opRoom, l.expected, l.wanted
			a.Words[wordRoom] = uint64(room)
		})
	}
}

// answered handles an Ack or a Nack of a peer and frees the accepted packets.
func (n *Node) answered(l *link, h *fabric.Header) {
	accepted, ok := l.sent.Acknowledge(h.Seq, n.Program.Forget)
	if !ok || accepted < 0 {
		n.stats.Malformed++
		return
	}
	l.again = max(0, l.again-accepted)
	switch rejected := h.Meta.Kind == trace.Nack && h.Op == opRejected; {
	case rejected && len(l.sent.Kept) > 0:
		l.flow, l.later, l.again = held, h.Ack, 0
	case l.flow == held && h.Meta.Kind == trace.Nack && !rejected:
		l.flow = recovering
		n.repeat(l, h.Words[wordRoom])
	case l.flow == recovering && !rejected:
		n.repeat(l, h.Words[wordRoom])
	}
}

// repeat sends kept packets again, in the round that the rejection has begun,
// as room permits.
func (n *Node) repeat(l *link, room uint64) {
	for uint64(l.again) < max(1, room) && l.again < len(l.sent.Kept) {
		n.Program.Again(l.sent.Kept[l.again], func(h *fabric.Header) { h.Ack = l.later })
		l.again++
	}
	if l.again == len(l.sent.Kept) {
		l.flow, l.round = open, l.later
	}
}
