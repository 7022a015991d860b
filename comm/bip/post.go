package bip

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/fabric"
)

// post makes an announcement visible to the control program.
func (l *Layer) post(p *post) {
	l.posts = append(l.posts, p)
	l.look()
}

// withdraw takes an announcement back, or an entry that is used up.
func (l *Layer) withdraw(p *post) {
	l.posts = slices.DeleteFunc(l.posts, func(q *post) bool { return p == q })
}

// match returns the oldest announcement that a long message of src may come
// into, or nil.
func (l *Layer) match(src int) *post {
	return l.first(func(p *post) bool {
		return !p.busy && (p.from == src || p.from == comm.Anyone) && !(p.next && l.unreadOf(p.from) > 0)
	})
}

// unreadOf returns how many short messages of from lie in the ring.
func (l *Layer) unreadOf(from int) (n int) {
	if from != comm.Anyone {
		return l.unread[from]
	}
	return l.spec.Slots - len(l.free)
}

// look has the control program look again at what waits for an announcement;
// while something waits, the loop tests for new ones.
func (l *Layer) look() {
	if l.waits {
		l.NIC.SetTimer(l.Program.Now())
	}
}

// begin starts a message into an announcement, or loses it when it is too long
// for that, and reports which.
func (l *Layer) begin(k *fabric.Packet, p *post) bool {
	size := k.Header.Words[wordBytes]
	if size > uint64(p.room) {
		l.counts.long++
		l.complete(p, int(k.Src), int(min(size, 1<<62)))
		return false
	}
	p.busy = true
	p.message = coming{from: int(k.Src), number: k.Header.Seq, bytes: int(size)}
	return true
}

// complete hands an announcement's message to its process; one that is longer
// than the room for it has not come.
func (l *Layer) complete(p *post, from, bytes int) {
	l.withdraw(p)
	p.owner.arrived(record{from: from, bytes: bytes, at: p.at, post: p})
}

// find returns the announcement into which a message is coming, or nil.
func (l *Layer) find(from int, number uint32) *post {
	return l.first(func(p *post) bool { return p.busy && p.message.from == from && p.message.number == number })
}

// unfinished returns the announcement of the message that the next fragment of a
// sender belongs to, or nil.
func (l *Layer) unfinished(from int) *post {
	return l.first(func(p *post) bool { return p.busy && p.message.from == from && p.message.next < p.message.bytes })
}

// first returns the oldest announcement of which is true, or nil.
func (l *Layer) first(is func(*post) bool) *post {
	for _, p := range l.posts {
		if is(p) {
			return p
		}
	}
	return nil
}

// abandon gives a message up: one of its fragments is lost. The announcement
// is there for the next message.
func (l *Layer) abandon(p *post) {
	p.busy = false
	l.look()
	p.owner.watch.Fire()
}
