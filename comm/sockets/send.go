package sockets

import (
	"fmt"

	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// reserved entries are kept for the ends of the stream and of the connection.
const reserved = 2

// Write sends n bytes at from. It returns when the buffer may change: when short
// data has been copied, or when the interface has fetched the last byte of longer
// data. It waits while the ring is full. With an error it returns how many bytes
// have been sent.
func (c *Conn) Write(x *host.Context, from host.Addr, n int) (int, error) {
	done, err := c.Lend(x, from, n)
	if ferr := c.Flush(x); err == nil {
		err = ferr
	}
	return done, err
}

// Lend is Write that returns as soon as the requests are posted. The buffer must
// not change until Flush returns or the reader has confirmed that the data has
// arrived.
func (c *Conn) Lend(x *host.Context, from host.Addr, n int) (int, error) {
	if n < 0 || !c.stack.space.Valid(from, n) {
		return 0, fmt.Errorf("sockets: write of %d B at %#x, want memory of the process", n, from)
	}
	if c.out.busy {
		return 0, ErrBusy
	}
	if n == 0 {
		return 0, c.unwritable()
	}
	c.out.busy = true
	defer func() { c.out.busy = false }()
	old := enter(x)
	defer x.Enter(old)
	x.Compute(callWork)
	done := 0
	for done < n {
		k, err := c.put(x, from+host.Addr(done), n-done)
		if err != nil {
			return done, err
		}
		done += k
		c.stack.stats.Written += uint64(k)
	}
	return done, nil
}

// Flush waits until the interface has fetched all lent data.
func (c *Conn) Flush(x *host.Context) error {
	if c.out.busy {
		return ErrBusy
	}
	o := &c.out
	if o.fetching.Pending() == 0 {
		return nil
	}
	o.busy = true
	defer func() { o.busy = false }()
	old := enter(x)
	defer x.Enter(old)
	for o.fetching.Pending() > 0 {
		c.stack.spin(x, &o.fetched, "the interface to fetch its data")
		x.PIORead(1)
	}
	return nil
}

// unwritable returns why nothing more can be written, or nil.
func (c *Conn) unwritable() error {
	switch {
	case c.broken != nil:
		return c.broken
	case c.closed, c.out.finished:
		return ErrClosed
	case c.in.gone:
		return ErrReset
	}
	return nil
}

// put sends the first of n bytes at from, as many as fit into one entry or
// transfer, and returns their number.
func (c *Conn) put(x *host.Context, from host.Addr, n int) (int, error) {
	s := c.stack
	if n <= 2*inlineBytes {
		n = min(n, inlineBytes)
		if err := c.room(x, 0); err != nil {
			return 0, err
		}
		var b [inlineBytes]byte
		s.space.ReadAt(from, b[:n])
		s.stats.Inline++
		c.announce(x, entry{kind: inline, bytes: n}, b[:n])
		return n, nil
	}
	n = c.piece(from, n)
	if err := c.room(x, n); err != nil {
		return 0, err
	}
	o := &c.out
	start := o.wrote
	o.wrote = pageUp(start + uint32(n))
	at := c.offset(start)
	meta := trace.Meta{Kind: c.kind, Span: c.span}
	var err error
	if n <= s.net.spec.CopyBytes {
		// The copy has the offset of its data in the ring, and is overwritten
		// when that part of the ring is free.
		to := c.staging() + host.Addr(at)
		s.copy(to, from, n)
		x.Copy(n, true)
		s.stats.Copied += uint64(n)
		err = s.port.Send(x, to, o.data, at, n, meta, false)
	} else {
		err = s.port.SendTracked(x, from, o.data, at, n, meta, &o.fetching)
	}
	if err != nil {
		panic(fmt.Sprintf("sockets: node %d at %v: %v", s.id, x.Now(), err))
	}
	s.stats.Bulk++
	c.announce(x, entry{kind: bulk, bytes: n, start: start}, nil)
	return n, nil
}

// piece returns how many of n bytes at from one transfer takes: at most half of
// the ring and not beyond its end. If the buffer does not begin at a page, it
// takes only the first page's bytes, so that later packets are whole pages on
// both sides.
func (c *Conn) piece(from host.Addr, n int) int {
	size := c.stack.net.spec.RingBytes
	n = min(n, size/2, size-c.offset(c.out.wrote))
	if rest := host.PageBytes - from.Offset(); rest < host.PageBytes && n > rest && n > c.stack.net.spec.CopyBytes {
		n = rest
	}
	return n
}

// staging returns the address of the copies of short writes.
func (c *Conn) staging() host.Addr {
	if c.out.copies == 0 {
		c.out.copies = c.stack.space.Alloc(int64(c.stack.net.spec.RingBytes))
	}
	return c.out.copies
}

// room waits for an entry and n bytes of the ring.
func (c *Conn) room(x *host.Context, n int) error {
	o, spec := &c.out, &c.stack.net.spec
	for {
		if err := c.unwritable(); err != nil {
			return err
		}
		if o.seq-o.taken < uint32(spec.Entries-reserved) && pageUp(o.wrote+uint32(n))-o.freed <= uint32(spec.RingBytes) {
			return nil
		}
		c.stack.stats.Waits++
		c.stack.wait(x, &o.watch, "room in a connection")
	}
}

// announce sends an entry. It reserves the entry's place before time passes,
// because Close may run in between.
func (c *Conn) announce(x *host.Context, e entry, data []byte) {
	s, o := c.stack, &c.out
	o.seq++
	e.seq = o.seq
	x.Compute(entryWork)
	var b [entryBytes]byte
	n := e.put(&b)
	copy(b[inlineAt:], data)
	at := c.lineOf(e.seq)
	line := o.lines + host.Addr(at) // Close may send another entry before this one is fetched
	s.space.WriteAt(line, b[:n])
	s.send(x, line, o.entries, at, n, trace.Meta{Kind: c.kind, Span: c.span})
}

func pageUp(v uint32) uint32 { return (v + host.PageBytes - 1) &^ (host.PageBytes - 1) }
