package sockets

import (
	"fmt"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// outgoing is the writing half of a connection. Positions in the ring count
// the bytes since the beginning, gaps included, and wrap at 2³².
type outgoing struct {
	data     *vmmc.Import
	entries  *vmmc.Import
	line     host.Addr // the entry that is being sent
	staging  host.Addr // copies of short writes, where they lie in the ring
	held     []byte    // what the interface has yet to fetch, where it lies in the ring
	wrote    uint32
	freed    uint32 // of it, as far as this side has been told
	seq      uint32 // entries sent
	taken    uint32 // of them, as far as this side has been told
	finished bool
	busy     bool
	watch    host.Watch
}

// reserved entries are kept for the end of the stream and of the connection.
const reserved = 2

// Write sends n bytes at from and returns when the interface has the
// requests; how many were sent when it fails before. It waits while the reader
// is a ring behind. The data is what the buffer holds at the time of the call.
func (c *Conn) Write(x *host.Context, from host.Addr, n int) (int, error) {
	if n < 0 || !c.stack.space.Valid(from, n) {
		return 0, fmt.Errorf("sockets: write of %d B at %#x, want memory of the process", n, from)
	}
	if c.out.busy {
		return 0, ErrBusy
	}
	c.out.busy = true
	defer func() { c.out.busy = false }()
	old := enter(x)
	defer x.Enter(old)
	x.Compute(callWork)
	if n == 0 {
		return 0, c.unwritable()
	}
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

// unwritable returns why nothing can be written any more, or nil.
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

// put sends the first of n bytes at from, as many as go at once.
func (c *Conn) put(x *host.Context, from host.Addr, n int) (int, error) {
	s := c.stack
	if n <= 2*InlineBytes {
		n = min(n, InlineBytes)
		if err := c.room(x, 0); err != nil {
			return 0, err
		}
		var b [InlineBytes]byte
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
	at := int(start) & (s.net.spec.RingBytes - 1)
	frame := c.hold(at, n)
	s.space.ReadAt(from, frame)
	if n <= s.net.spec.CopyBytes {
		if o.staging == 0 {
			o.staging = s.space.Alloc(int64(s.net.spec.RingBytes))
		}
		x.Copy(n, true)
		s.stats.Copied += uint64(n)
		from = o.staging + host.Addr(at)
	}
	if err := s.ep.SendFrame(x, from, frame, o.data, at, trace.Meta{Kind: c.kind}); err != nil {
		panic(fmt.Sprintf("sockets: node %d at %v: %v", s.id, x.Now(), err))
	}
	s.stats.Bulk++
	c.announce(x, entry{kind: bulk, bytes: n, start: start}, nil)
	return n, nil
}

// piece returns how many of n bytes at from one transfer takes: at most
// half of the ring, not around its end, and only the first page's if the
// buffer does not begin at a page, so that the packets that follow are whole
// pages on both sides.
func (c *Conn) piece(from host.Addr, n int) int {
	size := c.stack.net.spec.RingBytes
	n = min(n, size/2, size-int(c.out.wrote)&(size-1))
	if rest := host.PageBytes - from.Offset(); rest < host.PageBytes && n > rest && n > c.stack.net.spec.CopyBytes {
		n = rest
	}
	return n
}

// hold returns memory that keeps n bytes at a position of the ring until the
// reader has freed it. The interface fetches what the buffer held when it was
// written, as if its pages were kept from changing until then.
func (c *Conn) hold(at, n int) []byte {
	o := &c.out
	if at+n > len(o.held) {
		o.held = append(o.held, make([]byte, at+n-len(o.held))...)
	}
	return o.held[at : at+n : at+n]
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

// announce sends an entry. Its place is taken before time passes, because
// Close may come in between.
func (c *Conn) announce(x *host.Context, e entry, data []byte) {
	s, o := c.stack, &c.out
	o.seq++
	e.seq = o.seq
	x.Compute(entryWork)
	var b [entryBytes]byte
	n := e.put(&b)
	copy(b[inlineAt:], data)
	s.space.WriteAt(o.line, b[:n])
	place := int(e.seq-1) & (s.net.spec.Entries - 1)
	s.send(x, o.line, o.entries, place*entryBytes, n, c.kind)
}

func pageUp(v uint32) uint32 { return (v + host.PageBytes - 1) &^ (host.PageBytes - 1) }
