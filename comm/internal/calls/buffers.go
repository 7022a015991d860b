package calls

import "github.com/sigview/sigview/host"

// buffers are pieces of a process's memory, all of one size, that its library
// uses again.
type buffers struct {
	space *host.Space
	size  int
	free  []host.Addr
}

func newBuffers(space *host.Space, size int) *buffers {
	return &buffers{space: space, size: max(1, size)}
}

func (b *buffers) get() host.Addr {
	if k := len(b.free); k > 0 {
		a := b.free[k-1]
		b.free = b.free[:k-1]
		return a
	}
	return b.space.Alloc(int64(b.size))
}

func (b *buffers) put(a host.Addr) { b.free = append(b.free, a) }
