package wire

import (
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// arrived notes packets of records; it runs when their bytes are in memory.
func (p *Port) arrived(from int, d vmmc.Deposit) {
	q := &p.peers[from]
	start, end := d.Offset, d.Offset+d.Bytes
	if !d.First {
		for i := range q.opened {
			if o := &q.opened[i]; o.next == d.Offset {
				start = o.start
				o.next = end
				if d.Last {
					q.opened = append(q.opened[:i], q.opened[i+1:]...)
				}
				break
			}
		}
	} else if !d.Last {
		q.opened = append(q.opened, opening{start, end})
	}
	if d.Last {
		var header [headerBytes]byte
		p.space.ReadAt(q.inbox+host.Addr(start), header[:])
		a := arrival{parse(header[:]), start}
		if a.span() != end-start || far(a.seq, q.next) || far(a.pages, q.landed) {
			p.damaged(from)
			return
		}
		q.complete = append(q.complete, a)
		p.accept(from)
	}
}

// far reports whether a count in a header is too far from what is expected to
// have been sent.
func far(got, want uint32) bool {
	d := int32(got - want)
	return d < -1<<16 || d > 1<<16
}

// damaged hands over a message that cannot be read in place of one whose
// header a corruption has hit that the link's checksum did not show: the
// program ends with an error instead of waiting for ever.
func (p *Port) damaged(from int) {
	p.stats.Damaged++
	for class := range p.boxes {
		p.boxes[class].messages = append(p.boxes[class].messages, message{from: from, bytes: []byte{}})
	}
	p.watch.Fire()
	p.notify()
}

// accept hands over the records that are next in sequence and whose pages have
// landed. Records come in sequence anyway, unless an experiment lets messages
// overtake one another.
func (p *Port) accept(from int) {
	q := &p.peers[from]
	for i := 0; i < len(q.complete); {
		a := q.complete[i]
		if a.seq != q.next || int32(q.landed-a.pages) < 0 {
			i++
			continue
		}
		q.complete = append(q.complete[:i], q.complete[i+1:]...)
		q.next++
		p.deliver(from, a)
		i = 0
	}
}

// deliver puts a record's message into its box.
func (p *Port) deliver(from int, a arrival) {
	q := &p.peers[from]
	size := uint32(p.spec.RingBytes)
	q.consumed += (uint32(a.start) - q.consumed) % size // what the writer left out before it
	q.consumed += uint32(a.span())
	p.owe(from)
	partial := &q.partial[a.part]
	if *partial == nil {
		*partial = p.buffer()
	}
	old := len(*partial)
	*partial = append(*partial, make([]byte, a.bytes)...)
	p.space.ReadAt(q.inbox+host.Addr(a.start+headerBytes), (*partial)[old:])
	if a.more {
		return
	}
	b := &p.boxes[a.class]
	b.messages = append(b.messages, message{from, *partial})
	*partial = nil
	if a.class == svm.Answer {
		p.watch.Fire()
	}
}

// Receive implements svm.Transport.
func (p *Port) Receive(c *host.Context, class svm.Class) (int, []byte, bool) {
	// Before a message is taken, because time passes and another context of
	// this node may come and take it instead.
	p.tell(c)
	b := &p.boxes[class]
	if b.last != nil {
		p.free = append(p.free, b.last[:0])
		b.last = nil
	}
	if b.head == len(b.messages) {
		b.messages, b.head = b.messages[:0], 0
		return 0, nil, false
	}
	m := b.messages[b.head]
	b.messages[b.head] = message{}
	b.head++
	b.last = m.bytes
	return m.from, m.bytes, true
}

// buffer returns an empty buffer for a message.
func (p *Port) buffer() []byte {
	if k := len(p.free); k > 0 {
		b := p.free[k-1]
		p.free = p.free[:k-1]
		return b
	}
	return make([]byte, 0, 64)
}

// owe notes that a writer may be told of room, once a quarter of its ring has
// been read, and wakes the contexts of this node that may be waiting: one of
// them has to do it.
func (p *Port) owe(from int) {
	q := &p.peers[from]
	if q.owed || q.consumed-q.told < uint32(p.spec.RingBytes)/4 {
		return
	}
	q.owed = true
	p.owing = append(p.owing, from)
	p.watch.Fire()
	for j := range p.peers {
		p.peers[j].watch.Fire()
	}
}

// tell lets the writers know of the room that they are owed.
func (p *Port) tell(c *host.Context) {
	for len(p.owing) > 0 {
		q := &p.peers[p.owing[0]]
		p.owing = append(p.owing[:0], p.owing[1:]...)
		q.owed, q.told = false, q.consumed
		p.stats.Credits++
		word := p.creditWord(q)
		if err := p.ep.Send(c, word, q.room, 0, 4, trace.Meta{Kind: trace.Flag}, false); err != nil {
			panic("svm/wire: " + err.Error())
		}
	}
}

// creditWord writes what is to be told where the interface can fetch it.
func (p *Port) creditWord(q *peer) host.Addr {
	at := q.credit + 4
	p.space.Store32(at, q.told)
	return at
}
