package bip

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/fabric"
)

// post makes an announcement visible to the control program.
func (l *Layer) post(p *post) {
	l.posts = append(l.posts, p)
	l.look()
}

// withdraw removes an announcement or a used entry.
func (l *Layer) withdraw(p *post) {
	l.posts = slices.DeleteFunc(l.posts, func(q *post) bool { return p == q })
}

// match returns the oldest announcement that matches a long message of src, or
// nil.
func (l *Layer) match(src int) *post {
	return l.first(func(p *post) bool {
		return !p.busy && (p.from == src || p.from == comm.Anyone) && !(p.next && l.unreadOf(p.from) > 0)
	})
}

// unreadOf returns how many short messages of from are in the ring.
func (l *Layer) unreadOf(from int) (n int) {
	if from != comm.Anyone {
		return l.unread[from]
	}
	return l.spec.Slots - len(l.free)
}

// look makes the control program retry packets that wait for an announcement. While any wait, the
// main loop polls for new announcements.
func (l *Layer) look() {
	if l.waits {
		l.NIC.SetTimer(l.Program.Now())
	}
}

// begin starts a message into an announcement and reports true. If the message
// is too long, it is lost and begin reports false.
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

// complete passes an announcement's message to its process; a message that was
// too long is reported without its data.
func (l *Layer) complete(p *post, from, bytes int) {
	l.withdraw(p)
	p.owner.arrived(record{from: from, bytes: bytes, at: p.at, post: p})
}

// find returns the announcement into which a message is arriving, or nil.
func (l *Layer) find(from int, number uint32) *post {
	return l.first(func(p *post) bool { return p.busy && p.message.from == from && p.message.number == number })
}

// unfinished returns the announcement of the message that the next fragment of a
// sender belongs to, or nil.
func (l *Layer) unfinished(from int) *post {
	return l.first(func(p *post) bool { return p.busy && p.message.from == from && p.message.next < p.message.bytes })
}

// first returns the oldest announcement for which is returns true, or nil.
func (l *Layer) first(is func(*post) bool) *post {
	for _, p := range l.posts {
		if is(p) {
			return p
		}
	}
	return nil
}

// abandon abandons a message that has lost a fragment. Its announcement is free
// for the next message.
func (l *Layer) abandon(p *post) {
	p.busy = false
	l.look()
	p.owner.watch.Fire()
}
