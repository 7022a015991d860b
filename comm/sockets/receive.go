package sockets

import (
	"fmt"
	"io"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// arrived records an entry; it runs when the bytes are in memory.
func (c *Conn) arrived(d deposit.Arrival) {
	spec := &c.stack.net.spec
	var b [entryBytes]byte
	c.stack.space.ReadAt(c.in.entries+host.Addr(d.Offset), b[:])
	e, err := parse(b[:], spec.RingBytes)
	if err != nil || d.Offset != c.lineOf(e.seq) || e.seq-c.in.seq-1 >= uint32(spec.Entries) {
		c.damage() // which the checksum has not detected
		return
	}
	c.in.present |= c.bitOf(e.seq)
	c.scan()
}

// scan announces the next entries whose data has arrived, and reports whether
// there were any. Entries arrive in order and after their data, except in
// experiments in which messages overtake one another.
func (c *Conn) scan() bool {
	in, moved := &c.in, false
	for c.broken == nil {
		e, ok := c.entry(in.seq + 1)
		if !ok || in.present&c.bitOf(e.seq) == 0 {
			break
		}
		if e.kind == bulk {
			if e.start != in.end {
				c.damage()
				return moved
			}
			if !c.whole(e) {
				break
			}
			in.end = pageUp(e.start + uint32(e.bytes))
			in.redirect.hanging -= e.bytes
		}
		if e.kind == inline {
			in.redirect.at += e.bytes // inline bytes are not redirected
		}
		in.present &^= c.bitOf(e.seq)
		in.seq++
		in.buffered += e.bytes
		in.ended = in.ended || e.kind == fin || e.kind == gone
		in.gone = in.gone || e.kind == gone
		moved = true
	}
	if moved {
		c.signal()
	}
	return moved
}

// bitOf returns the bit of an entry's line.
func (c *Conn) bitOf(seq uint32) uint64 { return 1 << (c.lineOf(seq) / entryBytes) }

// entry returns an entry from its line, if it is there.
func (c *Conn) entry(seq uint32) (entry, bool) {
	var b [bulkBytes]byte
	c.stack.space.ReadAt(c.in.entries+host.Addr(c.lineOf(seq)), b[:])
	e, err := parse(b[:], c.stack.net.spec.RingBytes)
	return e, err == nil && e.seq == seq
}

// lineOf returns an entry's offset in the ring of entries.
func (c *Conn) lineOf(seq uint32) int {
	return int(seq-1) & (c.stack.net.spec.Entries - 1) * entryBytes
}

// whole reports whether all bytes of a transfer have arrived.
func (c *Conn) whole(e entry) bool {
	for done := 0; done < e.bytes; done += host.PageBytes {
		if int(c.in.pages[c.page(e.start+uint32(done))]) != min(host.PageBytes, e.bytes-done) {
			return false
		}
	}
	return true
}

// offset returns the offset of a position in the ring of data.
func (c *Conn) offset(position uint32) int {
	return int(position) & (c.stack.net.spec.RingBytes - 1)
}

// page returns the page of the ring that holds a position.
func (c *Conn) page(position uint32) int { return c.offset(position) / host.PageBytes }

// Buffered returns how many bytes can be read without waiting.
func (c *Conn) Buffered() int { return c.in.buffered }

// Ended reports whether the stream has ended: nothing is buffered and nothing
// will arrive, so Read does not wait.
func (c *Conn) Ended() bool { return c.over() != nil }

// Read waits for bytes and stores at most n of them at to: those that have arrived
// and, in a large buffer, those that are arriving. It returns io.EOF after the last
// byte of the stream.
func (c *Conn) Read(x *host.Context, to host.Addr, n int) (int, error) {
	if n == 0 {
		return 0, nil
	}
	if err := c.begin(to, n); err != nil {
		return 0, err
	}
	old := enter(x)
	defer x.Enter(old)
	x.Compute(callWork)
	w := &c.in.want
	if c.in.buffered == 0 {
		c.post(x)
	}
	for w.done == 0 {
		if err := c.over(); err != nil {
			c.finish(x)
			return 0, err
		}
		if c.in.buffered == 0 {
			c.stack.wait(x, &c.in.watch, "bytes of a stream")
			continue
		}
		c.withdraw(x)
		c.take(x)
	}
	// Bytes that are in the buffer already belong to this read.
	for c.in.redirect.unread() > 0 && c.broken == nil && !c.closed {
		if c.in.buffered == 0 {
			c.stack.wait(x, &c.in.watch, "the end of a transfer")
		}
		c.take(x)
	}
	return c.finish(x), nil
}

// ReadFull reads exactly n bytes. It returns io.EOF if the stream has already
// ended, and io.ErrUnexpectedEOF if it ends within the n bytes.
func (c *Conn) ReadFull(x *host.Context, to host.Addr, n int) (int, error) {
	if n == 0 {
		return 0, nil
	}
	if err := c.Start(x, to, n); err != nil {
		return 0, err
	}
	for {
		k, done, err := c.Finish(x)
		if done || err != nil {
			return k, err
		}
		c.stack.wait(x, &c.in.watch, "bytes of a stream")
	}
}

// Start starts a read of the next n bytes of the stream to to, without waiting
// for them. Finish ends it.
func (c *Conn) Start(x *host.Context, to host.Addr, n int) error {
	if err := c.begin(to, n); err != nil {
		return err
	}
	old := enter(x)
	defer x.Enter(old)
	x.Compute(callWork)
	c.post(x)
	return nil
}

// Finish ends the read that Start began. It returns how many bytes have arrived
// and whether they are all; after an error no more will arrive.
func (c *Conn) Finish(x *host.Context) (n int, done bool, err error) {
	if !c.in.busy {
		return 0, false, fmt.Errorf("sockets: Finish without Start")
	}
	old := enter(x)
	defer x.Enter(old)
	w := &c.in.want
	c.take(x)
	if w.done == w.n {
		return c.finish(x), true, nil
	}
	if err := c.over(); err != nil {
		if n = c.finish(x); n > 0 && err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return n, false, err
	}
	return w.done, false, nil
}

func (c *Conn) begin(to host.Addr, n int) error {
	if n <= 0 || !c.stack.space.Valid(to, n) {
		return fmt.Errorf("sockets: read of %d B to %#x, want memory of the process", n, to)
	}
	if c.in.busy {
		return ErrBusy
	}
	if c.closed {
		return ErrClosed
	}
	c.in.busy = true
	c.in.want = want{to: to, n: n}
	return nil
}

// finish ends a read and returns how many bytes it has got.
func (c *Conn) finish(x *host.Context) int {
	c.withdraw(x)
	c.in.redirect.clear()
	c.in.busy = false
	return c.in.want.done
}

// take copies announced bytes into the reader's buffer, except those redirected there, and frees
// their room in the rings.
func (c *Conn) take(x *host.Context) {
	in, w := &c.in, &c.in.want
	for w.done < w.n && in.buffered > 0 {
		if in.left == 0 {
			x.Compute(entryWork)
			in.now, _ = c.entry(in.taken + 1) // it has been announced
			in.left = in.now.bytes
		}
		k := min(w.n-w.done, in.left)
		if in.now.kind == inline {
			from := in.entries + host.Addr(c.lineOf(in.taken+1)+inlineAt+in.now.bytes-in.left)
			c.move(from, k)
			c.advance(k)
			x.Copy(k, false)
		} else {
			position := in.now.start + uint32(in.now.bytes-in.left)
			copied := 0
			if k, copied = c.fetch(position, k); k < 0 {
				in.buffered = 0 // what is left cannot be read
				c.damage()
				return
			}
			c.advance(k)
			if copied > 0 {
				x.Copy(copied, false)
			}
		}
		c.returnCredit(x)
	}
}

// fetch takes up to n bytes at a position of the ring: those that are contiguous
// in the buffer or the ring. It returns their number and how many of them it has
// copied, or -1 if they are at the wrong place in the buffer.
func (c *Conn) fetch(position uint32, n int) (k, copied int) {
	in := &c.in
	k, at := in.redirect.find(position, n)
	if at >= 0 {
		if at != in.want.done {
			return -1, 0
		}
		in.redirect.read += k
		return k, 0
	}
	// A transfer never wraps around the ring's end.
	c.move(in.ring+host.Addr(c.offset(position)), k)
	c.stack.stats.Drained += uint64(k)
	return k, k
}

// move copies n bytes to the next place in the reader's buffer.
func (c *Conn) move(from host.Addr, n int) {
	c.stack.copy(c.in.want.to+host.Addr(c.in.want.done), from, n)
}

// advance counts k bytes as read, and frees their room after the last byte of
// an entry.
func (c *Conn) advance(k int) {
	in := &c.in
	in.want.done += k
	in.buffered -= k
	in.left -= k
	c.stack.stats.Read += uint64(k)
	if in.left > 0 {
		return
	}
	in.taken++
	if in.now.kind == bulk {
		end := pageUp(in.now.start + uint32(in.now.bytes))
		for p := in.now.start; p != end; p += host.PageBytes {
			in.pages[c.page(p)] = 0
		}
		in.freed = end
	}
}

// returnCredit sends the writer a credit once a quarter of a ring has been
// freed.
func (c *Conn) returnCredit(x *host.Context) {
	in, spec := &c.in, &c.stack.net.spec
	if in.freed-in.credited.freed < uint32(spec.RingBytes/4) && in.taken-in.credited.taken < uint32(spec.Entries/4) || c.closed {
		return
	}
	in.credited.freed, in.credited.taken = in.freed, in.taken
	c.stack.space.Store32(in.line, in.freed)
	c.stack.space.Store32(in.line+4, in.taken)
	c.stack.stats.Credits++
	c.stack.send(x, in.line, in.credit, 0, creditBytes, trace.Meta{Kind: trace.Credit})
}
