package rundir

import (
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// recycler gives a table's batches the same memory one after another. Left to
// the collector, a long table would take as much as all its batches.
type recycler struct {
	memory.GoAllocator
	free map[int][][]byte // by size, a power of two
}

func newRecycler() *recycler { return &recycler{free: map[int][][]byte{}} }

// Allocate implements memory.Allocator. The memory is zero, as new memory is: the
// library leaves out what is null, and files have to be the same each time.
func (r *recycler) Allocate(size int) []byte {
	room := 1 << bits.Len(uint(max(size, 1)-1))
	list := r.free[room]
	if len(list) == 0 {
		return r.GoAllocator.Allocate(room)[:size]
	}
	b := list[len(list)-1]
	r.free[room] = list[:len(list)-1]
	clear(b)
	return b[:size]
}

// Reallocate implements memory.Allocator.
func (r *recycler) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	out := r.Allocate(size)
	copy(out, b)
	r.Free(b)
	return out
}

// Free implements memory.Allocator.
func (r *recycler) Free(b []byte) {
	if cap(b) > 0 {
		r.free[cap(b)] = append(r.free[cap(b)], b[:cap(b)])
	}
}
