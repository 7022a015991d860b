package grim

import (
	"math/bits"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func (e *Endpoint) enter(c *host.Context) { e.context = c }

// Send sends an active message. It returns when the message is in the interface.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	return e.send(c, to, [2]comm.Piece{{At: from, Bytes: n}}, meta)
}

// Gather sends an active message from two pieces of memory.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	return e.send(c, to, [2]comm.Piece{head, body}, meta)
}

func (e *Endpoint) send(c *host.Context, to int, pieces [2]comm.Piece, meta trace.Meta) error {
	e.enter(c)
	e.push(c, request{op: opActive, to: to, meta: meta}, source{pieces: pieces})
	return nil
}

// Receive waits for the oldest message of a peer, or of Anyone. With into 0 the message stays
// in the FIFO or in the buffer in which it was put together, valid until the next call.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	e.enter(c)
	e.drop(c)
	e.look(c)
	i := e.oldest(from)
	for ; i < 0; i = e.oldest(from) {
		if !e.step(c) && !e.spill(c) {
			e.Await(c, "a message")
		}
		e.look(c)
	}
	a := e.arrived[i]
	e.arrived = slices.Delete(e.arrived, i, i+1)
	c.Spend(e.node.spec.Host.Receive)
	e.holding = a
	got := comm.Message{From: a.from, Bytes: a.bytes, At: a.at}
	if into == 0 {
		return got, nil
	}
	if a.bytes > n {
		return got, e.TooLong(got, n)
	}
	c.CopyWithin(e.Space(), got.At, into, a.bytes)
	got.At = into
	e.drop(c)
	return got, nil
}

// Due reports whether a message, a request or a reply has come.
func (e *Endpoint) Due() sim.Time {
	if len(e.arrived)+len(e.fresh)+len(e.requests)+len(e.replies) > 0 {
		return 0
	}
	return sim.Never
}

// Poll polls the queue's pointer and handles requests and replies. It returns their number
// and that of new messages, which wait until they are received.
func (e *Endpoint) Poll(c *host.Context) (n int) {
	e.enter(c)
	for e.look(c); e.step(c); e.look(c) {
		n++
	}
	for i := range e.arrived {
		if !e.arrived[i].seen {
			e.arrived[i].seen = true
			n++
		}
	}
	return n
}

func (e *Endpoint) oldest(from int) int {
	return slices.IndexFunc(e.arrived, func(a arrival) bool { return from == comm.Anyone || a.from == from })
}

// look takes what the interface has put into the FIFO. Fragments of a longer message are
// copied into a buffer, requests and replies into the library's queues.
func (e *Endpoint) look(c *host.Context) {
	for len(e.fresh) > 0 && e.fifo.holds(e.fresh[0]) {
		x := e.fresh[0]
		e.fresh = e.fresh[:copy(e.fresh, e.fresh[1:])]
		if x.call {
			e.called(c, x)
			continue
		}
		if x.bytes == x.total {
			e.arrived = append(e.arrived, arrival{at: x.at, from: x.from, bytes: x.bytes, entry: x})
			continue
		}
		k := part{x.from, x.serial}
		a := e.parts[k]
		if a == nil {
			a = &arrival{at: e.buffer(x.total).Get(), from: x.from, bytes: x.total}
			e.parts[k] = a
		}
		c.CopyWithin(e.Space(), x.at, a.at+host.Addr(x.offset), x.bytes)
		e.vacate(c, x)
		if a.joined += x.bytes; a.joined == a.bytes {
			delete(e.parts, k)
			e.arrived = append(e.arrived, *a)
		}
	}
}

// called reads a request or a reply.
func (e *Endpoint) called(c *host.Context, x *entry) {
	var memory [dataBytes]byte
	words := memory[:min(x.bytes, dataBytes)]
	e.Space().ReadAt(x.at, words)
	q, ok := decode(words)
	q.from = x.from
	e.vacate(c, x)
	switch {
	case !ok:
		e.node.stats.Malformed++
	case q.op == callReply:
		e.replies = append(e.replies, q)
	default:
		e.requests = append(e.requests, q)
	}
}

// buffer returns the buffers for messages of so many bytes.
func (e *Endpoint) buffer(bytes int) *library.Buffers {
	class := bits.Len(uint(bytes))
	if e.buffers[class] == nil {
		b := library.NewBuffers(e.Space(), 1<<class)
		e.buffers[class] = &b
	}
	return e.buffers[class]
}

// drop frees the memory of the message that was received last.
func (e *Endpoint) drop(c *host.Context) {
	a := e.holding
	e.holding = arrival{}
	switch {
	case a.at == 0:
	case a.entry != nil:
		e.vacate(c, a.entry)
	default:
		e.buffer(a.bytes).Put(a.at)
	}
}

// vacate writes the new front of the FIFO into the interface's SRAM.
func (e *Endpoint) vacate(c *host.Context, x *entry) {
	c.PIOWrite(1, host.Words)
	e.fifo.release(x)
}

// spill copies the oldest message out of the FIFO if an arriving one has found no room, and reports
// whether it took time. Without it two processes that send and never receive would deadlock.
func (e *Endpoint) spill(c *host.Context) bool {
	if !e.full {
		return false
	}
	looked := len(e.fresh) > 0
	e.look(c)
	i := slices.IndexFunc(e.arrived, func(a arrival) bool { return a.entry != nil })
	if i < 0 {
		e.full = false
		return looked
	}
	a := e.arrived[i]
	to := e.buffer(a.bytes).Get()
	c.CopyWithin(e.Space(), a.at, to, a.bytes)
	e.arrived[i].at, e.arrived[i].entry = to, nil
	e.node.stats.Moved++
	e.vacate(c, a.entry)
	return true
}

// room takes an entry of the FIFO for a message that arrives, or returns nil.
func (e *Endpoint) room(h *fabric.Header, from, bytes int) *entry {
	x := e.fifo.take(e.node.spec.slot(bytes))
	if x == nil {
		if !e.full {
			e.full = true
			e.Ring() // the library may make room
			e.channel.Ring()
		}
		return nil
	}
	total, offset := split(h.Words[wordSize])
	x.from, x.bytes, x.total, x.offset = from, bytes, int(total), int(offset)
	x.serial, _ = split(h.Words[wordFrom])
	x.call = h.Flags&flagCall != 0
	x.at += host.Addr(e.node.spec.RecordBytes)
	return x
}

// Pointer returns the word in pinned memory that the host polls: how far the queue of active
// messages reaches.
func (e *Endpoint) Pointer() [pointerBytes]byte { return e.fifo.pointer }

// advance makes an entry visible to the host, whose copy of the queue's pointer is now behind it.
func (e *Endpoint) advance(x *entry, pointer [pointerBytes]byte) {
	e.fifo.pointer = pointer
	e.fresh = append(e.fresh, x)
	e.Ring()
}
