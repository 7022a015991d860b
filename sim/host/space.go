package host

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/sim/content"
)

// Space is the virtual memory of one program on one host. Pages get memory when
// they are first written, so memory grows with use.
type Space struct {
	name   string
	frames *Frames
	leaves []*leaf
	next   uint64 // first page that is not allocated
}

type leaf [leafPages]page

const (
	leafShift = 9
	leafPages = 1 << leafShift
)

// NewSpace returns an empty space that takes frames from the pool.
func NewSpace(name string, frames *Frames) *Space {
	return &Space{name: name, frames: frames, next: 1}
}

// Another returns an empty space with frames of the same pool.
func (s *Space) Another(name string) *Space { return NewSpace(name, s.frames) }

// Alloc reserves a region of at least one byte, aligned to pages, and returns its
// address. Regions follow one another without a gap.
func (s *Space) Alloc(bytes int64) Addr {
	if bytes <= 0 || bytes > 1<<46 {
		panic(fmt.Sprintf("host: space %s: allocation of %d bytes", s.name, bytes))
	}
	a := PageAddr(s.next)
	s.next += uint64(bytes+PageBytes-1) >> pageShift
	for uint64(len(s.leaves))<<leafShift < s.next {
		s.leaves = append(s.leaves, nil)
	}
	return a
}

// Valid reports whether n bytes at a lie in allocated regions.
func (s *Space) Valid(a Addr, n int) bool {
	return n >= 0 && a >= PageBytes && uint64(a) <= uint64(PageAddr(s.next)) && uint64(n) <= uint64(PageAddr(s.next)-a)
}

// page returns the entry of a page. If it has none, page makes one, or returns
// nil if make is false.
func (s *Space) page(vpn uint64, make bool) *page {
	if vpn == 0 || vpn >= s.next {
		panic(fmt.Sprintf("host: space %s: page %d is not among the %d allocated", s.name, vpn, s.next-1))
	}
	l := s.leaves[vpn>>leafShift]
	if l == nil {
		if !make {
			return nil
		}
		l = new(leaf)
		s.leaves[vpn>>leafShift] = l
	}
	return &l[vpn&(leafPages-1)]
}

// Frame returns the frame of a page, binding one of zeros if it has none.
func (s *Space) Frame(vpn uint64) *Frame { return s.page(vpn, true).whole(s.frames) }

// Bound returns the frame of a page, or nil if nothing has been written to it.
func (s *Space) Bound(vpn uint64) *Frame {
	if p := s.page(vpn, false); p != nil && p.bound() {
		return p.whole(s.frames)
	}
	return nil
}

// Bind gives an unbound page a frame.
func (s *Space) Bind(vpn uint64, f *Frame) {
	p := s.page(vpn, true)
	if p.bound() {
		panic(fmt.Sprintf("host: space %s: page %d is bound already", s.name, vpn))
	}
	p.frame = f
}

// Unbind removes a page's frame and returns it, or nil; the caller may return
// it to the pool. The page then reads as zeros.
func (s *Space) Unbind(vpn uint64) *Frame {
	f := s.Bound(vpn)
	if f != nil {
		s.page(vpn, false).frame = nil
	}
	return f
}

// Bytes returns n bytes of memory at a, within one page, for reading and
// writing in place. Writes through it fire no watchpoint.
func (s *Space) Bytes(a Addr, n int) []byte {
	off := a.Offset()
	if off+n > PageBytes {
		panic(fmt.Sprintf("host: space %s: %d bytes at %#x cross a page", s.name, n, a))
	}
	return s.Frame(a.Page())[off : off+n : off+n]
}

// ReadAt copies memory at a into b.
func (s *Space) ReadAt(a Addr, b []byte) {
	for len(b) > 0 {
		n := 0
		if from, part := s.from(a); from != nil {
			n = copy(b, from)
		} else {
			n = copy(b, s.frames.made(part, min(len(b), part.Bytes)))
		}
		if n == len(b) {
			return
		}
		a += Addr(n)
		b = b[n:]
	}
}

// from returns the memory from a on, up to the end of the page or less: bytes, which must not be written, or if there
// are none a description.
func (s *Space) from(a Addr) ([]byte, content.Part) {
	if p := s.page(a.Page(), false); p != nil {
		return p.from(a.Offset())
	}
	return zeros[a.Offset():], content.Part{}
}

// Described returns the description of the n bytes at a. Without ok they have none: they are bytes, or of several sources.
func (s *Space) Described(a Addr, n int) (part content.Part, ok bool) {
	for left := n; left > 0; {
		_, next := s.from(a)
		switch {
		case next.Source == nil, left < n && !next.Continues(part):
			return content.Part{}, false
		case left == n:
			part = next
		default:
			part.Bytes += next.Bytes
		}
		a += Addr(next.Bytes)
		left -= next.Bytes
	}
	part.Bytes = n
	return part, n > 0
}

