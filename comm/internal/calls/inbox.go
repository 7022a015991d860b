package calls

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// inbox holds a process's messages that wait for a receive, or the receive that
// waits for one.
type inbox struct {
	process *library.Process
	spare   library.Buffers
	early   []comm.Message // in order of arrival, in spare memory
	want    receive        // the receive that waits, or none
}

// receive is a receive that waits for its message.
type receive struct {
	waits bool
	done  bool // its message has arrived
	from  int  // or comm.Anyone
	into  host.Addr
	room  int
	got   comm.Message
}

func (r *receive) takes(from, n int) bool {
	return r.waits && !r.done && r.wants(from) && n <= r.room
}

func (r *receive) wants(from int) bool { return r.from == from || r.from == comm.Anyone }

// newInbox returns an empty inbox for messages of up to most bytes.
func newInbox(process *library.Process, most int) *inbox {
	return &inbox{process: process, spare: library.NewBuffers(process.Space(), most)}
}

// take copies a message of n bytes at an address of the library's memory to the
// buffer of a waiting receive, or else to spare memory.
func (b *inbox) take(c *host.Context, from int, at host.Addr, n int) {
	if r := &b.want; r.takes(from, n) && !b.ahead(r) {
		r.done = true
		r.got = comm.Message{From: from, Bytes: n, At: r.into}
		b.copy(c, at, r.into, n)
		return
	}
	m := comm.Message{From: from, Bytes: n}
	if n > 0 {
		m.At = b.spare.Get()
		b.copy(c, at, m.At, n)
	}
	b.early = append(b.early, m)
}

// ahead reports whether a message that matches the receive has arrived before it.
func (b *inbox) ahead(r *receive) bool {
	return slices.ContainsFunc(b.early, func(m comm.Message) bool { return r.wants(m.From) })
}

// receive returns the oldest message of node from, or of comm.Anyone, stored in
// the n bytes at into. Wait handles arrivals and returns an error if the message
// can no longer arrive. A message that does not fit is an error and can still be
// received. The arguments have been checked.
func (b *inbox) receive(c *host.Context, from int, into host.Addr, n int, wait func() error) (comm.Message, error) {
	r := &b.want
	if r.waits {
		return comm.Message{}, b.process.Errorf("receive while a receive waits: a handler must not call the layer")
	}
	*r = receive{from: from, into: into, room: n}
	for {
		if got, ok, err := b.waiting(c, r); ok {
			return got, err
		}
		r.waits = true
		err := wait()
		r.waits = false
		switch {
		case r.done:
			return r.got, nil
		case err != nil:
			return comm.Message{}, err
		}
	}
}

// waiting returns a message that arrived before its receive.
func (b *inbox) waiting(c *host.Context, r *receive) (comm.Message, bool, error) {
	for i, m := range b.early {
		if !r.wants(m.From) {
			continue
		}
		if m.Bytes > r.room {
			return m, true, b.process.TooLong(m, r.room)
		}
		b.early = append(b.early[:i], b.early[i+1:]...)
		if m.Bytes > 0 {
			b.copy(c, m.At, r.into, m.Bytes)
			b.spare.Put(m.At)
		}
		m.At = r.into
		return m, true, nil
	}
	return comm.Message{}, false, nil
}

func (b *inbox) copy(c *host.Context, from, to host.Addr, n int) {
	if n > 0 {
		c.CopyWithin(b.process.Space(), from, to, n)
	}
}
