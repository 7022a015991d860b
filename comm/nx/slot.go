package nx

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
)

// deposited records a packet; it runs when the bytes are in memory.
func (x *slot) deposited(d deposit.Arrival) {
	x.pieces = append(x.pieces, piece{d.Offset, d.Bytes, d.Moved})
	x.received += d.Bytes
	x.q.retry()
}

// place returns the address of a piece.
func (x *slot) place(e piece) host.Addr {
	if e.moved {
		return x.guess.buf + host.Addr(e.offset) - host.Addr(x.guess.buf.Offset())
	}
	return x.memory + host.Addr(e.offset)
}

// gather returns the n bytes of a message that starts at an offset.
func (x *slot) gather(space *host.Space, offset, n int) []byte {
	b := make([]byte, n)
	for _, e := range x.pieces {
		from := e.offset - offset
		if from >= 0 && from+e.bytes <= n {
			space.ReadAt(x.place(e), b[from:from+e.bytes])
		}
	}
	return b
}

// inPlace returns how many bytes of the message a redirection has put where the receive wants them.
func (x *slot) inPlace(r *posted, offset int) int {
	if x.guess != r || r.buf.Offset() != offset {
		return 0
	}
	n := 0
	for _, e := range x.pieces {
		if e.moved {
			n += e.bytes
		}
	}
	return n
}

// redirect redirects the next message of the slot to the buffer of a receive.
func (p *Process) redirect(x *slot, r *posted) {
	lo := r.buf.Offset()
	p.context.PIOWrite(p.redirector.RedirectWords(), host.Combining)
	x.guess, r.slot = r, x
	p.redirector.Redirect(x.export, lo, lo+min(r.max, p.sys.spec.EagerBytes), r.buf)
}

// restore ends a redirection. If the message is still needed, its redirected
// bytes are copied back into the slot.
func (p *Process) restore(x *slot, wanted bool) {
	if x.guess == nil {
		return
	}
	moved := 0
	for i := range x.pieces {
		if e := &x.pieces[i]; e.moved {
			p.move(x.memory+host.Addr(e.offset), x.place(*e), e.bytes)
			e.moved = false
			moved += e.bytes
		}
	}
	x.guess.slot, x.guess = nil, nil
	p.redirector.Restore(x.export)
	p.context.PIOWrite(p.redirector.RedirectWords(), host.Combining)
	if wanted && moved > 0 {
		p.context.Copy(moved, false)
	}
}

// guess redirects a sender's next slot to a receive posted for that sender, if its buffer is long
// enough.
func (p *Process) guess(r *posted) {
	spec := &p.sys.spec
	if p.redirector == nil || r.from < 0 || r.from == p.me || r.system || r.max < spec.RedirectBytes || spec.Broadcast == Tree {
		return
	}
	q := p.peer(r.from)
	for i := q.announced; i-q.freed < uint32(len(q.slots)); i++ {
		if x := &q.slots[i%uint32(len(q.slots))]; x.guess == nil {
			p.redirect(x, r)
			return
		}
	}
}

// release ends one use of a slot.
func (p *Process) release(x *slot) {
	if x.users--; x.users > 0 {
		return
	}
	x.pieces, x.received, x.free = x.pieces[:0], 0, true
	q := x.q
	for q.freed != q.announced && q.slots[q.freed%uint32(len(q.slots))].free {
		q.slots[q.freed%uint32(len(q.slots))].free = false
		q.freed++
	}
	p.owe(q)
}

// drain copies unexpected messages out of a sender's slots while more than half
// of the slots are in use.
func (p *Process) drain(q *peer) {
	for q.announced-q.freed > uint32(len(q.slots)/2) {
		x := &q.slots[q.freed%uint32(len(q.slots))]
		m := p.unexpectedIn(x)
		if m == nil {
			return // it is being forwarded and will be free soon
		}
		p.stats.Drained++
		b := x.gather(p.space, m.offset, m.bytes)
		m.memory, m.slot = p.sysAlloc(m.bytes), nil
		p.space.WriteAt(m.memory, b)
		p.context.Copy(m.bytes, false)
		p.release(x)
		if x.users > 0 {
			return
		}
	}
}

// unexpectedIn returns the unexpected message in a slot, or nil.
func (p *Process) unexpectedIn(x *slot) *message {
	for _, m := range p.unexpected {
		if m.slot == x {
			return m
		}
	}
	return p.heldIn(x)
}
