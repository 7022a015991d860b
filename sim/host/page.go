package host

import (
	"slices"

	"github.com/sigview/sigview/sim/content"
)

// PageBytes is the size of a page and of a frame.
const PageBytes = 1 << pageShift

const pageShift = 12

// Addr is a virtual address. Zero is never allocated.
type Addr uint64

// Page returns the number of the page that holds a.
func (a Addr) Page() uint64 { return uint64(a) >> pageShift }

// Offset returns the position of a in its page.
func (a Addr) Offset() int { return int(a & (PageBytes - 1)) }

// PageAddr returns the address of a page.
func PageAddr(vpn uint64) Addr { return Addr(vpn << pageShift) }

// Frame is a page of memory.
type Frame [PageBytes]byte

// Frames is a pool of frames, and of parts of pages that have none, shared by any
// number of spaces.
type Frames struct {
	free   []*Frame
	pieces []*piece
	tables []*pieces // without bytes and descriptions
	used   int
	peak   int

	scratch *Frame // for described bytes on their way to a caller
}

// Get returns a frame of zeros.
func (f *Frames) Get() *Frame {
	f.used++
	f.peak = max(f.peak, f.used)
	if x := pop(&f.free); x != nil {
		clear(x[:])
		return x
	}
	return new(Frame)
}

// made returns the first n bytes of a part until the next call. A part never reads into a caller's bytes, which would then
// not be on its stack.
func (f *Frames) made(part content.Part, n int) []byte {
	if f.scratch == nil {
		f.scratch = new(Frame)
	}
	part.Read(f.scratch[:n])
	return f.scratch[:n]
}

// Put returns a frame to the pool. It must not be used afterwards.
func (f *Frames) Put(x *Frame) {
	f.used--
	f.free = append(f.free, x)
}

// page is the memory of a page. Most pages of a large cluster hold a few words, so
// pieces are allocated as they are written, until something needs the frame.
type page struct {
	frame  *Frame
	pieces *pieces // nil if there is a frame, or nothing has been written
	watch  *Watchpoint
}

const pieceBytes = 512

type piece [pieceBytes]byte

// pieces is the memory of a page without a frame. What is described lies over what the bytes are.
type pieces struct {
	bytes     [PageBytes / pieceBytes]*piece
	described []described // in the order of their places, without overlaps
}

// described is a part of a page that is described by its content.
type described struct {
	at int // in the page
	content.Part
}

func (d *described) end() int { return d.at + d.Bytes }

// zeros is the content of what has not been written. It is never written.
var zeros Frame

func (p *page) bound() bool { return p.frame != nil || p.pieces != nil }

// whole returns the page's frame. If the page has none, its pieces are copied to
// one from the pool.
func (p *page) whole(pool *Frames) *Frame {
	if p.frame == nil {
		f := pool.Get()
		for at := 0; at < PageBytes && p.pieces != nil; {
			b, part := p.from(at)
			if copy(f[at:], b); b == nil {
				part.Read(f[at : at+part.Bytes])
			}
			at += max(len(b), part.Bytes)
		}
		p.frame, p.pieces = f, nil
	}
	return p.frame
}

// from returns what is at an offset, up to the end of the page or less: bytes, or if there are none a description.
func (p *page) from(at int) ([]byte, content.Part) {
	switch {
	case p.frame != nil:
		return p.frame[at:], content.Part{}
	case p.pieces == nil:
		return zeros[at:], content.Part{}
	}
	s := p.pieces
	end := PageBytes
	for i := range s.described {
		if d := &s.described[i]; at < d.at {
			end = d.at
			break
		} else if at < d.end() {
			return nil, d.Slice(at-d.at, d.Bytes)
		}
	}
	first := at / pieceBytes * pieceBytes
	end = min(end, first+pieceBytes)
	if b := s.bytes[at/pieceBytes]; b != nil {
		return b[at-first : end-first], content.Part{}
	}
	return zeros[at:end], content.Part{}
}

// write copies b to an offset.
func (p *page) write(pool *Frames, at int, b []byte) {
	if p.frame != nil {
		copy(p.frame[at:], b)
		return
	}
	s := p.sheet(pool)
	if s.described != nil {
		s.cut(at, at+len(b))
	}
	for len(b) > 0 {
		k := &s.bytes[at/pieceBytes]
		if *k == nil {
			if *k = pop(&pool.pieces); *k == nil {
				*k = new(piece)
			} else {
				clear((*k)[:])
			}
		}
		n := copy((*k)[at%pieceBytes:], b)
		at += n
		b = b[n:]
	}
}

// describe writes described bytes to an offset.
func (p *page) describe(pool *Frames, at int, part content.Part) {
	if p.frame != nil {
		part.Read(p.frame[at : at+part.Bytes])
		return
	}
	s := p.sheet(pool)
	if last := len(s.described) - 1; last >= 0 && s.described[last].end() == at && part.Continues(s.described[last].Part) {
		s.described[last].Bytes += part.Bytes // mostly
		return
	}
	i := s.cut(at, at+part.Bytes)
	s.described = slices.Insert(s.described, i, described{at, part})
}

// sheet returns the page's pieces, which has no frame.
func (p *page) sheet(pool *Frames) *pieces {
	if p.pieces == nil {
		if p.pieces = pop(&pool.tables); p.pieces == nil {
			p.pieces = new(pieces)
		}
	}
	return p.pieces
}

// cut removes what is described between two offsets, and returns where in the list something there belongs.
func (s *pieces) cut(from, to int) int {
	i := 0
	for i < len(s.described) && s.described[i].end() <= from {
		i++
	}
	if i == len(s.described) || s.described[i].at >= to {
		return i
	}
	if d := s.described[i]; d.at < from {
		s.described[i].Part = d.Slice(0, from-d.at)
		i++
		if d.end() > to {
			s.described = slices.Insert(s.described, i, described{to, d.Slice(to-d.at, d.Bytes)})
			return i
		}
	}
	j := i
	for j < len(s.described) && s.described[j].end() <= to {
		j++
	}
	if j < len(s.described) && s.described[j].at < to {
		d := s.described[j]
		s.described[j] = described{to, d.Slice(to-d.at, d.Bytes)}
	}
	s.described = slices.Delete(s.described, i, j)
	return i
}

// forget returns the pieces that lie wholly within the offsets from and to to the pool.
func (p *page) forget(pool *Frames, from, to int) {
	if p.frame != nil && to-from == PageBytes {
		pool.Put(p.frame)
		p.frame = nil
	}
	s := p.pieces
	if s == nil {
		return
	}
	s.cut(from, to)
	empty := len(s.described) == 0
	for i, b := range s.bytes {
		if at := i * pieceBytes; b != nil && from <= at && at+pieceBytes <= to {
			pool.pieces = append(pool.pieces, b)
			s.bytes[i] = nil
		} else if b != nil {
			empty = false
		}
	}
	if empty {
		pool.tables = append(pool.tables, s)
		p.pieces = nil
	}
}

// pop takes the last of a list, or returns nil.
func pop[T any](list *[]*T) *T {
	n := len(*list)
	if n == 0 {
		return nil
	}
	x := (*list)[n-1]
	*list = (*list)[:n-1]
	return x
}

func (p *page) fire(from, to Addr) {
	for w := p.watch; w != nil; {
		next := w.next // a context that Fire wakes runs later, so the list stays
		if from < w.to && w.from < to && w.first != nil {
			w.Fire()
		}
		w = next
	}
}

// Watchpoint fires a Watch when bytes of a range are written.
type Watchpoint struct {
	Watch
	from, to Addr
	next     *Watchpoint
}
