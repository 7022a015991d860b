package calls

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
)

// Inbox is where a process's messages wait for a receive, or a receive for them.
type Inbox struct {
	space *host.Space
	spare *buffers
	early []comm.Message // in the order of their coming, in spare memory
	want  *receive       // that waits
}

// receive is one that waits for its message.
type receive struct {
	from int // or comm.Anyone
	into host.Addr
	room int
	got  comm.Message
	done bool
}

func (r *receive) takes(from, n int) bool {
	return !r.done && (r.from == from || r.from == comm.Anyone) && n <= r.room
}

// NewInbox returns an empty inbox for messages of up to most bytes.
func NewInbox(space *host.Space, most int) *Inbox {
	return &Inbox{space: space, spare: newBuffers(space, most)}
}

// Take takes a message of n bytes at an address of the library's memory: to
// where a receive waits for it, or else to memory where it waits for one.
func (b *Inbox) Take(c *host.Context, from int, at host.Addr, n int) {
	if r := b.want; r != nil && r.takes(from, n) && !b.ahead(r) {
		r.done = true
		r.got = comm.Message{From: from, Bytes: n, At: r.into}
		b.copy(c, at, r.into, n)
		return
	}
	m := comm.Message{From: from, Bytes: n}
	if n > 0 {
		m.At = b.spare.get()
		b.copy(c, at, m.At, n)
	}
	b.early = append(b.early, m)
}

// ahead reports whether a message that came before is the receive's.
func (b *Inbox) ahead(r *receive) bool {
	for _, m := range b.early {
		if r.from == comm.Anyone || r.from == m.From {
			return true
		}
	}
	return false
}

// Receive returns the oldest message of node from, or of comm.Anyone, put at
// into, where n bytes have room; wait handles what comes, and returns an error
// when the message cannot come any more. A message that does not fit is an error,
// and stays.
func (b *Inbox) Receive(c *host.Context, from int, into host.Addr, n int, wait func() error) (comm.Message, error) {
	if into == 0 || !b.space.Valid(into, n) {
		return comm.Message{}, fmt.Errorf("receive of %d B to %#x, want allocated memory", n, into)
	}
	if b.want != nil {
		panic(fmt.Sprintf("calls: %s at %v: receives while it receives", c.Name(), c.Now()))
	}
	r := receive{from: from, into: into, room: n}
	for {
		if got, ok, err := b.waiting(c, &r); ok {
			return got, err
		}
		b.want = &r
		err := wait()
		b.want = nil
		switch {
		case r.done:
			return r.got, nil
		case err != nil:
			return comm.Message{}, err
		}
	}
}

// waiting hands out a message that came early.
func (b *Inbox) waiting(c *host.Context, r *receive) (comm.Message, bool, error) {
	for i, m := range b.early {
		if r.from != comm.Anyone && r.from != m.From {
			continue
		}
		if m.Bytes > r.room {
			return m, true, fmt.Errorf("a message of %d B of node %d, want at most the %d B of the buffer", m.Bytes, m.From, r.room)
		}
		b.early = append(b.early[:i], b.early[i+1:]...)
		if m.Bytes > 0 {
			b.copy(c, m.At, r.into, m.Bytes)
			b.spare.put(m.At)
		}
		m.At = r.into
		return m, true, nil
	}
	return comm.Message{}, false, nil
}

func (b *Inbox) copy(c *host.Context, from, to host.Addr, n int) {
	if n > 0 {
		c.CopyWithin(b.space, from, to, n)
	}
}
