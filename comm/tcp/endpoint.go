package tcp

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Connect connects a process with its peers.
func (e *Endpoint) Connect(peers []comm.Endpoint, _ int) error {
	return library.Peers(&e.Process, peers, func(peer *Endpoint) error {
		if at := peer.Node(); at != e.Node() {
			e.conns[at] = e.layer.connect(e, at, peer.port)
		}
		return nil
	})
}

// Send sends a message.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	return e.Gather(c, to, comm.Piece{}, comm.Piece{At: from, Bytes: n}, meta)
}

// Gather sends a message whose pieces one system call writes.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	k := e.conns[to]
	if k == nil {
		return e.Errorf("not connected to node %d", to)
	}
	var mark [markBytes]byte
	binary.LittleEndian.PutUint64(mark[:], uint64(head.Bytes+body.Bytes))
	e.Space().WriteAt(e.out, mark[:])
	return k.write(c, meta, comm.Piece{At: e.out, Bytes: markBytes}, head, body)
}

// Receive waits for the oldest message of a node, or of Anyone. With into 0 the
// message is in memory of the library until the next call.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	e.spare.Put(e.handed)
	e.handed = library.Piece{}
	m, err := e.next(c, from)
	if err != nil {
		return comm.Message{}, err
	}
	got := comm.Message{From: m.from, Bytes: m.bytes, At: into}
	switch {
	case into == 0 && m.at == nil:
		e.handed = m.own
		got.At = m.own.At
	case into == 0:
		e.handed = e.spare.Get(e.Space(), m.bytes)
		got.At = e.handed.At
		err = m.at.fetch(c, got.At, m.bytes)
	case m.bytes > n:
		return got, e.refuse(c, m, n)
	default:
		err = e.land(c, m, into)
	}
	return got, err
}

// Scatter receives the oldest message of a node, or of Anyone, its first bytes in
// head and the rest where place says.
func (e *Endpoint) Scatter(c *host.Context, from int, head comm.Piece, place func(m comm.Message) host.Addr) (comm.Message, error) {
	if err := e.CheckReceive(from, head.At, head.Bytes, false); err != nil {
		return comm.Message{}, err
	}
	m, err := e.next(c, from)
	if err != nil {
		return comm.Message{}, err
	}
	got := comm.Message{From: m.from, Bytes: m.bytes - head.Bytes}
	if got.Bytes < 0 {
		got.Bytes = m.bytes
		return got, e.refuse(c, m, head.Bytes)
	}
	if m.at == nil {
		c.CopyWithin(e.Space(), m.own.At, head.At, head.Bytes)
		got.At = place(got)
		c.CopyWithin(e.Space(), m.own.At+host.Addr(head.Bytes), got.At, got.Bytes)
		e.spare.Put(m.own)
		return got, nil
	}
	if err := m.at.fetch(c, head.At, head.Bytes); err != nil {
		return got, err
	}
	got.At = place(got)
	return got, m.at.fetch(c, got.At, got.Bytes)
}

// land stores a message at an address.
func (e *Endpoint) land(c *host.Context, m message, into host.Addr) error {
	if m.at != nil {
		return m.at.fetch(c, into, m.bytes)
	}
	c.CopyWithin(e.Space(), m.own.At, into, m.bytes)
	e.spare.Put(m.own)
	return nil
}

// refuse keeps a message that did not fit, for another receive.
func (e *Endpoint) refuse(c *host.Context, m message, room int) error {
	x := letter{m.from, m.bytes, m.own}
	if m.at != nil {
		x.own = e.spare.Get(e.Space(), m.bytes)
		if err := m.at.fetch(c, x.own.At, m.bytes); err != nil {
			return err
		}
	}
	e.letters = append([]letter{x}, e.letters...)
	return e.TooLong(comm.Message{From: m.from, Bytes: m.bytes}, room)
}

// Poll looks for arrivals and returns how many segments are new.
func (e *Endpoint) Poll(c *host.Context) int {
	c.Spend(e.layer.spec.Host.Poll)
	n := e.fresh
	e.fresh = 0
	return n
}

// Due reports whether a message has begun to arrive.
func (e *Endpoint) Due() sim.Time {
	if len(e.letters) > 0 {
		return 0
	}
	for _, k := range e.conns {
		if k != nil && k.begun() {
			return 0
		}
	}
	return sim.Never
}
