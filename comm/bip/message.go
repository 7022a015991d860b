package bip

import (
	"slices"

	"github.com/sigview/sigview/fabric"
)

// message is a long one of which not all has landed.
type message struct {
	from   int
	number uint32
	post   *post
	bytes  int
	next   int // offset of the next fragment
	landed int
}

// begin starts a message into an announcement, or loses it when it is too long
// for that.
func (l *Layer) begin(k *fabric.Packet, p *post) *message {
	size := k.Header.Words[wordBytes]
	if size > uint64(p.bytes) {
		l.counts.long++
		l.withdraw(p)
		p.owner.arrived(&record{from: int(k.Src), bytes: int(min(size, 1<<62)), at: p.at, post: p})
		return nil
	}
	p.busy = true
	m := &message{from: int(k.Src), number: k.Header.Seq, post: p, bytes: int(size)}
	l.coming = append(l.coming, m)
	return m
}

// find returns a message that is coming, or nil.
func (l *Layer) find(from int, number uint32) *message {
	for _, m := range l.coming {
		if m.from == from && m.number == number {
			return m
		}
	}
	return nil
}

// unfinished returns the message of which the next fragment of a sender has to
// be, or nil.
func (l *Layer) unfinished(from int) *message {
	for _, m := range l.coming {
		if m.from == from && m.next < m.bytes {
			return m
		}
	}
	return nil
}

// abandon gives a message up: one of its fragments is lost. The announcement
// is there for the next message.
func (l *Layer) abandon(m *message) {
	l.forget(m)
	m.post.busy = false
	l.look()
	m.post.owner.watch.Fire()
}

func (l *Layer) forget(m *message) {
	l.coming = slices.DeleteFunc(l.coming, func(x *message) bool { return x == m })
}
