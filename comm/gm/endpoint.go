package gm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// provide gives the interface receive buffers for messages of up to most bytes.
func (e *Endpoint) provide(most int) {
	s := &e.node.spec
	e.most = most
	buffers := min(s.ReceiveTokens, max(2, s.ReceiveBytes/most))
	e.Pool = library.NewPool(&e.Process, buffers, most, s.Host.Receive, e.vacate, e.wait)
	e.copies = firmware.NewCopies(e.node.Program, e.Space(), s.CopyBuffers, most)
}

// Connect provides receive buffers for messages of up to most bytes.
func (e *Endpoint) Connect(_ []comm.Endpoint, most int) error {
	if most > e.most {
		e.provide(most)
	}
	return nil
}

// Send sends a message. It returns when the interface has the descriptor.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	if err := e.fits(n); err != nil {
		return err
	}
	e.await(c)
	r := e.request(to, n, meta)
	r.From = from
	e.node.Program.Post(c, r, e.node.spec.Host.Send, host.Words)
	return nil
}

// Gather is Send of a message in two pieces, which are copied into one buffer.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	n := head.Bytes + body.Bytes
	if err := e.fits(n); err != nil {
		return err
	}
	e.await(c)
	r := e.request(to, n, meta)
	e.copies.Claim(c, r)
	c.CopyWithin(e.Space(), head.At, r.From, head.Bytes)
	c.CopyWithin(e.Space(), body.At, r.From+host.Addr(head.Bytes), body.Bytes)
	e.node.Program.Post(c, r, e.node.spec.Host.Send, host.Words)
	return nil
}

// DirectedSend writes n bytes at from to an address of the peer's memory
// (gm_directed_send_with_callback). The peer's process is not notified.
func (e *Endpoint) DirectedSend(c *host.Context, to int, from, at host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	e.await(c)
	r := e.request(to, n, meta)
	r.From, r.Op = from, opDirected
	r.Words[wordAddress] = uint64(at)
	e.node.Program.Post(c, r, e.node.spec.Host.Send, host.Words)
	return nil
}

// Sending returns how many messages of the port are not acknowledged: their memory must
// not be written. Any caller may use it.
func (e *Endpoint) Sending() int { return e.sending }

func (e *Endpoint) fits(n int) error {
	if n > e.most {
		return e.Errorf("message of %d B, want at most %d, for which the peers have buffers", n, e.most)
	}
	return nil
}

// request returns a request for a message of n bytes and takes a send token.
func (e *Endpoint) request(to, n int, meta trace.Meta) *firmware.Request {
	e.sending++
	r := e.node.Program.NewRequest()
	r.To, r.Bytes, r.Space = int32(to), n, e.Space()
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: meta.Kind, Span: meta.Span}
	r.Flags, r.Ahead = e.flags, e.flags != 0
	r.Keep, r.Descriptor = true, e.node.spec.DescriptorWords
	return r
}

// await waits for a send token and room in the request queue. It makes room for
// arriving messages meanwhile, because otherwise two processes that send to each other
// without receiving would wait for ever.
func (e *Endpoint) await(c *host.Context) {
	for {
		full := e.node.Program.Full(&e.node.queue)
		switch {
		case !full && e.sending < e.node.spec.SendTokens:
			return
		case e.move(c):
		case full:
			c.Spin(e.node.queue.Room(), "an entry of the request queue")
			c.PIORead(1)
		default:
			c.Spin(&e.returned, "a send token")
		}
	}
}

// wait waits for a message.
func (e *Endpoint) wait(c *host.Context) error {
	if !e.move(c) {
		e.Await(c, "a message")
	}
	return nil
}

// wake lets a waiting call look again.
func (e *Endpoint) wake() {
	e.Ring()
	e.returned.Fire()
}

// move copies a message out of its receive buffer if packets have been refused for want of one, and
// reports whether it did.
func (e *Endpoint) move(c *host.Context) bool {
	return e.vacated(c) || e.other != nil && e.other.vacated(c)
}

func (e *Endpoint) vacated(c *host.Context) bool {
	if !e.short || e.Pool.Free() > 0 || !e.Pool.Move(c) {
		return false
	}
	e.node.stats.Moved++
	return true
}

// vacate provides a buffer again: its address goes into the interface's queue of
// receive tokens.
func (e *Endpoint) vacate(c *host.Context, buffer int) {
	c.PIOWrite(tokenWords, host.Words)
	e.Pool.Put(buffer)
	e.short = false
}

// tokenWords is the length of a receive token: 8 B.
const tokenWords = 2
