package mpi

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// start begins a receive: its message is there, or the receive is posted.
func (e *Endpoint) start(c *host.Context, r *Request) error {
	c.Spend(e.layer.spec.Host.Receive)
	i := e.find(c, r)
	if i < 0 {
		e.posted = append(e.posted, r)
		return nil
	}
	return e.claim(c, r, i)
}

// claim gives a receive an unexpected message.
func (e *Endpoint) claim(c *host.Context, r *Request, i int) error {
	l := e.unexpected[i]
	r.unexpected = true
	if !r.fits(l.bytes) {
		r.done, r.err = true, e.TooLong(comm.Message{From: l.from, Bytes: l.bytes}, r.room)
		return nil
	}
	e.unexpected = slices.Delete(e.unexpected, i, i+1)
	if l.state == withSender {
		x := *l
		e.sheets.Put(l)
		at := e.takes(r, x.from, x.bytes)
		return e.accept(c, x.from, x.handle, sink{at: at, left: x.bytes, request: r})
	}
	if err := e.until(c, func() bool { return l.state == whole }); err != nil {
		return err
	}
	r.done = true
	e.sheets.Put(l)
	if r.into == 0 {
		r.own, r.got = l.own, comm.Message{From: l.from, Bytes: l.bytes, At: l.own.At}
		return nil
	}
	at := e.takes(r, l.from, l.bytes)
	if l.bytes > 0 {
		c.CopyWithin(e.Space(), l.own.At, at, l.bytes)
	}
	e.spare.Put(l.own)
	return nil
}

// complete waits for the end of a receive.
func (e *Endpoint) complete(c *host.Context, r *Request) (comm.Message, error) {
	err := e.until(c, func() bool { return r.done })
	if err == nil {
		err = r.err
	}
	if r.unexpected {
		e.layer.stats.Unexpected++
	} else {
		e.layer.stats.Expected++
	}
	if r.into == 0 {
		e.handed = r.own
	}
	return r.got, err
}

// reuse frees the memory of the last message received without a buffer.
func (e *Endpoint) reuse() {
	e.spare.Put(e.handed)
	e.handed = library.Piece{}
}
