package rundir

import (
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// recycler reuses the memory of a table's batches. Without it, a long table would hold the
// memory of all its batches until the next garbage collection.
type recycler struct {
	memory.GoAllocator
	free map[int][][]byte // by size, a power of two
}

func newRecycler() *recycler { return &recycler{free: map[int][][]byte{}} }

// Allocate implements memory.Allocator. The memory is zero, like new memory: the library does not write the
// cells of nulls, and files must have the same bytes each time.
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
