package history

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Recorder is an endpoint of any layer whose calls are recorded. Calls beyond
// comm.Endpoint need a layer with that ability.
type Recorder struct {
	comm.Endpoint
	log   *Log
	node  int
	nodes int
}

// newRecorder returns a recorder of the endpoint of one of a number of nodes. The endpoint is
// connected already.
func newRecorder(log *Log, node, nodes int, ep comm.Endpoint) *Recorder {
	r := &Recorder{ep, log, node, nodes}
	if q, ok := ep.(comm.Requester); ok {
		r.serve(q)
	}
	return r
}

// keep records the error of a call.
func (r *Recorder) keep(err error) error {
	if err != nil {
		r.log.Errors = append(r.log.Errors, err)
	}
	return err
}

func (r *Recorder) read(at host.Addr, n int) []byte {
	b := make([]byte, n)
	if n > 0 {
		r.Space().ReadAt(at, b)
	}
	return b
}

func (r *Recorder) to(s Sort, node int) Stream   { return Stream{s, r.node, node} }
func (r *Recorder) from(s Sort, node int) Stream { return Stream{s, node, r.node} }

// Send implements comm.Endpoint.
func (r *Recorder) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	r.log.Sent(r.to(Messages, to), Of(r.read(from, n)))
	return r.keep(r.Endpoint.Send(c, to, from, n, meta))
}

// Post implements comm.Endpoint.
func (r *Recorder) Post(c *host.Context, from int, into host.Addr, n int) error {
	return r.keep(r.Endpoint.Post(c, from, into, n))
}

// Receive implements comm.Endpoint.
func (r *Recorder) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	m, err := r.Endpoint.Receive(c, from, into, n)
	if r.keep(err) != nil {
		return m, err
	}
	s, x := r.from(Messages, m.From), Of(r.read(m.At, m.Bytes))
	if all := r.from(Multicasts, m.From); r.log.Has(all, x) {
		s = all
	}
	r.log.Got(s, x)
	return m, nil
}

// Gather implements comm.Gatherer. On an endpoint that is none it sends the pieces, which
// are next to one another, as one.
func (r *Recorder) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	g, ok := r.Endpoint.(comm.Gatherer)
	if !ok {
		return r.Send(c, to, head.At, head.Bytes+body.Bytes, meta)
	}
	r.log.Sent(r.to(Messages, to), r.both(head, body))
	return r.keep(g.Gather(c, to, head, body, meta))
}

func (r *Recorder) both(head, body comm.Piece) Item {
	return Of(append(r.read(head.At, head.Bytes), r.read(body.At, body.Bytes)...))
}

// Multicast implements comm.Multicaster. An endpoint that is none sends to one after another.
func (r *Recorder) Multicast(c *host.Context, head, body comm.Piece, meta trace.Meta) error {
	m, ok := r.Endpoint.(comm.Multicaster)
	for i := range r.nodes {
		if !ok && i != r.node {
			if err := r.Gather(c, i, head, body, meta); err != nil {
				return err
			}
		}
	}
	if !ok {
		return nil
	}
	x := r.both(head, body)
	for i := range r.nodes {
		if i != r.node {
			r.log.Sent(r.to(Multicasts, i), x)
		}
	}
	return r.keep(m.Multicast(c, head, body, meta))
}

// Handlers of requests, and what replies to them are checked for.
const (
	asked = 1 // requests and stores
	got   = 2 // gets
)

// serve sets the handlers: every request is answered with a hash of its words and data.
func (r *Recorder) serve(q comm.Requester) {
	q.Handle(asked, func(_ *host.Context, call comm.Call) [4]uint32 {
		x := words(call.Args, r.read(call.At, call.Bytes))
		r.log.Got(r.from(Requests, call.From), x)
		reply := [4]uint32{call.Args[0], uint32(x.Sum), uint32(x.Sum >> 32), uint32(r.node)}
		r.log.Sent(r.to(Replies, call.From), words(reply, nil))
		return reply
	})
	q.Answered(asked, func(_ *host.Context, call comm.Call) {
		r.log.Got(r.from(Replies, call.From), words(call.Args, nil))
	})
	q.Answered(got, func(_ *host.Context, call comm.Call) {
		r.log.Got(r.from(Gets, call.From), Of(r.read(call.At, call.Bytes)))
	})
}

// words returns the item of a request's words and data.
func words(args [4]uint32, data []byte) Item {
	var b []byte
	for _, w := range args {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return Of(append(b, data...))
}

// Request sends a request.
func (r *Recorder) Request(c *host.Context, to int, args [4]uint32) error {
	r.log.Sent(r.to(Requests, to), words(args, nil))
	return r.keep(r.Endpoint.(comm.Requester).Request(c, to, asked, args))
}

// Store sends a request with data.
func (r *Recorder) Store(c *host.Context, to int, from, at host.Addr, n int, args [4]uint32) error {
	r.log.Sent(r.to(Requests, to), words(args, r.read(from, n)))
	return r.keep(r.Endpoint.(comm.Requester).Store(c, to, from, at, n, asked, args))
}

// Get fetches data of another process, which does not change.
func (r *Recorder) Get(c *host.Context, to int, at, into host.Addr, data []byte) error {
	r.log.Sent(r.from(Gets, to), Of(data))
	return r.keep(r.Endpoint.(comm.Requester).Get(c, to, at, into, len(data), got, [4]uint32{}))
}
