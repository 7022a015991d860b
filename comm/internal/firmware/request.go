package firmware

import (
	"slices"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// NewRequest returns an empty request. It goes back to the program when it has
// left the interface, or, when the library holds it, by Free.
func (p *Program) NewRequest() *Request {
	if k := len(p.spare); k > 0 {
		r := p.spare[k-1]
		p.spare = p.spare[:k-1]
		*r = Request{data: r.data[:0], queue: p.queue}
		return r
	}
	return &Request{queue: p.queue}
}

// Put adds n bytes at from of a space to the data that the host stores into the
// queue with the request: a message gathered from several places.
func (r *Request) Put(s *host.Space, from host.Addr, n int) {
	r.Inline = true
	r.data = slices.Grow(r.data, n)[:r.Bytes+n]
	s.ReadAt(from, r.data[r.Bytes:])
	r.Bytes += n
}

// Hold keeps a request that has not been posted for the library to look at.
func (r *Request) Hold() { r.held = true }

// Free gives a held request back. It must have left the interface.
func (p *Program) Free(r *Request) { p.spare = append(p.spare, r) }

// LetGo ends the holding of a request, which goes back when it has left the
// interface.
func (p *Program) LetGo(r *Request) {
	r.held = false
	if r.Left {
		p.Free(r)
	}
}

// Wait spins until the data of a held request have left host memory and, with
// all, until its last packet has left the interface.
func (r *Request) Wait(c *host.Context, all bool) {
	for !(r.Left || r.Gone && !all) {
		c.Spin(&r.Watch, "the end of a send")
	}
}

// Post waits for room in the request queue and stores a request into it: time
// is the library's own, spent between the stores, which are combined into
// cache lines if the layer says so. Words that the monitor wants in it are the
// monitor's time. It returns when the request is in the queue.
func (p *Program) Post(c *host.Context, r *Request, time sim.Duration, combining bool) {
	for len(r.queue.requests) >= p.spec.RequestSlots {
		c.Spin(&r.queue.room, "an entry of the request queue")
		c.PIORead(1)
	}
	words := r.Descriptor
	if r.Inline {
		words += (r.Bytes + host.WordBytes - 1) / host.WordBytes
		if r.Space != nil {
			r.data = slices.Grow(r.data[:0], r.Bytes)[:r.Bytes]
			r.Space.ReadAt(r.From, r.data)
		}
	}
	p.nic.StoreRequest(c, time, words, combining)
	if r.Inline {
		r.Gone = true
	}
	r.queue.requests = append(r.queue.requests, r)
	r.seen = p.nic.Post()
}