// WriteAt copies b to memory at a. It fires the watchpoints in the range, each
// after the part in its page is written.
func (s *Space) WriteAt(a Addr, b []byte) {
	for len(b) > 0 {
		n := min(len(b), PageBytes-a.Offset())
		p := s.page(a.Page(), true)
		if 2*n >= PageBytes {
			p.whole(s.frames)
		}
		p.write(s.frames, a.Offset(), b[:n])
		if p.watch != nil {
			p.fire(a, a+Addr(n))
		}
		if n == len(b) {
			return
		}
		a += Addr(n)
		b = b[n:]
	}
}

// Describe writes described bytes to memory at a. It fires watchpoints as WriteAt does.
func (s *Space) Describe(a Addr, part content.Part) {
	for part.Bytes > 0 {
		n := min(part.Bytes, PageBytes-a.Offset())
		p := s.page(a.Page(), true)
		p.describe(s.frames, a.Offset(), part.Slice(0, n))
		if p.watch != nil {
			p.fire(a, a+Addr(n))
		}
		part = part.Slice(n, part.Bytes)
		a += Addr(n)
	}
}

// DescribedBytes is the size from which on bytes cost less as a description.
const DescribedBytes = 512

// Make writes the bytes of a part to memory at a, described if they are many.
func (s *Space) Make(a Addr, part content.Part) {
	if part.Bytes >= DescribedBytes {
		s.Describe(a, part)
	} else {
		s.WriteAt(a, s.frames.made(part, part.Bytes))
	}
}

// Holds reports whether the bytes at a are those of a part.
func (s *Space) Holds(a Addr, part content.Part) bool {
	if is, ok := s.Described(a, part.Bytes); ok && is == part {
		return true
	}
	var is Frame
	for part.Bytes > 0 {
		n := min(part.Bytes, PageBytes)
		s.ReadAt(a, is[:n])
		if !bytes.Equal(is[:n], s.frames.made(part, n)) {
			return false
		}
		part = part.Slice(n, part.Bytes)
		a += Addr(n)
	}
	return true
}

// Forget declares that the n bytes at a will be written before they are read again. Pages with
// nothing else return to the pool; until then reads there are undefined.
func (s *Space) Forget(a Addr, n int) {
	for n > 0 {
		k := min(n, PageBytes-a.Offset())
		if p := s.page(a.Page(), false); p != nil {
			p.forget(s.frames, a.Offset(), a.Offset()+k)
		}
		a += Addr(k)
		n -= k
	}
}

// CopyFrom copies n bytes from address at of a space, which may be this one, to address
// into, as if all were read before any is written.
func (s *Space) CopyFrom(from *Space, at, into Addr, n int) {
	if from == s && at < into && into < at+Addr(n) {
		b := make([]byte, n)
		s.ReadAt(at, b)
		s.WriteAt(into, b)
		return
	}
	for n > 0 {
		b, part := from.from(at)
		k := min(n, max(len(b), part.Bytes))
		if b != nil {
			s.WriteAt(into, b[:k])
		} else {
			s.Describe(into, part.Slice(0, k))
		}
		at += Addr(k)
		into += Addr(k)
		n -= k
	}
}

// Load32 returns the little-endian word at a.
func (s *Space) Load32(a Addr) uint32 {
	var b [4]byte
	s.ReadAt(a, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

// Store32 writes a little-endian word at a and fires watchpoints.
func (s *Space) Store32(a Addr, v uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	s.WriteAt(a, b[:])
}

// Watch makes w fire when any of the n bytes at a, within one page, is written.
func (s *Space) Watch(w *Watchpoint, a Addr, n int) {
	if w.to != 0 || n <= 0 || a.Offset()+n > PageBytes {
		panic(fmt.Sprintf("host: space %s: watchpoint (in use: %t) for %d bytes at %#x", s.name, w.to != 0, n, a))
	}
	p := s.page(a.Page(), true)
	w.from, w.to = a, a+Addr(n)
	// Append: watchpoints fire in the order in which they were set.
	at := &p.watch
	for *at != nil {
		at = &(*at).next
	}
	*at = w
}

// Unwatch removes a watchpoint that Watch has set.
func (s *Space) Unwatch(w *Watchpoint) {
	p := s.page(w.from.Page(), true)
	for at := &p.watch; *at != nil; at = &(*at).next {
		if *at == w {
			*at = w.next
			w.next, w.from, w.to = nil, 0, 0
			return
		}
	}
	panic(fmt.Sprintf("host: space %s: watchpoint at %#x is not set", s.name, w.from))
}
