package firmware

import (
	"slices"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// NewRequest returns an empty request. The program reuses it when it has left
// the interface or, if the library holds it, after Free.
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
// queue with the request. Several calls gather a message.
func (r *Request) Put(s *host.Space, from host.Addr, n int) {
	r.Inline = true
	r.data = slices.Grow(r.data, n)[:r.Bytes+n]
	s.ReadAt(from, r.data[r.Bytes:])
	r.Bytes += n
}

// Hold makes the library the holder of a request, which is not posted yet.
func (r *Request) Hold() { r.held = true }

// Free returns a held request to the program. It must have left the interface.
func (p *Program) Free(r *Request) { p.spare = append(p.spare, r) }

// LetGo ends Hold; the program reuses the request when it has left the
// interface.
func (p *Program) LetGo(r *Request) {
	r.held = false
	if r.Left {
		p.Free(r)
	}
}

// Wait spins until the data of a held request has left host memory or, with
// all, until its last packet has left the interface.
func (r *Request) Wait(c *host.Context, all bool) {
	for !(r.Left || r.Gone && !all) {
		c.Spin(&r.Watch, "the end of a send")
	}
}

// Post waits for room in the request queue and stores a request into it. It
// returns when the request is in the queue. The library spends time between the
// stores, by a route. Storing the
// monitor's words counts as the monitor's time.
func (p *Program) Post(c *host.Context, r *Request, time sim.Duration, by host.Route) {
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
	p.nic.StoreRequest(c, time, words, by)
	if r.Inline {
		r.Gone = true
	}
	at := len(r.queue.requests)
	for r.Ahead && at > 0 && !r.queue.requests[at-1].Ahead {
		at--
	}
	r.queue.requests = slices.Insert(r.queue.requests, at, r)
	r.posted = p.nic.Post()
}
