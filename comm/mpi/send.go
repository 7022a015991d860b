package mpi

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// send sends a message, which may be written again when it returns.
func (e *Endpoint) send(c *host.Context, to, tag int, body comm.Piece, meta trace.Meta) error {
	c.Spend(e.layer.spec.Host.Send)
	n := body.Bytes
	if n <= e.layer.spec.EagerBytes {
		e.layer.stats.Eager++
		return e.stream(c, to, envelope{kind: eager, tag: int32(tag), bytes: uint64(n)}, body, meta)
	}
	e.layer.stats.Rendezvous++
	x := &e.sending
	*x = announced{true, x.handle + 1, to, body.At, n, meta}
	err := e.packet(c, to, envelope{kind: announce, tag: int32(tag), bytes: uint64(n), sender: x.handle}, comm.Piece{}, trace.Meta{Kind: trace.Envelope, Span: meta.Span})
	if err == nil {
		err = e.relieve(c)
	}
	if err == nil {
		err = e.until(c, func() bool { return !x.active })
	}
	x.active = false
	return err
}

// deliver sends the data of the accepted message.
func (e *Endpoint) deliver(c *host.Context, taker uint32) error {
	x := e.sending
	err := e.stream(c, x.to, envelope{kind: data, bytes: uint64(x.bytes), taker: taker}, comm.Piece{At: x.from, Bytes: x.bytes}, x.meta)
	e.sending.active = false
	return err
}

// stream sends data in as many packets as the layer below needs. Between them it
// handles arrivals, which would otherwise pile up below when both sides send.
func (e *Endpoint) stream(c *host.Context, to int, v envelope, body comm.Piece, meta trace.Meta) error {
	most := e.low.Traits().MaxBytes - headBytes
	for {
		p := body
		if most > 0 {
			p.Bytes = min(p.Bytes, most)
		}
		if err := e.packet(c, to, v, p, meta); err != nil {
			return err
		}
		body.At += host.Addr(p.Bytes)
		if body.Bytes -= p.Bytes; body.Bytes == 0 {
			return nil
		}
		v.kind = more
		for e.low.Due() <= c.Now() {
			if err := e.pull(c); err != nil {
				return err
			}
		}
	}
}

// packet sends a packet through the layer below.
func (e *Endpoint) packet(c *host.Context, to int, v envelope, body comm.Piece, meta trace.Meta) error {
	b := v.encode()
	e.Space().WriteAt(e.out, b[:])
	if body.Bytes == 0 {
		body.At = e.out
	}
	return e.low.Gather(c, to, comm.Piece{At: e.out, Bytes: headBytes}, body, meta)
}
