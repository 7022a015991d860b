package capture

import "slices"

// reassembled is a datagram as a capture has seen it, from its first fragment to its last.
type reassembled struct {
	content
	first, last int64 // stamps
}

// whole is what the fragments of a datagram have in common.
type whole struct {
	from, to address
	protocol uint8
	id       uint32
}

// partial is a datagram of which some fragments have been seen.
type partial struct {
	begin       datagram // the first fragment
	seen, size  int      // bytes seen, and of all; 0: not known yet
	first, last int64
	number      int64 // among all that were partial
}

// mostPartial is how many datagrams may begin before one that is partial is given up.
const mostPartial = 1 << 12

// fragments puts datagrams together. Memory is bounded: of mostPartial datagrams that have begun, the oldest is
// given up.
type fragments struct {
	partial map[whole]*partial
	begun   []whole // the last ones, as a ring
	count   int64
	lost    int64 // datagrams that were given up
}

// add takes a datagram or a fragment. It returns the datagram that is whole now.
func (f *fragments) add(d datagram, stamp int64) (s reassembled, ok bool) {
	// In one piece.
	if !d.more && d.offset == 0 {
		c, ok := d.read()
		return reassembled{c, stamp, stamp}, ok
	}
	key := whole{d.from, d.to, d.protocol, d.id}
	p := f.partial[key]
	if p == nil {
		p = f.begin(key, stamp)
	}
	// Bytes are counted, not places: fragments that come twice make more than size.
	p.seen += d.size
	p.first, p.last = min(p.first, stamp), max(p.last, stamp)
	// The headers of the protocol are in the first fragment.
	if d.offset == 0 {
		p.begin = d
		p.begin.body = slices.Clone(d.body[:min(len(d.body), mostHashed+60)]) // with a header
	}
	// The last fragment tells how long the datagram is.
	if !d.more {
		p.size = d.offset + d.size
	}
	if p.size == 0 || p.seen < p.size {
		return s, false
	}
	delete(f.partial, key)
	if p.seen > p.size || p.begin.body == nil {
		f.lost++ // fragments came twice
		return s, false
	}
	p.begin.size = p.size
	c, ok := p.begin.read()
	return reassembled{c, p.first, p.last}, ok
}

// begin adds a datagram that is partial. It gives up the one that began mostPartial datagrams before, if that
// is still partial.
func (f *fragments) begin(key whole, stamp int64) *partial {
	if f.partial == nil {
		f.partial, f.begun = map[whole]*partial{}, make([]whole, mostPartial)
	}
	place := f.count % mostPartial
	// The same number may have been used again since then, for a datagram that is younger.
	if p := f.partial[f.begun[place]]; p != nil && p.number == f.count-mostPartial {
		delete(f.partial, f.begun[place])
		f.lost++
	}
	p := &partial{first: stamp, last: stamp, number: f.count}
	f.partial[key], f.begun[place] = p, key
	f.count++
	return p
}

// open returns how many datagrams have stayed partial.
func (f *fragments) open() int64 { return f.lost + int64(len(f.partial)) }
