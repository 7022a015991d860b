package datagram

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Send sends a message. It returns when the kernel has it.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	return e.send(c, to, comm.Piece{At: from, Bytes: n}, meta)
}

// Gather is Send of a message in two pieces. The kernel copies them in one go: gathering them
// takes no time.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	data := make([]byte, head.Bytes+body.Bytes)
	e.Space().ReadAt(head.At, data[:head.Bytes])
	e.Space().ReadAt(body.At, data[head.Bytes:])
	e.Space().WriteAt(e.head, data)
	return e.send(c, to, comm.Piece{At: e.head, Bytes: len(data)}, meta)
}

func (e *Endpoint) send(c *host.Context, to int, data comm.Piece, meta trace.Meta) error {
	n := e.node
	if n.stopped != nil {
		return n.stopped
	}
	r := n.Program.NewRequest()
	r.To, r.Bytes, r.Space, r.From, r.Descriptor = int32(to), data.Bytes, e.Space(), data.At, 1
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: meta.Kind, Span: meta.Span}
	r.Hold()
	e.sending = r
	n.Program.Post(c, r, 0, host.Words)
	for !r.Gone && n.stopped == nil {
		if !e.move(c) {
			c.Spin(&r.Watch, "the kernel's copy of a message")
		}
	}
	e.sending = nil
	n.Program.LetGo(r)
	c.Spend(n.spec.Host.Return)
	return n.stopped
}

// Receive asks the kernel for the oldest message of a node, or of Anyone, and waits for it. One that is
// longer than n stays where it is.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	i, err := e.await(c, from)
	if err != nil {
		return comm.Message{}, err
	}
	l := e.letters[i]
	got := comm.Message{From: l.from, Bytes: l.bytes, At: into}
	switch {
	case into == 0:
		got.At = e.in
	case l.bytes > n:
		return got, e.TooLong(got, n)
	}
	e.letters = slices.Delete(e.letters, i, i+1)
	if l.packet != nil {
		return got, e.copy(c, l, got.At)
	}
	c.CopyWithin(e.Space(), l.own, got.At, l.bytes)
	e.spare.Put(l.own)
	return got, nil
}

// await waits for a message and returns its place among the letters.
func (e *Endpoint) await(c *host.Context, from int) (int, error) {
	for {
		i := slices.IndexFunc(e.letters, func(l letter) bool { return from == comm.Anyone || l.from == from })
		switch {
		case i >= 0:
			return i, nil
		case e.node.stopped != nil:
			return 0, e.node.stopped
		case e.node.spec.Spin:
			c.Spin(&e.Watch, "a message")
		default:
			c.Block(&e.Watch, "a message")
			e.Woken(c)
		}
	}
}

// Woken spends the time until a process that was blocked runs again.
func (e *Endpoint) Woken(c *host.Context) {
	if !e.node.spec.Spin {
		c.Spend(e.node.spec.Host.Wake)
	}
}

// copy waits until the kernel has copied a message to an address.
func (e *Endpoint) copy(c *host.Context, l letter, into host.Addr) error {
	e.asked = asked{l.packet, into}
	e.node.NIC.SetTimer(c.Now())
	for e.asked.packet == l.packet && e.node.stopped == nil {
		c.Spin(&e.Watch, "the kernel's copy of a message")
	}
	return e.node.stopped
}

// move takes the oldest message out of the kernel, if half of its room is taken and a peer may
// wait for it. It reports whether it did.
func (e *Endpoint) move(c *host.Context) bool {
	if e.kept() <= e.node.spec.Firmware.ReceiveBuffers/2 {
		return false
	}
	i := slices.IndexFunc(e.letters, func(l letter) bool { return l.packet != nil })
	l := &e.letters[i]
	own := e.spare.Get()
	moved := *l
	l.packet, l.own = nil, own
	e.node.stats.moved++
	return e.copy(c, moved, own) == nil
}

// kept returns how many messages are in the kernel.
func (e *Endpoint) kept() (n int) {
	if e == nil {
		return 0
	}
	for i := range e.letters {
		if e.letters[i].packet != nil {
			n++
		}
	}
	return n
}

// press lets a send that waits look whether messages have to be moved.
func (e *Endpoint) press() {
	if e.sending != nil {
		e.sending.Watch.Fire()
	}
}

// Poll returns how many messages are new. They stay where they are until they are received.
func (e *Endpoint) Poll(*host.Context) (n int) {
	for i := range e.letters {
		if l := &e.letters[i]; !l.seen {
			l.seen = true
			n++
		}
	}
	return n
}

// Due reports whether a message has come.
func (e *Endpoint) Due() sim.Time {
	if len(e.letters) > 0 {
		return 0
	}
	return sim.Never
}
