package verbs

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/trace"
)

// flowOf returns the counts of a pair for a program and a pair of a peer.
func (q *Pair) flowOf(tag trace.Tag, to Address) *comm.Flow {
	way := q.flow(to.pair)
	for _, f := range q.flows {
		if f.Tag == tag && f.Way == way && f.Peer == int(to.node) {
			return f
		}
	}
	f := &comm.Flow{Tag: tag, Peer: int(to.node), Pair: int(q.number), Way: way}
	q.flows = append(q.flows, f)
	return f
}

// oldest returns the counts of the program whose entry is the oldest that is not complete.
func (q *Pair) oldest() *comm.Flow {
	if q.done < q.posted {
		w := q.work(q.done)
		return q.flowOf(w.meta.Tag, w.to)
	}
	return q.flowOf(0, q.far())
}

// far returns the address of the other end of a connection.
func (q *Pair) far() Address { return Address{q.peer, q.other} }

// goesBack notes that the pair sends again what is not acknowledged.
func (q *Pair) goesBack() {
	q.whole = q.top
	if !q.back {
		q.back, q.since, q.backFor = true, q.node.nic.Engine().Now(), q.oldest()
	}
}

// caughtUp ends that time if all that was sent before has been acknowledged.
func (q *Pair) caughtUp() {
	if q.back && int32(q.acked-q.whole) >= 0 {
		q.back = false
		if q.tracks() {
			q.selective.forget()
		}
		q.backFor.Again = q.backFor.Again.Plus(q.node.nic.Engine().Now().Sub(q.since))
	}
}

// sends counts a packet with so much data that the pair makes for a program and a receiver.
func (q *Pair) sends(tag trace.Tag, to Address, bytes int, again bool) {
	f := q.flowOf(tag, to)
	if again {
		f.Repeated++
		f.RepeatedBytes += uint64(bytes)
		q.node.stats.Repeated++
		return
	}
	f.Packets++
	f.Bytes += uint64(bytes)
	q.node.stats.Packets++
}

// Flows returns what each pair has sent for a program.
func (n *Node) Flows() (all []comm.Flow) {
	for _, q := range n.pairs {
		for _, f := range q.flows {
			all = append(all, *f)
		}
	}
	return all
}
