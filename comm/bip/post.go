package bip

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
)

// post is the announcement of a receive: an entry in SRAM with the pages of a
// user's buffer.
type post struct {
	owner *Endpoint
	from  int
	at    host.Addr
	bytes int
	// next marks the announcement that a receive makes for itself: it is for the
	// next message of its sender, so for none that is long while a short one
	// that has come before it is unread.
	next bool
	busy bool // a message is coming into it
}

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
	for _, p := range l.posts {
		switch {
		case p.busy || p.from != src && p.from != comm.Anyone:
		case p.next && l.unreadOf(p.from) > 0:
		default:
			return p
		}
	}
	return nil
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
		l.nic.SetTimer(l.program.Now())
	}
}
