package bip

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// slot returns the address of the data in a slot of the ring.
func (e *Endpoint) slot(i uint32) host.Addr {
	s := &e.layer.spec
	return e.ring + host.Addr(int(i)*s.slotBytes()+s.SlotHeaderBytes)
}

// arrived makes a message visible to the process.
func (e *Endpoint) arrived(r record) {
	e.come = append(e.come, r)
	e.watch.Fire()
}

// Send sends a message and returns when its data has left the buffer: stored into
// the interface for a short message, fetched for a long one. It fails for a node
// that does not exist, for memory that is not allocated and for a message longer
// than Traits.MaxBytes.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	l := e.layer
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	r := l.Program.NewRequest()
	meta.Tag = e.Tag()
	r.To, r.Bytes, r.Meta, r.Space, r.From = int32(to), n, meta, e.Space(), from
	r.Order = e.sent[to]
	e.sent[to]++
	r.Descriptor = l.spec.DescriptorWords
	if n < l.spec.LongBytes {
		r.Op, r.Inline = opShort, true
		l.Program.Post(c, r, l.spec.Host.Send, host.Words)
		return nil
	}
	r.Op, r.Piece = opLong, l.spec.Fragment(n)
	time := l.spec.Host.Send + l.translation(from, n)
	r.Descriptor += pages(from, n)
	r.Hold()
	l.Program.Post(c, r, time, host.Words)
	r.Wait(c, false)
	c.PIORead(1) // the word polled is in SRAM
	l.Program.LetGo(r)
	return nil
}

// pages returns how many pages n bytes at a touch: the host stores the address
// of each.
func pages(a host.Addr, n int) int { return int((a+host.Addr(n)-1).Page()-a.Page()) + 1 }

// translation is the time to find their physical addresses.
func (l *Layer) translation(a host.Addr, n int) sim.Duration {
	return sim.Duration(pages(a, n)) * l.spec.Host.Translate
}

// Post announces a receive of n bytes from a node, or from Anyone. Messages of
// less than Traits.PostFrom need none: for those it does nothing.
func (e *Endpoint) Post(c *host.Context, from int, into host.Addr, n int) error {
	if err := e.checkReceive(from, into, n, false); err != nil || n < e.layer.spec.LongBytes {
		return err
	}
	_, err := e.announce(c, from, into, n, false)
	return err
}

// checkReceive checks the arguments of a receive. Its buffer must not have more
// pages than an entry in SRAM lists.
func (e *Endpoint) checkReceive(from int, into host.Addr, n int, may bool) error {
	if err := e.CheckReceive(from, into, n, may); err != nil || into == 0 {
		return err
	}
	return e.CheckData("receive", into, n, 0, e.Traits().MaxBytes)
}

// announce stores an announcement into SRAM.
func (e *Endpoint) announce(c *host.Context, from int, into host.Addr, n int, next bool) (*post, error) {
	l := e.layer
	if len(l.posts) >= l.spec.Posts {
		return nil, e.Errorf("%d receives are announced, want no more", len(l.posts))
	}
	c.PIOWriteWhile(l.spec.Host.Receive+l.translation(into, n), l.spec.DescriptorWords+pages(into, n), host.Words)
	p := l.spare.Get(post{owner: e, from: from, at: into, room: n, next: next})
	l.post(p)
	return p, nil
}

// Receive spins until a message of from is complete. A short one is copied from
// the ring. A long one is where its receive was announced, which must be into
// unless that is 0. If into has room for a long message and no announcement
// matches, Receive makes one.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	l := e.layer
	if err := e.checkReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	c.Spend(l.spec.Host.Receive)
	var own *post
	r, ok := e.take(from, nil)
	if !ok && into != 0 && n >= l.spec.LongBytes && !e.announced(from) {
		var err error
		if own, err = e.announce(c, from, into, n, true); err != nil {
			return comm.Message{}, err
		}
	}
	for !ok {
		if r, ok = e.take(from, own); !ok {
			c.Spin(&e.watch, "a message")
		}
	}
	if own != nil && r.post != own {
		l.withdraw(own)
		l.spare.Put(own)
		c.PIOWrite(1, host.Words)
	}
	if r.post == nil {
		return e.copy(c, &r, into, n)
	}
	c.PIORead(1) // the word polled is in SRAM
	l.spare.Put(r.post)
	return e.where(&r, into)
}

// announced reports whether an announcement matches a message of from.
func (e *Endpoint) announced(from int) bool {
	return slices.ContainsFunc(e.layer.posts, func(p *post) bool {
		return p.from == from || p.from == comm.Anyone || from == comm.Anyone
	})
}

// take removes the oldest message of from. While one arrives in the caller's
// own announcement, only that one counts.
func (e *Endpoint) take(from int, own *post) (record, bool) {
	i := slices.IndexFunc(e.come, func(r record) bool {
		if own != nil && own.busy {
			return r.post == own
		}
		return from == comm.Anyone || r.from == from
	})
	if i < 0 {
		return record{}, false
	}
	r := e.come[i]
	e.come = slices.Delete(e.come, i, i+1)
	return r, true
}

// where returns a long message if it is at the address that the receive wants, and an error
// otherwise.
func (e *Endpoint) where(r *record, into host.Addr) (comm.Message, error) {
	m := comm.Message{From: r.from, Bytes: r.bytes, At: r.at}
	switch {
	case r.bytes > r.post.room:
		return m, e.Errorf("a message of %d B of node %d, want at most the %d B announced", r.bytes, r.from, r.post.room)
	case into != 0 && into != r.at:
		return m, e.Errorf("receive at %#x of a message of node %d, want %#x as announced", into, r.from, r.at)
	}
	return m, nil
}

// copy copies a short message out of its slot, and frees the slot by a word in SRAM.
func (e *Endpoint) copy(c *host.Context, r *record, into host.Addr, n int) (comm.Message, error) {
	l := e.layer
	m := comm.Message{From: r.from, Bytes: r.bytes, At: into}
	var err error
	switch {
	case r.bytes > n:
		err = e.TooLong(m, n)
	case into == 0 && r.bytes > 0:
		err = e.Errorf("receive of a short message of node %d, want a buffer for it", r.from)
	case r.bytes > 0:
		c.CopyWithin(e.Space(), r.at, into, r.bytes)
	}
	c.PIOWrite(1, host.Words)
	l.release(r.from, r.slot)
	l.look()
	return m, err
}

// Poll handles nothing and returns 0: the interface needs no process.
func (e *Endpoint) Poll(*host.Context) int { return 0 }
