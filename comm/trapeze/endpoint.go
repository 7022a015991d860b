package trapeze

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Send sends a message. It returns when the control message is in the send ring. A
// payload is fetched afterwards.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	s := &e.node.spec
	r := e.node.Program.NewRequest()
	r.To, r.Bytes, r.Space, r.From = int32(to), n, e.Space(), from
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: meta.Kind, Span: meta.Span}
	r.Inline, r.Descriptor = n <= s.InlineBytes, s.ControlWords
	e.node.Program.Post(c, r, s.Host.Send, host.Combining)
	return nil
}

// Receive waits for the oldest message of a peer, or of Anyone. With into 0 it stays
// in its page frame, valid until the next call.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	return e.pool.Receive(c, from, into, n, e.node.spec.Host.Receive)
}

// wait waits for a message.
func (e *Endpoint) wait(c *host.Context) error {
	e.Await(c, "a message")
	return nil
}

// Due reports whether a message has come.
func (e *Endpoint) Due() sim.Time { return e.pool.Due() }

// Poll returns how many messages have arrived since the last one.
func (e *Endpoint) Poll(*host.Context) int { return e.pool.Poll() }

// vacate provides a page frame again by a word in the card's receive ring.
func (e *Endpoint) vacate(c *host.Context, buffer int) {
	c.PIOWrite(1, host.Words)
	e.pool.Put(buffer)
	if e.node.waiting > 0 {
		e.node.NIC.SetTimer(c.Now())
	}
}
