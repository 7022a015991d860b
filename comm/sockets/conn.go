package sockets

import (
	"io"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// creditBytes is two words: bytes of the ring of data freed, entries read.
const creditBytes = 8

// Peer returns the node at the other end.
func (c *Conn) Peer() int { return c.peer }

// Stack returns the process that this side belongs to.
func (c *Conn) Stack() *Stack { return c.stack }

// SetKind sets the kind of the packets of later writes, instead of
// trace.Stream.
func (c *Conn) SetKind(k trace.Kind) { c.kind = k }

// SetSpan sets the operation that later writes belong to.
func (c *Conn) SetSpan(s trace.Span) { c.span = s }

// newConn makes one side of a connection and exports its memory.
func (s *Stack) newConn(peer int, ready func(*Conn)) (*Conn, error) {
	spec := &s.net.spec
	c := &Conn{stack: s, peer: peer, kind: trace.Stream, ready: ready}
	in, out := &c.in, &c.out
	out.fetching.Watch = &out.fetched
	in.ring = s.space.Alloc(int64(spec.RingBytes))
	in.entries = s.space.Alloc(int64(spec.Entries) * entryBytes)
	in.pages = make([]uint16, spec.RingBytes/host.PageBytes)
	credits := s.space.Alloc(2 * entryBytes)
	in.line, c.offers.creditAt = credits, credits+entryBytes
	out.lines = s.space.Alloc(int64(spec.Entries) * entryBytes)
	var notify func(deposit.Arrival)
	if ready != nil || spec.Blocking {
		notify = func(deposit.Arrival) { c.notified() }
	}
	data, err := s.port.ExportFrames(in.ring, spec.RingBytes, c.place)
	if err != nil {
		return nil, err
	}
	data.OnWrite(c.landed)
	setup := deposit.Setup{Port: s.port}
	c.offers.data, c.offers.entries = data, setup.Export(in.entries, spec.Entries*entryBytes, notify, c.arrived)
	if !spec.Blocking {
		notify = nil // the credit word itself wakes a server that waits for room
	}
	c.offers.credit = setup.Export(c.offers.creditAt, creditBytes, notify, c.credited)
	return c, setup.Err
}

// pin spends the time of exporting the connection's memory.
func (c *Conn) pin(x *host.Context) {
	spec := &c.stack.net.spec
	pages := int64(spec.RingBytes/host.PageBytes + 2)
	x.Compute(host.Work{
		Ints:   systemWork.Ints + pages*pinWork.Ints,
		Loads:  systemWork.Loads + pages*pinWork.Loads,
		Stores: systemWork.Stores + pages*pinWork.Stores,
	})
}

// connect imports the memory that the other side exports.
func (c *Conn) connect(far *Conn) error {
	s := deposit.Setup{Port: c.stack.port}
	c.out.data, c.out.entries, c.in.credit = s.Import(far.offers.data), s.Import(far.offers.entries), s.Import(far.offers.credit)
	if s.Err == nil {
		c.stack.stats.Connections++
	}
	return s.Err
}

// signal wakes the contexts that wait on the connection, unless an interrupt wakes
// them.
func (c *Conn) signal() {
	if c.stack.service == nil {
		c.fire()
	}
}

func (c *Conn) fire() {
	c.in.watch.Fire()
	c.out.watch.Fire()
}

// notified is the interface's notification.
func (c *Conn) notified() {
	if c.ready != nil {
		c.ready(c)
	}
	if c.stack.service != nil {
		c.stack.wake(c)
	}
}

// damage breaks the connection.
func (c *Conn) damage() {
	if c.broken == nil {
		c.broken = ErrDamaged
		c.stack.stats.Damaged++
	}
	c.signal()
}

// credited reads the reader's credit.
func (c *Conn) credited(deposit.Arrival) {
	freed, taken := c.stack.space.Load32(c.offers.creditAt), c.stack.space.Load32(c.offers.creditAt+4)
	o := &c.out
	if int32(o.wrote-freed) < 0 || int32(o.seq-taken) < 0 {
		c.damage()
		return
	}
	// An older credit may arrive later, in experiments where messages overtake one another.
	if int32(freed-o.freed) >= 0 && int32(taken-o.taken) >= 0 {
		o.freed, o.taken = freed, taken
		c.signal()
	}
}

// over returns why nothing more can be read, or nil: ErrClosed after Close, the error of a broken
// connection once what has come is read, or io.EOF at the end of the stream.
func (c *Conn) over() error {
	switch {
	case c.closed:
		return ErrClosed
	case c.in.buffered > 0:
		return nil
	case c.broken != nil:
		return c.broken
	case c.in.ended:
		return io.EOF
	}
	return nil
}

// CloseWrite ends the stream of this side. The other direction stays open.
func (c *Conn) CloseWrite(x *host.Context) error {
	if c.closed || c.out.finished {
		return ErrClosed
	}
	if c.out.busy {
		return ErrBusy
	}
	old := enter(x)
	defer x.Enter(old)
	c.out.finished = true
	return c.last(x, fin)
}

// Close ends both directions. Written data is still delivered; unread data is
// lost, and further writes of the other side fail. Processes of this node that
// wait on the connection get ErrClosed.
func (c *Conn) Close(x *host.Context) error {
	if c.closed {
		return ErrClosed
	}
	old := enter(x)
	defer x.Enter(old)
	c.closed = true
	c.fire()
	return c.last(x, gone)
}

// last sends an entry that ends a direction, for which room is reserved. It does so on a broken
// connection too: the other side may be waiting for it.
func (c *Conn) last(x *host.Context, k kind) error {
	x.Compute(callWork)
	c.announce(x, entry{kind: k}, nil)
	return c.broken
}
