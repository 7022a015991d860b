package grim

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// Assumed: answers are cumulative. The receiver's interface accepts messages of a link in
// the order of their numbers only. After a gap, or for want of room, it sends one NACK with
// the number that it expects and discards until that comes. The sender's interface repeats
// all messages from that number on, at once or, for want of room, after Retry. Timeouts double
// up to 2^maxBackoff, and the sender gives up after giveUp of them in a row.
const (
	maxBackoff = 4
	giveUp     = 100
)

// link returns the state of a channel with a peer, or nil.
func (n *Node) link(channel uint32, peer int32) *link {
	if int64(channel) >= int64(len(n.channels)) {
		return nil
	}
	return &n.channels[channel].links[peer]
}

// enter gives a message the link's next number and an entry of the scoreboard, until it is
// acknowledged.
func (n *Node) enter(m *message) {
	l := m.link
	m.header.Seq = l.sent.Add(m)
	n.outstanding++
	if len(l.sent.Kept) == 1 {
		n.watch(l, n.patience(l))
	}
}

// patience returns how long a link waits for an answer.
func (n *Node) patience(l *link) sim.Duration {
	return n.spec.Timeout << min(l.timeouts, maxBackoff)
}

// watch sets the time after which a link repeats its messages.
func (n *Node) watch(l *link, after sim.Duration) {
	l.due = n.nic.Now().Add(after)
	if l.due < n.armed {
		n.armed = l.due
		n.nic.SetTimer(l.due)
	}
}

// Timer repeats the messages of links whose time has come.
func (n *Node) Timer() {
	now := n.nic.Now()
	next := sim.Never
	n.armed = 0 // until the next one is known
	for _, ch := range n.channels {
		for i := range ch.links {
			l := &ch.links[i]
			if l.due <= now {
				n.expire(l)
			}
			next = min(next, l.due)
		}
	}
	n.armed = next
	if next != sim.Never {
		n.nic.SetTimer(max(next, n.nic.Now()))
	}
}

// expire repeats a link's messages: its peer may have room again, or has not answered in time.
func (n *Node) expire(l *link) {
	if !l.held {
		n.stats.Timeouts++
		if l.timeouts++; l.timeouts > giveUp {
			n.stats.GivenUp++
			l.due = sim.Never
			return
		}
	}
	l.held = false
	n.repeat(l)
}

// Silent returns the peers that do not answer.
func (n *Node) Silent() (all []comm.Silence) {
	for _, ch := range n.channels {
		for i := range ch.links {
			if l := &ch.links[i]; l.timeouts > 0 {
				all = append(all, comm.Silence{Peer: int(l.peer), Again: min(l.timeouts, giveUp), GivenUp: l.timeouts > giveUp})
			}
		}
	}
	return all
}

// repeat sends all messages of a link again that have no answer.
func (n *Node) repeat(l *link) {
	l.due = sim.Never
	for _, m := range l.sent.Kept {
		n.nic.SpendTime(n.cost.SetValues)
		n.stats.Repeated++
		n.transmit(m, true)
	}
	if len(l.sent.Kept) > 0 {
		n.watch(l, n.patience(l))
	}
}

// answer sends an ACK or a NACK of a link.
func (n *Node) answer(l *link, kind trace.Kind, op uint8, number uint32, tag trace.Tag) {
	n.nic.SpendTime(n.cost.Answer)
	if kind == trace.Nack {
		n.stats.Nacks++
	} else {
		n.stats.Acks++
	}
	k := n.nic.Net().NewPacket()
	k.Src, k.Dst, k.WireBytes = int32(n.nic.ID()), l.peer, n.spec.ControlBytes
	k.Header = fabric.Header{Meta: trace.Meta{Tag: tag, Kind: kind}, Op: op, Seq: number, Ack: uint32(l.channel)}
	n.nic.Send(k, nil)
}

// answered handles an ACK or a NACK: it frees what has arrived.
func (n *Node) answered(p *fabric.Packet) {
	h := &p.Header
	l := n.link(h.Ack, p.Src)
	if l == nil {
		n.stats.Malformed++
		return
	}
	arrived, ok := l.sent.Acknowledge(h.Seq, func(m *message) {
		m.acked = true
		n.outstanding--
		n.settle(m)
	})
	if !ok {
		n.stats.Malformed++
		return
	} else if arrived < 0 {
		return // an old one
	}
	if arrived > 0 {
		l.timeouts = 0
		if !l.held {
			l.due = sim.Never
		}
	}
	switch {
	case len(l.sent.Kept) == 0:
		l.held, l.due = false, sim.Never
	case h.Meta.Kind == trace.Nack && h.Op == opNoRoom:
		l.held = true
		n.watch(l, n.spec.Retry)
	case h.Meta.Kind == trace.Nack:
		l.held = false
		n.repeat(l)
	case l.due == sim.Never:
		n.watch(l, n.spec.Timeout)
	}
}
