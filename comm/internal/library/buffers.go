package library

import "github.com/sigview/sigview/sim/host"

// Buffers is a stack of free buffers of one size. It allocates a buffer when
// none is free.
type Buffers struct {
	space *host.Space
	size  int
	free  []host.Addr
}

// NewBuffers returns buffers of at least one byte in a space.
func NewBuffers(space *host.Space, bytes int) Buffers {
	return Buffers{space: space, size: max(1, bytes)}
}

// Get returns a buffer, aligned to pages.
func (b *Buffers) Get() host.Addr {
	if k := len(b.free); k > 0 {
		a := b.free[k-1]
		b.free = b.free[:k-1]
		return a
	}
	return b.space.Alloc(int64(b.size))
}

// Put frees a buffer.
func (b *Buffers) Put(a host.Addr) { b.free = append(b.free, a) }
