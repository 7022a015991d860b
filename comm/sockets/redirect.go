package sockets

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
)

// post posts a large buffer to the interface.
func (c *Conn) post(x *host.Context) {
	in, w := &c.in, &c.in.want
	least := c.stack.net.spec.RedirectBytes
	r := &in.redirect
	words := c.stack.redirector
	if words == nil || least == 0 || r.unordered || w.n-in.buffered-r.hanging < least {
		return
	}
	x.Compute(postWork)
	x.PIOWrite(words.RedirectWords(), host.Combining)
	r.posted, r.to, r.room, r.since = true, w.to, w.n, x.Now()
	r.at = in.buffered + r.hanging
	r.clear()
}

// withdraw withdraws the posted buffer: transfers that begin from now on go
// into the ring.
func (c *Conn) withdraw(x *host.Context) {
	r := &c.in.redirect
	if !r.posted {
		return
	}
	r.posted = false
	if r.at < r.room { // otherwise it is full and the interface knows
		x.PIOWrite(c.stack.redirector.RedirectWords(), host.Combining)
	}
}

func (r *redirect) clear() { r.segments, r.received, r.read = r.segments[:0], 0, 0 }

// unread returns how many bytes in the posted buffer have not been taken by the reader.
func (r *redirect) unread() int { return r.received - r.read }

// place returns the memory for n bytes of a packet sent to an offset of the ring, when the packet's
// DMA ends. A packet whose DMA began before the buffer was posted goes to the ring.
func (c *Conn) place(offset, n int) []byte {
	in, size := &c.in, uint32(c.stack.net.spec.RingBytes)
	r := &in.redirect
	position := in.freed + (uint32(offset)-in.freed)&(size-1)
	if position != r.front && !(r.between && position == pageUp(r.front)) {
		r.unordered = true
	}
	r.front = position + uint32(n)
	r.hanging += n
	at := r.at
	r.at += n
	began := c.stack.host.Engine().Now().Add(-c.stack.host.Spec().IOBus.Time(n))
	if !r.posted || r.unordered || at+n > r.room || began < r.since {
		r.placed = 0
		return c.stack.space.Bytes(in.ring+host.Addr(offset), n)
	}
	if k := len(r.segments); k > 0 && r.segments[k-1].position+uint32(r.segments[k-1].bytes) == position && r.segments[k-1].at+r.segments[k-1].bytes == at {
		r.segments[k-1].bytes += n
	} else {
		r.segments = append(r.segments, segment{position, n, at})
	}
	r.received += n
	c.stack.stats.Redirected += uint64(n)
	if r.scratch == nil {
		r.scratch = new([host.PageBytes]byte)
	}
	r.placed = r.to + host.Addr(at)
	return r.scratch[:n]
}

// landed records a packet of data; it runs when the bytes are in memory.
func (c *Conn) landed(d deposit.Arrival) {
	r := &c.in.redirect
	if r.placed != 0 {
		c.stack.space.WriteAt(r.placed, r.scratch[:d.Bytes])
	}
	r.between = d.Last
	c.in.pages[d.Offset/host.PageBytes] += uint16(d.Bytes)
	if c.scan() {
		c.notified() // the entry's own notification came too early
	}
}

// find locates up to n bytes at a position of the ring. It returns how many are
// contiguous, and their offset in the buffer, or -1 if they are in the ring.
func (r *redirect) find(position uint32, n int) (k, at int) {
	for _, s := range r.segments {
		if d := position - s.position; d < uint32(s.bytes) {
			return min(n, s.bytes-int(d)), s.at + int(d)
		}
		if d := s.position - position; d < uint32(n) {
			n = int(d)
		}
	}
	return n, -1
}
