package replay

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace/goal"
)

// maxSends is how many sends of a rank are in progress; one more waits for the oldest.
const maxSends = 16

// headBytes is how much of a message says which send it is: rank and operation.
const headBytes = 8

// rank is the program of one.
type rank struct {
	*Replay
	p     *nx.Process
	ops   []goal.Op
	order *goal.Order
	ready ring.Ring[int32]

	sends    ring.Ring[transfer]
	receives []nx.MsgID // in progress, and by index the same of
	into     []transfer
	free     map[int][]host.Addr // buffers by size
}

// transfer is a message in progress.
type transfer struct {
	id    nx.MsgID
	op    int32
	at    host.Addr
	bytes int64 // of the buffer
}

// Run is the program of a process.
func (r *Replay) Run(p *nx.Process) error {
	if err := p.Gsync(); err != nil {
		return err
	}
	if p.Node() < len(r.schedule.Ranks) {
		ops := r.schedule.Ranks[p.Node()]
		w := &rank{Replay: r, p: p, ops: ops, order: goal.NewOrder(ops), free: map[int][]host.Addr{}}
		w.queue(w.order.First())
		if err := w.run(); err != nil {
			return err
		}
	}
	return p.Gsync()
}

func (w *rank) queue(ops []int32) {
	for _, op := range ops {
		w.ready.Push(op)
	}
}

// run executes operations in the order in which they may begin.
func (w *rank) run() error {
	for w.ready.Len() > 0 || len(w.receives) > 0 {
		if len(w.receives) > 0 {
			if err := w.take(w.ready.Len() == 0); err != nil {
				return err
			}
		}
		if w.ready.Len() > 0 {
			if err := w.begin(w.ready.Pop()); err != nil {
				return err
			}
		}
	}
	for w.sends.Len() > 0 {
		if err := w.reclaim(); err != nil {
			return err
		}
	}
	return nil
}

func (w *rank) begin(op int32) error {
	w.queue(w.order.Began(op))
	switch o := &w.ops[op]; o.Kind {
	case goal.Send:
		if err := w.send(op, o); err != nil {
			return err
		}
	case goal.Recv:
		bytes := w.room[source{w.p.Node(), o.Peer, o.Tag}]
		at := w.buffer(bytes)
		id, err := w.p.Irecvx(w.types[o.Tag], at, int(bytes), o.Peer)
		w.receives, w.into = append(w.receives, id), append(w.into, transfer{id, op, at, bytes})
		return err
	default:
		w.p.Compute(host.Work{Time: sim.Duration(o.Size) * sim.Nanosecond})
	}
	w.end(op)
	return nil
}

func (w *rank) end(op int32) {
	w.done++
	w.queue(w.order.Ended(op))
}

// send begins a send, which ends for the schedule when the library has it.
func (w *rank) send(op int32, o *goal.Op) error {
	if w.sends.Len() == maxSends {
		if err := w.reclaim(); err != nil {
			return err
		}
	}
	at := w.buffer(o.Size)
	if o.Size >= headBytes {
		var head [headBytes]byte
		binary.LittleEndian.PutUint32(head[:], uint32(w.p.Node()))
		binary.LittleEndian.PutUint32(head[4:], uint32(op))
		w.p.Space().WriteAt(at, head[:])
	}
	id, err := w.p.Isend(w.types[o.Tag], at, int(o.Size), o.Peer)
	w.sends.Push(transfer{id, op, at, o.Size})
	return err
}

// reclaim waits for the oldest send and frees its buffer.
func (w *rank) reclaim() error {
	s := w.sends.Pop()
	w.release(s)
	return w.p.Msgwait(s.id)
}

// take ends a receive whose message is there, or waits for one.
func (w *rank) take(wait bool) error {
	i, err := w.p.Msgany(w.receives, wait)
	if err != nil || i < 0 {
		return err
	}
	r := w.into[i]
	w.receives, w.into = append(w.receives[:i], w.receives[i+1:]...), append(w.into[:i], w.into[i+1:]...)
	w.check(r)
	w.release(r)
	w.end(r.op)
	return nil
}

// check compares a message with its send and its receive.
func (w *rank) check(r transfer) {
	o := &w.ops[r.op]
	w.received++
	me, from, bytes := w.p.Node(), w.p.Infonode(), w.p.Infocount()
	if o.Peer != goal.Any && from != o.Peer {
		w.fail("rank %d, line %d: a message of rank %d, wanted one of %d", me, o.Line, from, o.Peer)
	}
	if bytes < headBytes {
		return
	}
	var head [headBytes]byte
	w.p.Space().ReadAt(r.at, head[:])
	origin, op := int(binary.LittleEndian.Uint32(head[:])), int(binary.LittleEndian.Uint32(head[4:]))
	if origin != from || op >= len(w.schedule.Ranks[from]) || w.seen[from][op] {
		w.fail("rank %d, line %d: the message of rank %d says that it is send %d of rank %d, or comes again", me, o.Line, from, op, origin)
		return
	}
	w.seen[from][op] = true
	if s := &w.schedule.Ranks[from][op]; s.Kind != goal.Send || s.Peer != me || s.Size != int64(bytes) || o.Tag != goal.Any && s.Tag != o.Tag {
		w.fail("rank %d, line %d: %d B of rank %d are not its send of line %d", me, o.Line, bytes, from, s.Line)
	}
}

// buffer returns memory for a message: whole pages, so that data has the same place in its
// pages at both ends.
func (w *rank) buffer(bytes int64) host.Addr {
	size := pagesOf(bytes)
	if list := w.free[size]; len(list) > 0 {
		w.free[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	return w.p.Alloc(int64(size))
}

func (w *rank) release(x transfer) {
	size := pagesOf(x.bytes)
	w.free[size] = append(w.free[size], x.at)
}

func pagesOf(bytes int64) int {
	return int(max(1, (bytes+host.PageBytes-1)/host.PageBytes)) * host.PageBytes
}
