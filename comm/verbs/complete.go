package verbs

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
)

// answered handles an acknowledgement or a refusal from the responder, which has accepted all
// packets before seq. Numbers outside acked to psn are stale and ignored.
func (q *Pair) answered(o op, seq uint32) {
	if q.stale(seq) {
		return
	}
	q.acknowledge(seq)
	switch o {
	case opNak:
		q.oldest().Gaps++
		q.rewind()
	case opNotReady:
		q.oldest().NotReady++
		q.notReady++
		if s := &q.node.spec; s.NotReadyRetries < 7 && q.notReady > s.NotReadyRetries {
			q.fail("node %d had no receive buffer %d times in a row", q.peer, q.notReady)
			return
		}
		e := q.node.nic.Engine()
		q.resume = e.Now().Add(q.node.spec.NotReady)
		q.tries, q.deadline = 0, q.resume.Add(q.node.spec.timeout(0)) // it has answered
		q.rewind()
		e.At(q.resume, (*later)(q), 0, 0)
	case opRefused:
		q.fail("node %d has no such memory", q.peer)
	}
}

// stale reports whether an answer says nothing new of what the pair has sent.
func (q *Pair) stale(seq uint32) bool {
	return q.err != nil || int32(seq-q.psn) > 0 || int32(seq-q.acked) < 0
}

// later is a pair as the Actor of its own delayed continuation.
type later Pair

// Act lets the pair send again.
func (l *later) Act(uint32, uint64) {
	q := (*Pair)(l)
	q.node.nic.Step()
	q.serve()
	q.node.nic.End()
}

// acknowledge notes that the responder has accepted all packets before seq. Invariant: acked only
// grows.
func (q *Pair) acknowledge(seq uint32) {
	if more := int32(seq - q.acked); more > 0 {
		q.acked = seq
		for ; more > 0 && q.tracks(); more-- {
			q.selective.shots.Drop()
		}
		// Retries count in a row: progress ends the row.
		q.tries, q.notReady = 0, 0
		q.deadline = q.node.nic.Engine().Now().Add(q.node.spec.timeout(0))
		q.caughtUp()
		q.skip()
	}
	q.advance()
}

// replied takes one packet of the data that answers a read or an atomic operation. Packets of an
// answer come in order; after a gap the whole operation is requested again, and once more if what
// comes then begins with a gap.
func (q *Pair) replied(in *incoming) {
	h := &in.packet.Header
	back := int32(h.Seq-q.reply) <= 0
	q.reply = h.Seq
	w := q.asked()
	if w == nil || q.err != nil {
		q.node.stats.Duplicates++
		in.leave()
		return
	}
	switch ahead := int32(h.Seq - (w.first + w.received)); {
	case ahead < 0:
		q.node.stats.Duplicates++
		in.leave()
		return
	case ahead > 0: // a packet of it is missing: ask again
		q.node.stats.OutOfOrder++
		in.leave()
		if w.received < w.packets && (!w.repeat || back) {
			w.repeat = true
			q.rewind()
		}
		return
	}
	w.repeat = false
	offset := int(w.received) * q.node.spec.MTU
	if w.op == opRead && (op(h.Op) != opReadReply || in.packet.Bytes() != min(q.node.spec.MTU, w.bytes-offset)) || w.op != opRead && op(h.Op) != opAtomicReply {
		q.node.stats.Refused++
		in.leave()
		return
	}
	w.received++
	if w.received == w.packets {
		q.reads--
	}
	if w.op != opRead {
		if w.result != nil {
			*w.result = h.Words[wordOperand]
		}
		w.landed = true
		q.node.nic.Stored(in.packet)
		in.leave()
	} else {
		in.work, in.final, in.space, in.at = w, w.received == w.packets, q.process.Space(), w.at+hostAddr(offset)
		in.deposit()
	}
	q.acknowledge(w.first + w.received)
	q.serve()
}

// asked returns the oldest entry that waits for an answer with data, or nil.
func (q *Pair) asked() *work {
	for i := q.done; i < q.next; i++ {
		if w := q.work(i); w.op.replied() && w.received < w.packets {
			return w
		}
	}
	return nil
}

// advance completes entries in order: those whose packets are all acknowledged and, for operations
// with answers, whose data is in memory.
func (q *Pair) advance() {
	for q.done < q.next {
		w := q.work(q.done)
		if int32(w.first+w.packets-q.acked) > 0 || w.op.replied() && !w.landed {
			return
		}
		q.complete(w, nil)
	}
}

// complete ends the oldest entry. The card writes a completion to the host if the entry asks for
// one.
func (q *Pair) complete(w *work, err error) {
	q.works.Pop()
	q.done++
	if w.signal || w.done != nil {
		q.node.tell(errand{kind: tellSender, pair: q, count: q.done, work: w, err: err}, nil)
	} else {
		q.node.free(w)
	}
}

// free keeps an entry's memory for another one.
func (n *Node) free(w *work) {
	w.posted, w.frame = ni.Posted{}, nil
	n.works = append(n.works, w)
}

