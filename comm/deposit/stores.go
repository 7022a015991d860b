package deposit

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// stores sends each piece as a request with data, which the layer stores at its
// address before the request's handler runs.
type stores struct {
	port    *polled
	layer   comm.Requester
	copies  library.Buffers // copies of pieces that the interface needs until the reply
	pending []pending
	free    []uint32 // places in it
}

// pending is a request whose data may still be needed.
type pending struct {
	copy host.Addr // the library's copy, or 0
	done *Completion
}

// arriving is the handler of all pieces. The words of its request are the
// region, the flags and the sender's number of the pending request, 0 for none.
const arriving = 1

func newStores(p *polled, layer comm.Requester) *stores {
	s := &stores{port: p, layer: layer, copies: library.NewBuffers(p.space, host.PageBytes)}
	layer.Handle(arriving, func(_ *host.Context, q comm.Call) [4]uint32 {
		return s.come(q)
	})
	layer.Answered(arriving, func(_ *host.Context, q comm.Call) { s.finish(q.Args[0]) })
	return s
}

func (s *stores) most() int { return min(host.PageBytes, s.layer.Traits().MaxBytes) }

// come handles the request of a piece that has arrived. Its reply returns the sender's number.
func (s *stores) come(q comm.Call) [4]uint32 {
	a := piece{region: q.Args[0], flags: q.Args[1], bytes: q.Bytes}
	if int64(a.region) < int64(len(s.port.regions)) {
		a.offset = int(int64(q.At) - int64(s.port.regions[a.region].at))
	}
	if x := s.port.find(a); x != nil {
		x.landed(q.From, a)
	}
	return [4]uint32{q.Args[2]}
}

func (s *stores) prompt() bool { return s.layer.Traits().Synchronous }

func (s *stores) put(c *host.Context, to *region, from host.Addr, q piece, meta trace.Meta, done *Completion) error {
	switch {
	case s.prompt():
		return s.store(c, to, from, q, meta, 0)
	case done != nil:
		done.Add()
		return s.store(c, to, from, q, meta, s.keep(pending{done: done}))
	}
	at := s.copies.Get()
	c.CopyWithin(s.port.space, from, at, q.bytes)
	return s.store(c, to, at, q, meta, s.keep(pending{copy: at}))
}

// frame copies the frame to memory and sends it from there. The copy takes no time, because the
// machine would not copy.
func (s *stores) frame(c *host.Context, to *region, data []byte, q piece, meta trace.Meta) error {
	at := s.copies.Get()
	s.port.space.WriteAt(at, data)
	return s.store(c, to, at, q, meta, s.keep(pending{copy: at}))
}

func (s *stores) store(c *host.Context, to *region, from host.Addr, q piece, meta trace.Meta, number uint32) error {
	return s.layer.StoreAs(c, to.port.id, from, to.at+host.Addr(q.offset), q.bytes, arriving, [4]uint32{q.region, q.flags, number}, meta)
}

// keep stores a pending request and returns its number.
func (s *stores) keep(x pending) uint32 {
	if k := len(s.free); k > 0 {
		n := s.free[k-1]
		s.free = s.free[:k-1]
		s.pending[n] = x
		return n + 1
	}
	s.pending = append(s.pending, x)
	return uint32(len(s.pending))
}

// finish ends a pending request.
func (s *stores) finish(number uint32) {
	if number == 0 || int64(number) > int64(len(s.pending)) {
		return
	}
	x := &s.pending[number-1]
	if *x == (pending{}) {
		return
	}
	if x.copy != 0 {
		s.copies.Put(x.copy)
	}
	if x.done != nil {
		x.done.Done()
	}
	*x = pending{}
	s.free = append(s.free, number-1)
}

func (s *stores) take(c *host.Context) error {
	s.layer.Poll(c)
	return nil
}
