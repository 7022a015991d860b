package trapeze

import (
	"github.com/sigview/sigview/sim/host"
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

// wait waits for a message.
func (e *Endpoint) wait(c *host.Context) error {
	e.Await(c, "a message")
	return nil
}

// vacate provides a page frame again by a word in the card's receive ring.
func (e *Endpoint) vacate(c *host.Context, buffer int) {
	c.PIOWrite(1, host.Words)
	e.Pool.Put(buffer)
	if e.node.waiting > 0 {
		e.node.NIC.SetTimer(c.Now())
	}
}
