package lfc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Send stores a packet into the interface. The buffer may be written again when it
// returns.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	return e.send(c, opMessage, int32(to), meta, comm.Piece{At: from, Bytes: n})
}

// Gather is Send of a packet in two pieces.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	return e.send(c, opMessage, int32(to), meta, head, body)
}

// send stores a packet. The word that announces it is in memory without write
// combining, because a combined store could overtake the packet.
func (e *Endpoint) send(c *host.Context, op uint8, to int32, meta trace.Meta, pieces ...comm.Piece) error {
	n := e.node
	if err := e.room(c); err != nil {
		return err
	}
	h := c.Host()
	r := e.request(op, to, meta)
	r.Words[wordRoot] = uint64(e.Node())
	missing := 0
	for _, p := range pieces {
		if p.Bytes > 0 {
			missing += p.Bytes - h.Touch(e.Space(), p.At, p.Bytes)
			r.Put(e.Space(), p.At, p.Bytes)
		}
	}
	time := n.spec.Host.Send + h.Spec().MemRead.Time(missing) + h.PIOWriteTime(1, host.Words)
	n.Program.Post(c, r, time, host.Combining)
	return nil
}

// room waits for an entry of the request queue.
func (e *Endpoint) room(c *host.Context) error {
	n := e.node
	for n.Program.Full(&n.queue) && n.Stopped == nil {
		if !e.move(c) {
			c.Spin(n.queue.Room(), "an entry of the request queue")
			c.PIORead(1)
		}
	}
	return n.Stopped
}

// request returns a request without data.
func (e *Endpoint) request(op uint8, to int32, meta trace.Meta) *firmware.Request {
	r := e.node.Program.NewRequest()
	r.Op, r.To, r.Inline, r.Descriptor = op, to, true, e.node.spec.RequestWords
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: meta.Kind, Span: meta.Span}
	return r
}

// wait waits for a packet. It fails when the interface has stopped.
func (e *Endpoint) wait(c *host.Context) error {
	if e.node.Stopped != nil {
		return e.node.Stopped
	}
	if !e.move(c) {
		e.Await(c, "a message")
	}
	return nil
}

// move copies a packet out of its buffer if others wait for one. It reports whether
// it did.
func (e *Endpoint) move(c *host.Context) bool {
	if e.node.waiting == 0 || e.Pool.Free() > 0 || !e.Pool.Move(c) {
		return false
	}
	e.node.stats.Moved++
	return true
}

// vacate frees a buffer by a word in SRAM, which the interface reads when packets
// wait.
func (e *Endpoint) vacate(c *host.Context, buffer int) {
	c.PIOWrite(1, host.Words)
	e.Pool.Put(buffer)
	if e.node.waiting > 0 {
		e.node.NIC.SetTimer(c.Now())
	}
}
