package grim

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// fifo is the queue of active messages of a process in pinned, contiguous memory. The
// interface has its front and its back: it writes a message behind the back and then the
// back itself. The host moves the front when it has read messages.
type fifo struct {
	at          host.Addr
	bytes       int64
	front, back int64 // counted on, not wrapped
	entries     []*entry
	spare       library.Spares[entry]
	pointer     [pointerBytes]byte // the back in pinned memory, as the interface has written it
}

// inHostOrder returns the end of an entry as the host reads it: the interface has the other byte
// order.
func inHostOrder(e *entry) (word [pointerBytes]byte) {
	binary.LittleEndian.PutUint32(word[:], uint32(e.end))
	return word
}

// holds reports whether an entry lies before the pointer that the host sees.
func (f *fifo) holds(e *entry) bool {
	return int32(binary.LittleEndian.Uint32(f.pointer[:])-uint32(e.end)) >= 0
}

// take returns an entry of n contiguous bytes, or nil if there is no room. What is left at the end
// of the buffer is skipped. Invariant: 0 <= back - front <= bytes.
func (f *fifo) take(n int) *entry {
	if len(f.entries) == 0 {
		f.front, f.back = 0, 0
	}
	begin := f.back
	if rest := f.bytes - begin%f.bytes; int64(n) > rest {
		begin += rest
	}
	end := begin + int64(n)
	if end-f.front > f.bytes {
		return nil
	}
	f.back = end
	e := f.spare.Get(entry{at: f.at + host.Addr(begin%f.bytes), end: end})
	f.entries = append(f.entries, e)
	return e
}

// release frees an entry. Its memory is free when all before it are.
func (f *fifo) release(e *entry) {
	e.released = true
	for len(f.entries) > 0 && f.entries[0].released {
		f.front = f.entries[0].end
		f.spare.Put(f.entries[0])
		f.entries = f.entries[:copy(f.entries, f.entries[1:])]
	}
}
