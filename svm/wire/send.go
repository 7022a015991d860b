package wire

import (
	"fmt"

	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// Deposit implements svm.Transport.
func (p *Port) Deposit(c *host.Context, to int, meta trace.Meta, page svm.Page, f *svm.Frame) error {
	offset := int(page) * svm.PageSize
	return p.port.SendFrame(c, p.window+host.Addr(offset), f.Bytes(), p.peer(to).pages, offset, meta)
}

// Send implements svm.Transport.
func (p *Port) Send(c *host.Context, to int, meta trace.Meta, b []byte, class svm.Class) error {
	most := p.spec.RingBytes/4 - envelopeBytes
	r := record{class: class, from: uint32(p.id), total: uint32(len(b))}
	if len(b) <= most {
		return p.record(c, to, meta, b, r)
	}
	busy := &p.peer(to).uncommon().busy
	r.part, r.more = 1, true
	for busy[r.part] {
		if r.part++; r.part > streams {
			return fmt.Errorf("svm/wire: node %d sends a third long message to node %d while two are in flight", p.id, to)
		}
	}
	busy[r.part] = true
	defer func() { busy[r.part] = false }()
	for len(b) > most {
		p.stats.Parts++
		if err := p.record(c, to, meta, b[:most], r); err != nil {
			return err
		}
		b = b[most:]
	}
	r.more = false
	return p.record(c, to, meta, b, r)
}

// record writes one record into the staging copy, which takes a store for each word,
// and sends it.
func (p *Port) record(c *host.Context, to int, meta trace.Meta, b []byte, r record) error {
	q := p.peer(to)
	r.bytes = len(b)
	start := p.reserve(c, q, r.span())
	r.seq = q.seq
	q.seq++
	q.posting++
	q.staged++
	at := p.rings + host.Addr(p.places(p.id, to).staging+start)
	c.Compute(host.Work{Stores: int64(r.span() / svm.WordSize)})
	header := r.header()
	p.space.WriteAt(at, header[:])
	p.space.WriteAt(at+headerBytes, b)
	p.space.Store32(at+host.Addr(r.span()-tailBytes), r.seq)
	err := p.port.Send(c, at, q.memory, p.places(to, p.id).inbox+start, r.span(), meta, r.class == svm.Request)
	q.posting--
	p.fetched(to)
	return err
}

// fetched notes that one more record for a peer is posted. The interface has then fetched the
// record posted Depth before, so a staging copy with only fetched records is released.
func (p *Port) fetched(to int) {
	p.posted.Push(int32(to))
	if p.posted.Len() <= p.port.Depth() {
		return
	}
	to = int(p.posted.Pop())
	q := p.peer(to)
	if q.staged--; q.staged == 0 {
		p.forget(p.places(p.id, to).staging, p.spec.RingBytes)
	}
}

// reserve allocates n bytes in a peer's ring, which do not wrap around its end,
// and returns their offset.
func (p *Port) reserve(c *host.Context, q *peer, n int) int {
	size := uint32(p.spec.RingBytes)
	limit := size
	if c.Shares().Level == host.Application {
		// The rest is for the service. It may interrupt the program before the
		// record is posted, and must not wait for it then.
		limit -= size / 4
	}
	for {
		start := q.written % size
		need := uint32(n)
		if left := min(host.PageBytes-start%host.PageBytes, size-start); need > left && (need <= host.PageBytes || start+need > size) {
			// Begin on a new page, where the record may take one packet less,
			// or at the start of the ring.
			if start+need > size {
				left = size - start
			}
			need += left
			start = (start + left) % size
		}
		if q.written+need-q.read <= limit {
			q.written += need
			return int(start)
		}
		p.stats.Waits++
		p.returnCredits(c)
		switch {
		case q.written+need-q.read <= limit:
		case q.posting > 0:
			// Room comes only after a record of another context, which this one
			// has interrupted.
			p.port.Sleep(c, &q.watch, "room in a message ring")
		default:
			p.port.Wait(c, &q.watch, "room in a message ring")
		}
	}
}
