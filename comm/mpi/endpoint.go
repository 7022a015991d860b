package mpi

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Connect connects the endpoints below.
func (e *Endpoint) Connect(peers []comm.Endpoint, most int) error {
	below := make([]comm.Endpoint, len(peers))
	err := library.Peers(&e.Process, peers, func(peer *Endpoint) error {
		below[peer.Node()] = peer.low
		return nil
	})
	if c, ok := e.low.(comm.Connector); ok && err == nil {
		err = c.Connect(below, most+headBytes)
	}
	return err
}

// Send sends a message with tag 0.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	return e.SendTagged(c, to, 0, from, n, meta)
}

// SendTagged sends a message with a tag from 0 up.
func (e *Endpoint) SendTagged(c *host.Context, to, tag int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	if tag < 0 || int(int32(tag)) != tag {
		return e.Errorf("tag %d, want one of 31 bits", tag)
	}
	e.enter(c)
	defer e.leave()
	return e.send(c, to, tag, comm.Piece{At: from, Bytes: n}, meta)
}

// Gather sends a message from two pieces with tag 0. Like a send of a derived datatype, it
// copies them together first.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	e.enter(c)
	defer e.leave()
	n := head.Bytes + body.Bytes
	own := e.spare.Get(e.Space(), n)
	c.CopyWithin(e.Space(), head.At, own.At, head.Bytes)
	if body.Bytes > 0 {
		c.CopyWithin(e.Space(), body.At, own.At+host.Addr(head.Bytes), body.Bytes)
	}
	err := e.send(c, to, 0, comm.Piece{At: own.At, Bytes: n}, meta)
	e.spare.Put(own)
	return err
}

// Post posts a receive with tag 0, which a Receive with the same arguments completes.
func (e *Endpoint) Post(c *host.Context, from int, into host.Addr, n int) error {
	if err := e.CheckReceive(from, into, n, false); err != nil {
		return err
	}
	e.enter(c)
	defer e.leave()
	r := e.blank.Get(Request{from: from, into: into, room: n})
	e.pending = append(e.pending, r)
	return e.start(c, r)
}

// Irecv posts a receive of a message of node from, or of comm.Anyone, with a tag or
// anyTag. The n bytes at into get its data. If the message has arrived already, they
// get it now.
func (e *Endpoint) Irecv(c *host.Context, from, tag int, into host.Addr, n int) (*Request, error) {
	if err := e.CheckReceive(from, into, n, false); err != nil {
		return nil, err
	}
	e.enter(c)
	defer e.leave()
	r := &Request{from: from, tag: tag, into: into, room: n}
	return r, e.start(c, r)
}

// Wait waits for the end of a posted receive.
func (e *Endpoint) Wait(c *host.Context, r *Request) (comm.Message, error) {
	e.enter(c)
	defer e.leave()
	e.reuse()
	return e.complete(c, r)
}

// Receive waits for the oldest message of a node, or of Anyone, with tag 0. With into
// 0 the message is in memory of the library until the next call.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	return e.ReceiveTagged(c, from, 0, into, n)
}

// ReceiveTagged is Receive of a message with a tag, or anyTag.
func (e *Endpoint) ReceiveTagged(c *host.Context, from, tag int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	e.enter(c)
	defer e.leave()
	e.reuse()
	i := slices.IndexFunc(e.pending, func(r *Request) bool {
		return r.from == from && r.tag == tag && r.into == into && r.room == n
	})
	var r *Request
	if i >= 0 {
		r = e.pending[i]
		e.pending = slices.Delete(e.pending, i, i+1)
	} else {
		r = e.blank.Get(Request{from: from, tag: tag, into: into, room: n})
		if err := e.start(c, r); err != nil {
			return comm.Message{}, err
		}
	}
	m, err := e.complete(c, r)
	if r.done {
		e.blank.Put(r)
	}
	return m, err
}

// Poll handles the packets that have arrived and returns their number.
func (e *Endpoint) Poll(c *host.Context) int {
	e.enter(c)
	defer e.leave()
	return e.poll(c)
}

func (e *Endpoint) poll(c *host.Context) (n int) {
	for e.low.Due() <= c.Now() {
		if e.pull(c) != nil { // the next call that needs a message returns the error
			break
		}
		n++
	}
	return n
}

// Due reports whether a message waits for a receive, or a packet for the library.
func (e *Endpoint) Due() sim.Time {
	if len(e.unexpected) > 0 {
		return 0
	}
	return e.low.Due()
}
