package wire

import (
	"slices"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// arrived records a packet of a record, when its bytes are in memory. Packets are in order except
// in experiments that let them overtake one another, so any order is accepted.
func (p *Port) arrived(d deposit.Arrival) {
	from := d.From
	q := p.peer(from)
	c := chunk{d.Offset, d.Offset + d.Bytes, d.First, d.Last}
	if q.rare != nil {
		c = q.rare.join(c)
	}
	if !c.first || !c.last {
		x := q.uncommon()
		x.chunks = append(x.chunks, c)
		return
	}
	a := arrival{start: c.start}
	if !p.read(from, &a, c.end) || int(a.from) != from {
		p.damaged(from)
		return
	}
	own := a.seq
	if !d.Last {
		own = q.next - 1 // its notification came too early, with the last packet
	}
	p.accept(from, a, own)
	if x := q.rare; x == nil || len(x.chunks) == 0 && len(x.complete) == 0 {
		p.forget(p.places(p.id, from).inbox, p.spec.RingBytes)
	}
}

// join adds a chunk to the chunk of the same record before or behind it, and returns the sum.
func (x *rare) join(c chunk) chunk {
	for i := 0; i < len(x.chunks); i++ {
		switch o := x.chunks[i]; {
		case !c.first && !o.last && o.end == c.start:
			c.start, c.first = o.start, o.first
		case !c.last && !o.first && c.end == o.start:
			c.end, c.last = o.end, o.last
		default:
			continue
		}
		x.chunks = append(x.chunks[:i], x.chunks[i+1:]...)
		i = -1
	}
	return c
}

// read returns the envelope of a record that ends at an offset of the ring, and whether it is
// plausible.
func (p *Port) read(from int, a *arrival, end int) bool {
	if end-a.start < envelopeBytes {
		return false
	}
	var header [headerBytes]byte
	inbox := p.rings + host.Addr(p.places(p.id, from).inbox)
	p.space.ReadAt(inbox+host.Addr(a.start), header[:])
	a.record = parse(header)
	return a.part <= streams && a.span() == end-a.start && !far(a.seq, p.peer(from).next) &&
		p.space.Load32(inbox+host.Addr(end-tailBytes)) == a.seq
}

// far reports whether a count in a header is too far from the expected one to
// be genuine.
func far(got, want uint32) bool {
	d := int32(got - want)
	return d < -1<<16 || d > 1<<16
}

// damaged delivers an unreadable message in place of one with a corrupted header
// that the link's checksum did not detect. The program then ends with an error.
func (p *Port) damaged(from int) {
	p.stats.Damaged++
	p.inbox.Put(svm.Request, from, []byte{})
	p.inbox.Put(svm.Answer, from, []byte{})
	p.watch.Fire()
	p.notify()
}

// accept delivers a record if it is the next in sequence, and then those behind it that have
// arrived before. It notifies the member of the latter; the record own, which has just arrived, is
// followed by its own notification.
func (p *Port) accept(from int, a arrival, own uint32) {
	q := p.peer(from)
	if a.seq != q.next {
		x := q.uncommon()
		x.complete = append(x.complete, a)
		return
	}
	for {
		q.next++
		p.deliver(from, a)
		if a.class == svm.Request && !a.more && a.seq != own {
			p.notify()
		}
		if q.rare == nil {
			return
		}
		i := slices.IndexFunc(q.rare.complete, func(a arrival) bool { return a.seq == q.next })
		if i < 0 {
			return
		}
		a = q.rare.complete[i]
		q.rare.complete = slices.Delete(q.rare.complete, i, i+1)
	}
}

// deliver puts a record's message into the inbox once it is complete.
func (p *Port) deliver(from int, a arrival) {
	q := p.peer(from)
	size := uint32(p.spec.RingBytes)
	q.consumed += (uint32(a.start) - q.consumed) % size // the gap before it
	q.consumed += uint32(a.span())
	p.owe(from)
	var whole []byte
	if a.part > 0 {
		whole = q.uncommon().partial[a.part]
	}
	if whole == nil {
		whole = p.inbox.Buffer()
	}
	old := len(whole)
	whole = slices.Grow(whole, a.bytes)[:old+a.bytes]
	p.space.ReadAt(p.rings+host.Addr(p.places(p.id, from).inbox+a.start+headerBytes), whole[old:])
	if a.part > 0 {
		q.rare.partial[a.part] = whole
		if a.more {
			return
		}
		q.rare.partial[a.part] = nil
	}
	if len(whole) != int(a.total) {
		p.damaged(from)
		return
	}
	p.inbox.Put(a.class, from, whole)
	if a.class == svm.Answer {
		p.watch.Fire()
	}
}

// Receive implements svm.Transport.
func (p *Port) Receive(c *host.Context, class svm.Class) (svm.Received, bool) {
	// This comes before a message is taken: it spends time, in which another
	// context of this node may take the message.
	p.port.Poll(c)
	p.returnCredits(c)
	return p.inbox.Take(class)
}

// owe schedules a credit for a writer when a quarter of its ring has been read since the last
// credit. One of the node's waiting contexts wakes and sends it.
func (p *Port) owe(from int) {
	q := p.peer(from)
	if q.creditDue || q.consumed-q.reported < uint32(p.spec.RingBytes)/4 {
		return
	}
	q.creditDue = true
	p.owing.Push(from)
	p.watch.Fire()
	for _, q := range p.peers {
		if q != nil {
			q.watch.Fire()
		}
	}
}

// returnCredits sends the scheduled credits to their writers.
func (p *Port) returnCredits(c *host.Context) {
	for p.owing.Len() > 0 {
		to := p.owing.Pop()
		q := p.peer(to)
		q.creditDue, q.reported = false, q.consumed
		p.stats.Credits++
		credit := p.places(p.id, to).credit
		word := p.rings + host.Addr(credit+creditBytes/2)
		p.space.Store32(word, q.reported)
		if err := p.port.Send(c, word, q.memory, p.places(to, p.id).credit, creditBytes/2, trace.Meta{Kind: trace.Credit}, false); err != nil {
			panic("svm/wire: " + err.Error())
		}
		p.forgetCredit(credit)
	}
}
