package svm

import (
	"fmt"
	"unsafe"
)

// PageSize is the unit of sharing in bytes: one page of virtual memory.
const PageSize = 4096

// WordSize is the unit of diffs in bytes. Two nodes may write different words
// of a page at the same time, but not the same word.
const WordSize = 4

const pageWords = PageSize / WordSize

// Page is the number of a page of the shared address space, from zero.
type Page uint32

// State is a node's access right to a page.
type State uint8

// Page states.
const (
	Invalid State = iota // any access faults
	Read                 // a write faults
	Write                // dirty in the current interval
)

// String returns the name.
func (s State) String() string { return [...]string{"INVALID", "READ", "WRITE"}[s] }

// Frame is 4 KB of real memory that holds a node's copy of a page. A home and
// its readers share one frame until a node writes: every write first makes the
// frame private, so each node behaves as if it had its own copy.
type Frame struct {
	words [PageSize / 8]uint64 // 8-byte alignment for typed views
	refs  int32
}

// Bytes returns the frame's memory, PageSize bytes.
func (f *Frame) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&f.words[0])), PageSize)
}

// Pool allocates frames. All nodes of a system share one, so memory grows with
// the distinct valid pages, not with nodes times address space. It is not safe
// for concurrent use.
type Pool struct {
	// Check makes every frame private and poisons it when it is dropped. A
	// slice kept too long then reads NaN, and a write through it is found when
	// the frame is used again.
	Check bool

	images map[Page]*Frame // preloaded pages; only looked up
	free   []*Frame
	head   int // next free frame in checking mode, which reuses the oldest
	zero   *Frame
	live   int
	peak   int
	made   int
	shared int
}

const (
	slabFrames = 32
	// poison is a NaN as float64 and as two float32.
	poison = 0xfff7dead_fff7dead
)

// NewPool returns an empty pool.
func NewPool() *Pool {
	return &Pool{zero: &Frame{refs: 1}}
}

// PoolStats counts frames; each is PageSize bytes.
type PoolStats struct {
	Live   int // in use now
	Peak   int // largest Live
	Made   int // allocated
	Shared int // page replies that needed no copy
}

// Stats returns the pool's counters.
func (p *Pool) Stats() PoolStats {
	return PoolStats{Live: p.live, Peak: p.peak, Made: p.made, Shared: p.shared}
}

// get returns a frame with arbitrary content and one reference.
func (p *Pool) get() *Frame {
	if p.head == len(p.free) {
		p.free, p.head = p.free[:0], 0
		slab := make([]Frame, slabFrames)
		for i := range slab {
			p.free = append(p.free, &slab[i])
			if p.Check {
				slab[i].fill(poison)
			}
		}
		p.made += slabFrames
	}
	var f *Frame
	if p.Check {
		f = p.free[p.head]
		p.free[p.head] = nil
		p.head++
		f.mustBePoisoned()
	} else {
		f = p.free[len(p.free)-1]
		p.free = p.free[:len(p.free)-1]
	}
	f.refs = 1
	p.live++
	p.peak = max(p.peak, p.live)
	return f
}

// empty returns a frame that reads as zero.
func (p *Pool) empty() *Frame {
	if p.Check {
		f := p.get()
		f.fill(0)
		return f
	}
	p.zero.refs++
	return p.zero
}

// copyOf returns a private frame with f's content.
func (p *Pool) copyOf(f *Frame) *Frame {
	c := p.get()
	c.words = f.words
	return c
}

// share returns a frame with f's content that the caller must not write.
func (p *Pool) share(f *Frame) *Frame {
	if p.Check {
		return p.copyOf(f)
	}
	f.refs++
	p.shared++
	return f
}

// exclusive reports whether the caller has the only reference to a frame, and so may write it.
func (p *Pool) exclusive(f *Frame) bool { return f.refs == 1 && f != p.zero }

// drop releases one reference.
func (p *Pool) drop(f *Frame) {
	f.refs--
	if f.refs > 0 {
		return
	}
	if f.refs < 0 || f == p.zero {
		panic(fmt.Sprintf("svm: frame dropped with %d references", f.refs))
	}
	p.live--
	if p.Check {
		f.fill(poison)
		if p.head > 1024 && p.head > len(p.free)/2 {
			p.free = append(p.free[:0], p.free[p.head:]...)
			p.head = 0
		}
	}
	p.free = append(p.free, f)
}

func (f *Frame) fill(word uint64) {
	for i := range f.words {
		f.words[i] = word
	}
}

func (f *Frame) mustBePoisoned() {
	for i, w := range f.words {
		if w != poison {
			panic(fmt.Sprintf("svm: byte %d of a dropped page was written through a slice that was no longer valid after a synchronization", 8*i))
		}
	}
}
