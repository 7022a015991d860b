package host

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
	tables []*pieces // all nil
	used   int
	peak   int
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

type (
	piece  [pieceBytes]byte
	pieces [PageBytes / pieceBytes]*piece
)

// zeros is the content of what has not been written. It is never written.
var zeros Frame

func (p *page) bound() bool { return p.frame != nil || p.pieces != nil }

// whole returns the page's frame. If the page has none, its pieces are copied to
// one from the pool.
func (p *page) whole(pool *Frames) *Frame {
	if p.frame == nil {
		p.frame = pool.Get()
		if p.pieces != nil {
			for i, b := range p.pieces {
				if b != nil {
					copy(p.frame[i*pieceBytes:], b[:])
				}
			}
			p.pieces = nil
		}
	}
	return p.frame
}

// from returns the bytes at an offset up to the end of the frame, or of a piece.
func (p *page) from(at int) []byte {
	switch {
	case p.frame != nil:
		return p.frame[at:]
	case p.pieces == nil:
		return zeros[at:]
	case p.pieces[at/pieceBytes] == nil:
		return zeros[at%pieceBytes : pieceBytes]
	}
	return p.pieces[at/pieceBytes][at%pieceBytes:]
}

// write copies b to an offset.
func (p *page) write(pool *Frames, at int, b []byte) {
	if p.frame != nil {
		copy(p.frame[at:], b)
		return
	}
	if p.pieces != nil {
		if k := p.pieces[at/pieceBytes]; k != nil && at%pieceBytes+len(b) <= pieceBytes {
			copy(k[at%pieceBytes:], b)
			return
		}
	}
	if p.pieces == nil {
		if p.pieces = pop(&pool.tables); p.pieces == nil {
			p.pieces = new(pieces)
		}
	}
	for len(b) > 0 {
		k := &p.pieces[at/pieceBytes]
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

// forget returns the pieces that lie wholly within the offsets from and to to the pool.
func (p *page) forget(pool *Frames, from, to int) {
	if p.frame != nil && to-from == PageBytes {
		pool.Put(p.frame)
		p.frame = nil
	}
	if p.pieces == nil {
		return
	}
	empty := true
	for i, b := range p.pieces {
		if at := i * pieceBytes; b != nil && from <= at && at+pieceBytes <= to {
			pool.pieces = append(pool.pieces, b)
			p.pieces[i] = nil
		} else if b != nil {
			empty = false
		}
	}
	if empty {
		pool.tables = append(pool.tables, p.pieces)
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
