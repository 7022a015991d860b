package wire

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// Deposit implements svm.Transport.
func (p *Port) Deposit(c *host.Context, to int, meta trace.Meta, page svm.Page, f *svm.Frame) error {
	q := &p.peers[to]
	q.sent++
	offset := int(page) * svm.PageSize
	return p.ep.SendFrame(c, p.window+host.Addr(offset), f.Bytes(), q.pages, offset, meta)
}

// Send implements svm.Transport.
func (p *Port) Send(c *host.Context, to int, meta trace.Meta, b []byte, class svm.Class) error {
	most := p.spec.RingBytes/4 - headerBytes
	for len(b) > most {
		p.stats.Parts++
		if err := p.record(c, to, meta, b[:most], class, true); err != nil {
			return err
		}
		b = b[most:]
	}
	return p.record(c, to, meta, b, class, false)
}

// record writes one record into the staging copy and sends it.
func (p *Port) record(c *host.Context, to int, meta trace.Meta, b []byte, class svm.Class, more bool) error {
	q := &p.peers[to]
	r := record{bytes: len(b), class: class, more: more}
	start := p.reserve(c, q, r.span())
	r.seq, r.pages = q.seq, q.sent
	q.seq++
	at := q.staging + host.Addr(start)
	var header [headerBytes]byte
	r.put(header[:])
	p.space.WriteAt(at, header[:])
	p.space.WriteAt(at+headerBytes, b)
	return p.ep.Send(c, at, q.ring, start, r.span(), meta, class == svm.Request)
}

// reserve takes room for n bytes in a peer's ring, which do not wrap around
// its end, and returns their offset.
func (p *Port) reserve(c *host.Context, q *peer, n int) int {
	size := uint32(p.spec.RingBytes)
	for {
		start := q.written % size
		need := uint32(n)
		if start+need > size { // begin anew
			need += size - start
			start = 0
		}
		if q.written+need-p.space.Load32(q.credit) <= size {
			q.written += need
			return int(start)
		}
		p.stats.Waits++
		for j := range p.peers {
			p.tell(c, j)
		}
		if q.written+need-p.space.Load32(q.credit) > size {
			c.Spin(&q.watch.Watch, "room in a message ring")
		}
	}
}
