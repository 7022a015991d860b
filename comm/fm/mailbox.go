package fm

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// mail is the handler of messages for Receive: it returns where the next piece goes.
func (e *Endpoint) mail(_ *host.Context, m *Arrival) (host.Addr, int) {
	if m.letter == nil {
		m.letter = e.letter(m)
	}
	m.letter.whole = m.Left() == 0
	return m.letter.at, m.Left()
}

// letter returns the place of a message that begins: a waiting Receive's buffer, or new memory.
func (e *Endpoint) letter(m *Arrival) *letter {
	b := &e.mailbox
	l := b.blank.Get(letter{from: m.From, bytes: m.Bytes})
	if w := &b.wanted; w.waiting && w.into != 0 && (w.from == m.From || w.from == comm.Anyone) && m.Bytes <= w.bytes {
		w.waiting = false
		l.at = w.into
	} else {
		l.own = b.spare.Get(e.Space(), m.Bytes)
		l.at = l.own.At
	}
	b.letters = append(b.letters, l)
	return l
}

// first returns the oldest message of a node, or of Anyone, or nil.
func (b *mailbox) first(from int) *letter {
	for _, l := range b.letters {
		if from == comm.Anyone || l.from == from {
			return l
		}
	}
	return nil
}

// remove removes a complete message. Its fields are valid until the next message begins.
func (b *mailbox) remove(l *letter) {
	i := slices.Index(b.letters, l)
	b.letters = slices.Delete(b.letters, i, i+1)
	b.blank.Put(l)
}

// Receive waits for the oldest message of a node, or of Anyone, that was sent
// by Send. With into 0 it leaves the message in memory of the library's, valid
// until the next call. A message that is longer than n is lost to the caller,
// who gets an error.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	b := &e.mailbox
	b.spare.Put(b.handed)
	b.handed = library.Piece{}
	var l *letter
	if l = b.first(from); l == nil {
		b.wanted = wanted{true, from, into, n}
		err := e.await(c, "a message", func() bool { l = b.first(from); return l != nil })
		b.wanted.waiting = false
		if err != nil {
			return comm.Message{}, err
		}
	}
	fits := l.bytes <= n || into == 0
	if fits && into != 0 && l.at != into && !l.whole {
		e.redirect(c, l, into)
	}
	if err := e.await(c, "the rest of a message", func() bool { return l.whole }); err != nil {
		return comm.Message{}, err
	}
	b.remove(l)
	got := comm.Message{From: l.from, Bytes: l.bytes, At: l.at}
	switch {
	case into == 0:
		b.handed = l.own
		return got, nil
	case !fits:
		b.spare.Put(l.own)
		return got, e.TooLong(got, n)
	case l.at != into:
		c.CopyWithin(e.Space(), l.at, into, got.Bytes)
		b.spare.Put(l.own)
		got.At = into
	}
	return got, nil
}

// redirect moves a message that is still arriving to the caller's buffer. Bytes
// that have arrived are copied; the rest goes there directly.
func (e *Endpoint) redirect(c *host.Context, l *letter, into host.Addr) {
	m := &e.peers[l.from].in
	done := m.Done
	c.CopyWithin(e.Space(), l.at, into, done)
	m.to, l.at = into+host.Addr(done), into
	e.mailbox.spare.Put(l.own)
	l.own = library.Piece{}
}
