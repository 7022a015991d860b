package firmware

import "github.com/sigview/sigview/sim/host"

// Copies are pinned buffers of a library, used in turn, for data that is not sent
// from where the process has it.
type Copies struct {
	program *Program
	buffers []copied
	last    int // the one used last
}

// copied is a buffer and the request that sends from it.
type copied struct {
	at      host.Addr
	request *Request
}

// NewCopies allocates so many buffers of a size.
func NewCopies(p *Program, space *host.Space, buffers, bytes int) Copies {
	c := Copies{program: p}
	at := space.Alloc(int64(buffers) * int64(bytes))
	for i := range buffers {
		c.buffers = append(c.buffers, copied{at: at + host.Addr(i*bytes)})
	}
	return c
}

// Claim gives a request the next buffer, once the buffer's previous message has
// left.
func (b *Copies) Claim(c *host.Context, r *Request) {
	b.last = (b.last + 1) % len(b.buffers)
	s := &b.buffers[b.last]
	if s.request != nil {
		s.request.Wait(c, true)
		b.program.Free(s.request)
	}
	r.From = s.at
	r.Hold()
	s.request = r
}