// completed handles a completion that has reached the host's memory.
func (q *Pair) completed(e *errand) {
	q.freed = max(q.freed, e.count)
	q.room.Fire()
	q.process.Ring()
	w := e.work
	if w.done != nil {
		w.done.Done()
	}
	if w.wanted {
		q.process.completions.Push(Completion{Pair: q, ID: w.id, Err: e.err})
	}
	q.node.free(w)
}

// rewind sends again from the first packet that is not acknowledged (go-back-N). An operation with
// an answer is requested again as a whole. Packets on their way through the card are cancelled.
func (q *Pair) rewind() {
	n := q.node
	q.reads = 0
	q.goesBack()
	for i := range q.order.Len() {
		o := n.outs[*q.order.At(i)]
		// Requests in the pipeline would be sent twice. Answers are of the other direction and go on.
		o.dead = op(o.header.Op) <= opCompareSwap
	}
	if q.selective != nil {
		q.selective.forget()
	}
	for i := q.done; i < q.posted; i++ {
		w := q.work(i)
		switch acked := int32(q.acked - w.first); {
		case !w.numbered || q.settled(w):
		case w.op.replied():
			// Its answer is cut from the beginning again, so nothing of it counts as received.
			w.sent, w.received = 0, 0
			n.nic.Again(&w.posted)
		default:
			before := w.sent
			w.sent = uint32(max(0, acked))
			if w.sent < before {
				n.nic.Again(&w.posted)
			}
		}
	}
	q.next = q.done
	q.skip()
	q.serve()
}

// settled reports whether an entry needs no packet any more: all are acknowledged, and its answer
// is complete.
func (q *Pair) settled(w *work) bool {
	return w.numbered && int32(w.first+w.packets-q.acked) <= 0 && (!w.op.replied() || w.received == w.packets)
}

// skip passes over packets that need not be sent, and entries that have no others. Invariant: done <= next <= present <=
// announced <= posted.
func (q *Pair) skip() {
	for q.next < q.present {
		w := q.work(q.next)
		for w.numbered && !w.op.replied() && w.sent < w.packets && !q.wants(w.first+w.sent) {
			w.sent++
		}
		if !w.numbered || w.sent < w.packets && (w.sent == 0 || !w.op.replied()) && !q.settled(w) {
			return
		}
		q.next++
	}
}

// watch starts the retransmission timeout, as a packet has left at a time.
func (q *Pair) watch(at sim.Time) {
	q.deadline = at.Add(q.node.spec.timeout(q.tries))
	if !q.armed && (q.done < q.next || q.back) {
		q.armed = true
		q.node.nic.Engine().At(q.deadline, (*timer)(q), 0, 0)
	}
}

// timer is the retransmission timer of a pair.
type timer Pair

// Act rewinds the pair at its deadline, and fails it when it has waited Spec.Retries times, and once more, in a row.
func (t *timer) Act(uint32, uint64) {
	q := (*Pair)(t)
	n := q.node
	now := n.nic.Engine().Now()
	q.armed = false
	// Nothing that has been sent waits for an acknowledgement.
	if q.err != nil || q.done >= q.posted || q.done == q.next && !q.work(q.done).numbered {
		return
	}
	if q.deadline > now {
		q.armed = true
		n.nic.Engine().At(q.deadline, t, 0, 0)
		return
	}
	n.nic.Step()
	n.stats.Timeouts++
	q.oldest().Timeouts++
	q.tries++
	if n.spec.gaveUp(q.tries) {
		q.fail("node %d has not answered %d times", q.peer, q.tries)
	} else {
		q.deadline = now.Add(n.spec.timeout(q.tries))
		q.armed = true
		n.nic.Engine().At(q.deadline, t, 0, 0)
		q.rewind()
	}
	n.nic.End()
}

// ErrFlushed is wrapped by the completion errors of entries that stood behind the one that failed.
// Such an operation has been carried out not at all, in part, or as a whole.
var ErrFlushed = errors.New("flushed")

// fail puts a pair into the error state. The oldest entry completes with the reason, those behind
// it with ErrFlushed.
func (q *Pair) fail(why string, args ...any) {
	if q.err != nil {
		return
	}
	n := q.node
	q.err = fmt.Errorf("verbs: queue pair %d of node %d: %s", q.number, n.nic.ID(), fmt.Sprintf(why, args...))
	n.stats.Failed++
	for i := range q.order.Len() {
		n.outs[*q.order.At(i)].dead = true
	}
	for err := q.err; q.done < q.posted; err = fmt.Errorf("%w: %w", ErrFlushed, q.err) {
		w := q.work(q.done)
		w.signal, w.wanted = true, w.wanted || w.done == nil
		n.stats.Flushed++
		q.complete(w, err)
	}
	q.next, q.announced, q.present = q.posted, max(q.announced, q.posted), q.posted
	q.replies.Clear()
	q.selective = nil
	if q.into >= 0 { // the rest of the message will not come
		q.process.pool.Put(q.into)
		q.into = -1
	}
	q.process.Ring()
}
