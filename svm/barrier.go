package svm

import (
	"cmp"

	"github.com/sigview/sigview/trace"
)

// barrier is the manager's state of a barrier while nodes arrive. Their
// intervals are kept apart from the manager's own history until its own program
// arrives too.
type barrier struct {
	arrived int
	by      []arrival // by node
}

// arrival is what the manager knows of a node in a barrier. Its lists are used again at the next one.
type arrival struct {
	here      bool
	span      trace.Span
	time      []Version
	intervals []*Interval // the node's own since the last barrier
	moves     []Move      // homes that it offers
}

// Arrive ends the interval, enters the barrier and reports whether the program
// may continue at once. If not, the program waits until a step sets Wake.
func (n *Node) Arrive(id uint32, span trace.Span, out *Out) bool {
	n.mustRun("arrival at barrier", id)
	n.settle()
	n.closeInterval(span, out)
	n.waiting = waiting{onBarrier, id}
	m := Message{
		Kind: trace.BarrierArrive, Span: span, From: n.id, To: n.manager(id), ID: id,
		Node: n.id, Epoch: n.epoch, Time: n.time(out), Notices: n.seen.of(int32(n.id)),
		Moves: n.offer(out),
	}
	if m.To != n.id {
		out.send(m)
		return false
	}
	if err := n.barrierArrive(&m, out); err != nil {
		panic(err)
	}
	woken := out.Wake
	out.Wake = false
	return woken
}

// of returns the intervals of one writer since the last barrier, oldest first.
func (h *history) of(node int32) []*Interval {
	if i, ok := h.slot[node]; ok {
		return h.writers[i].intervals
	}
	return nil
}

// barrierArrive is the manager's part: when all nodes have arrived, each gets the intervals that it does not
// know. It refuses what no sound node can send: an arrival of another epoch, a second one, a notice of another
// node.
func (n *Node) barrierArrive(m *Message, out *Out) error {
	switch {
	case n.manager(m.ID) != n.id:
		return n.refuse(m, "came to a node that does not manage the barrier")
	case m.Node < 0 || m.Node >= n.layout.nodes:
		return n.refuse(m, "is for an impossible node")
	case m.Epoch != n.epoch && (m.Epoch != n.epoch+1 || n.waiting.what != onBarrier):
		// The sender may be one barrier ahead: the release of the previous
		// barrier, which another node manages, is still in flight.
		return n.refuse(m, "is of another barrier epoch")
	}
	b := n.barrier[m.ID]
	if b == nil {
		b = &barrier{by: make([]arrival, n.layout.nodes)}
		n.barrier[m.ID] = b
	}
	a := &b.by[m.Node]
	if a.here {
		return n.refuse(m, "is a duplicate")
	}
	if m.Node != n.id {
		for _, iv := range m.Notices {
			if int(iv.Node) != m.Node {
				return n.refuse(m, "has a write notice of another node")
			}
		}
		if err := cmp.Or(n.checkNotices(m), n.checkMoves(m)); err != nil {
			return err
		}
	}
	// The message and its lists are reused by the transport, so they are copied.
	a.here, a.span = true, m.Span
	a.intervals = append(a.intervals[:0], m.Notices...)
	a.time = append(a.time[:0], m.Time...)
	a.moves = append(a.moves[:0], m.Moves...)
	b.arrived++
	if b.arrived == n.layout.nodes {
		return n.open(m.ID, b, out)
	}
	return nil
}

// open releases all nodes, the manager's own program last. Each gets of every other node the intervals later
// than its own vector time says; all get the same moves.
func (n *Node) open(id uint32, b *barrier, out *Out) error {
	moves := b.grant(n, out)
	known := make([]uint32, n.layout.nodes)
	own := Message{}
	for i := range b.by {
		a := &b.by[i]
		for _, v := range a.time {
			known[v.Node] = v.Interval
		}
		m := Message{
			Kind: trace.BarrierRelease, Span: a.span, From: n.id, To: i, ID: id,
			Node: i, Epoch: n.epoch + 1, Moves: moves,
		}
		for j := range b.by {
			if j == i {
				continue
			}
			for _, iv := range b.by[j].intervals {
				// A node may have learnt of intervals by a lock: it gets only the later ones of each writer.
				if iv.ID > known[j] {
					m.Notices = append(m.Notices, iv)
				}
			}
		}
		for _, v := range a.time {
			known[v.Node] = 0
		}
		if i == n.id {
			own = m
		} else {
			out.send(m)
		}
	}
	for i := range b.by {
		clear(b.by[i].intervals)
		b.by[i] = arrival{time: b.by[i].time[:0], intervals: b.by[i].intervals[:0], moves: b.by[i].moves[:0]}
	}
	b.arrived = 0
	return n.pass(&own, out)
}

// barrierRelease takes the node through the barrier in which its program waits. It refuses a release of any
// other.
func (n *Node) barrierRelease(m *Message, out *Out) error {
	if (n.waiting != waiting{onBarrier, m.ID}) || m.Epoch != n.epoch+1 {
		return n.refuse(m, "is for a barrier that the program does not wait in")
	}
	if err := cmp.Or(n.checkNotices(m), n.checkMoves(m)); err != nil {
		return err
	}
	return n.pass(m, out)
}

// pass takes the node through the barrier: notices invalidate pages, homes move, the epoch goes up, and what
// came too early is processed. Moves come after notices, which are about the homes so far.
//
// Invariant: afterwards every node knows all earlier intervals, so that the history is empty.
func (n *Node) pass(m *Message, out *Out) error {
	for _, iv := range m.Notices {
		if n.fault != KeepPages {
			n.invalidateAll(iv, out)
		}
	}
	for _, v := range m.Moves {
		n.move(v, out)
	}
	out.Effort.Weighed += len(m.Moves)
	n.survey(m.Notices, out)
	n.seen.forget()
	n.epoch++
	n.wake(n.waiting, out)
	return n.resume(out)
}
