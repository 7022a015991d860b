package deposit

import (
	"fmt"

	"github.com/sigview/sigview/sim/host"
)

// region is memory that a process exports on a polled layer.
type region struct {
	port    *polled
	id      uint32
	at      host.Addr
	bytes   int
	place   func(offset, n int) []byte // of an export of frames
	written func(Arrival)
	notify  func(Arrival)
}

// OnWrite sets the function that runs when a part of a deposit is in memory.
func (x *region) OnWrite(f func(Arrival)) { x.written = f }

// Export makes memory of the process a target of deposits.
func (p *polled) Export(at host.Addr, n int, notify func(Arrival)) (Export, error) {
	if n <= 0 || !p.space.Valid(at, n) {
		return nil, fmt.Errorf("deposit: node %d exports %d B at %#x, want allocated memory", p.id, n, at)
	}
	x := &region{port: p, id: uint32(len(p.regions)), at: at, bytes: n, notify: notify}
	p.regions = append(p.regions, x)
	return x, nil
}

// ExportFrames is Export of memory that is bound as deposits come.
func (p *polled) ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (Export, error) {
	x, err := p.Export(at, n, nil)
	if err == nil {
		x.(*region).place = place
	}
	return x, err
}

// remote is an import of a region of another node.
type remote struct {
	owner *polled
	to    *region
}

// Peer returns the exporting node.
func (m *remote) Peer() int { return m.to.port.id }

// Import connects to a region of another node.
func (p *polled) Import(x Export) (Import, error) {
	to, ok := x.(*region)
	if !ok || to.port == p {
		return nil, fmt.Errorf("deposit: node %d imports %v, want an export of another node", p.id, x)
	}
	return &remote{p, to}, nil
}

// Flags of a piece.
const (
	first = 1 << iota
	last
	notice
	several // a multicast: region is the number of receivers
)

// piece is a part of a deposit on the wire. It does not cross a page.
type piece struct {
	region uint32
	flags  uint32
	offset int // in the region
	bytes  int
}

// find returns the region of a piece, or nil if a field is out of range.
func (p *polled) find(q piece) *region {
	if int64(q.region) >= int64(len(p.regions)) {
		p.refused++
		return nil
	}
	x := p.regions[q.region]
	if q.offset < 0 || q.bytes < 0 || q.bytes > x.bytes-q.offset || (x.at+host.Addr(q.offset)).Offset()+q.bytes > host.PageBytes {
		p.refused++
		return nil
	}
	return x
}

// landed reports a piece that is at its address. For an export of frames it
// moves the piece into the frame bound there.
func (x *region) landed(from int, q piece) {
	if x.place != nil && !x.rebind(q) {
		x.port.refused++
		return
	}
	a := Arrival{From: from, Offset: q.offset, Bytes: q.bytes, First: q.flags&first != 0, Last: q.flags&last != 0}
	if x.written != nil {
		x.written(a)
	}
	if a.Last && q.flags&notice != 0 && x.notify != nil {
		x.notify(a)
	}
}

// rebind moves a piece into the program's frame for it. It takes no time,
// because in the machine both are the same memory. It reports whether there is
// a frame.
func (x *region) rebind(q piece) bool {
	to := x.place(q.offset, q.bytes)
	if to == nil {
		return false
	}
	at, space := x.at+host.Addr(q.offset), x.port.space
	own := space.Bytes(at, q.bytes)
	if &own[0] == &to[0] {
		return true
	}
	copy(to, own)
	if q.flags&last != 0 {
		x.port.frames.Put(space.Unbind(at.Page()))
	}
	return true
}
