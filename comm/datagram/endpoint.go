package datagram

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
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
	if n.Stopped != nil {
		return n.Stopped
	}
	r := n.Program.NewRequest()
	r.To, r.Bytes, r.Space, r.From, r.Descriptor = int32(to), data.Bytes, e.Space(), data.At, 1
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: meta.Kind, Span: meta.Span}
	r.Hold()
	e.sending = r
	n.Program.Post(c, r, 0, host.Words)
	for !r.Gone && n.Stopped == nil {
		if !e.move(c) {
			c.Spin(&r.Watch, "the kernel's copy of a message")
		}
	}
	e.sending = nil
	n.Program.LetGo(r)
	c.Spend(n.spec.Host.Return)
	return n.Stopped
}

// Receive asks the kernel for the oldest message of a node, or of Anyone, and waits for it. One that is
// longer than n stays where it is.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	l, err := e.await(c, from)
	if err != nil {
		return comm.Message{}, err
	}
	got := comm.Message{From: l.from, Bytes: l.bytes, At: into}
	switch {
	case into == 0:
		got.At = e.in
	case l.bytes > n:
		return got, e.TooLong(got, n)
	}
	if !l.kept() {
		c.CopyWithin(e.Space(), l.at, got.At, l.bytes)
		e.spare.Put(l.at)
	} else if err := e.copy(c, l, got.At); err != nil {
		return comm.Message{}, err
	}
	e.letters = slices.DeleteFunc(e.letters, func(x *letter) bool { return x == l })
	e.blank.Put(l)
	return got, nil
}

// await waits for a message of a node, or of Anyone. Those of others may fill the kernel
// meanwhile, and are moved.
func (e *Endpoint) await(c *host.Context, from int) (*letter, error) {
	for {
		i := slices.IndexFunc(e.letters, func(l *letter) bool { return from == comm.Anyone || l.from == from })
		switch {
		case i >= 0:
			return e.letters[i], nil
		case e.node.Stopped != nil:
			return nil, e.node.Stopped
		case e.move(c):
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

// copy waits until the kernel has copied a message to an address, or has lost it.
func (e *Endpoint) copy(c *host.Context, l *letter, into host.Addr) error {
	l.at, e.asked = into, l
	e.node.NIC.SetTimer(c.Now())
	for e.asked == l {
		c.Spin(&e.Watch, "the kernel's copy of a message")
	}
	if l.kept() {
		return e.node.Stopped
	}
	return nil
}

// move takes the oldest message out of the kernel, if half of its room is taken and a peer may
// wait for it. It reports whether it has tried.
func (e *Endpoint) move(c *host.Context) bool {
	if e.kept() <= e.node.spec.Firmware.ReceiveBuffers/2 {
		return false
	}
	l := e.letters[slices.IndexFunc(e.letters, (*letter).kept)]
	own := e.spare.Get()
	if e.copy(c, l, own) == nil {
		e.node.stats.moved++
	} else {
		e.spare.Put(own)
	}
	return true
}

// kept reports whether a message is still in the kernel.
func (l *letter) kept() bool { return l.packet != nil }

// kept returns how many messages are in the kernel.
func (e *Endpoint) kept() (n int) {
	if e == nil {
		return 0
	}
	for _, l := range e.letters {
		if l.kept() {
			n++
		}
	}
	return n
}

// press wakes a waiting send, to check whether messages have to be moved out of the kernel.
func (e *Endpoint) press() {
	if e.sending != nil {
		e.sending.Watch.Fire()
	}
}

// Poll returns how many messages are new. They stay where they are until they are received.
func (e *Endpoint) Poll(*host.Context) (n int) {
	for _, l := range e.letters {
		if !l.seen {
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
