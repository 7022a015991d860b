package library

import "github.com/sigview/sigview/host"

// Buffers are pieces of memory, all of one size, of which there are as many as
// have ever been in use at a time. The one that came back last is used first.
type Buffers struct {
	space *host.Space
	size  int
	free  []host.Addr
}

// NewBuffers returns buffers of at least one byte in a space.
func NewBuffers(space *host.Space, bytes int) Buffers {
	return Buffers{space: space, size: max(1, bytes)}
}

// Get takes a buffer, which begins with a page.
func (b *Buffers) Get() host.Addr {
	if k := len(b.free); k > 0 {
		a := b.free[k-1]
		b.free = b.free[:k-1]
		return a
	}
	return b.space.Alloc(int64(b.size))
}

// Put gives a buffer back.
func (b *Buffers) Put(a host.Addr) { b.free = append(b.free, a) }
