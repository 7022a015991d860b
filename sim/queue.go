package sim

import (
	"fmt"
	"math/bits"
)

// Queue orders events of type E by time, then by the order of their pushes. The events of
// the earliest bucket are in a sorted list; those of the near future are in a wheel of
// buckets in no order, all others in a heap. The next event is the earlier of the first of
// the list and the first of the heap, so events need not move from the heap to the wheel.
// Nothing is allocated once there are nodes for the largest number of pending events.
type Queue[E any] struct {
	now   Time     // of the last event
	seq   uint64   // number of the last push
	head  *node[E] // the last event; the sorted list follows
	tail  node[E]  // the end of the list, after all times
	free  *node[E]
	base  int64 // the last bucket whose events are not in the wheel, counted from time zero
	shift uint  // log2 of a bucket's width in ps
	far   heap[E]
	farAt Time // of the first of the heap
	load  load
	full  bitmap
	wheel [buckets]*node[E] // the last pushed of each bucket
}

// load counts since the width of the buckets was last looked at.
type load struct {
	pushed uint64 // seq at that time
	opened uint64 // buckets
	missed uint64 // events that went to the heap
	passed uint64 // others that events passed on their way to their places in the list
}

const (
	startShift = 20 // 1 µs, so 4 ms in all
	minShift   = 6
	maxShift   = 24
	goodLoad   = 8       // events of a bucket
	goodWay    = 2       // others that an event passes
	longestWay = 48      // beyond that a heap is faster
	fitEvery   = 1 << 14 // events
	block      = 64      // nodes that are allocated together
)

// Start makes q an empty queue at time 0.
func (q *Queue[E]) Start() {
	*q = Queue[E]{head: &node[E]{}, free: newNodes[E](), base: -1, shift: startShift, farAt: Never}
	q.tail.at = Never
	q.head.next, q.tail.prev = &q.tail, q.head
}

// Push adds an event at a time. It panics if that is before the last event.
func (q *Queue[E]) Push(at Time, event E) {
	n := q.free
	q.seq++
	n.at, n.seq = at, q.seq
	q.free, n.event = n.next, event
	if at < q.now {
		panic(n.refusal(q.now))
	}
	if bucket := int64(at) >> (q.shift & 63); q.wheeled(bucket) {
		q.file(n, bucket)
	} else {
		q.place(n, bucket)
	}
	if q.free == nil {
		q.free = newNodes[E]()
	}
}

//go:noinline
func (n *node[E]) refusal(now Time) string {
	return fmt.Sprintf("sim: %v scheduled at %v, before now %v", n.event, n.at, now)
}

// newNodes returns a chain of block free nodes.
func newNodes[E any]() *node[E] {
	nodes := make([]node[E], block)
	for i := range nodes[1:] {
		nodes[i].next = &nodes[i+1]
	}
	return &nodes[0]
}

// wheeled reports whether a bucket is in the wheel.
func (q *Queue[E]) wheeled(bucket int64) bool { return uint64(bucket-q.base-1) < buckets-1 }

// file puts an event into its bucket of the wheel, in front of those pushed before.
func (q *Queue[E]) file(n *node[E], bucket int64) {
	b := bucket & (buckets - 1)
	rest := q.wheel[b]
	q.wheel[b], n.next = n, rest
	if rest == nil {
		q.full.add(int(b))
	}
}

// place inserts an event into the sorted list, or into the heap if it would pass too many others. It searches
// from the end, where most belong; of equal times the earlier push stays ahead.
func (q *Queue[E]) place(n *node[E], bucket int64) {
	if bucket > q.base {
		q.postpone(n)
		return
	}
	p, way, at := q.tail.prev, uint64(0), n.at
	for p.at > at && way < longestWay {
		p = p.prev
		way++
	}
	q.load.passed += way
	if p.at > at {
		q.postpone(n)
		return
	}
	n.follow(p)
}

// take empties a bucket and returns its events.
func (q *Queue[E]) take(b int) *node[E] {
	n := q.wheel[b]
	q.wheel[b] = nil
	q.full.remove(b)
	return n
}

// postpone puts an event into the heap.
func (q *Queue[E]) postpone(n *node[E]) {
	q.load.missed++
	q.far.push(n)
	q.farAt = q.far[0].at
}

// Next returns the time of the earliest event, or Never.
func (q *Queue[E]) Next() Time {
	if q.head.next == &q.tail {
		q.refill()
	}
	return min(q.head.next.at, q.farAt)
}

// Pop removes the earliest event and returns it with its time and the number of its push, or nil if there is
// none. It stays valid until the next Pop: until then its node is the head of the list, and after that free.
func (q *Queue[E]) Pop() (v *E, at Time, number uint64) {
	last, free := q.head, q.free
	n := last.next
	if n.at >= q.farAt {
		if n = q.seek(); n == nil {
			return nil, Never, 0
		}
	}
	q.head, q.free, last.next = n, last, free
	q.now = n.at
	return &n.event, n.at, n.seq
}

// seek returns the earliest event, which it puts at the head of the list, or nil.
func (q *Queue[E]) seek() *node[E] {
	if q.head.next == &q.tail {
		q.refill()
	}
	n := q.head.next
	if len(q.far) > 0 && (n == &q.tail || q.far[0].before(n)) {
		n = q.far.pop()
		q.farAt = Never
		if len(q.far) > 0 {
			q.farAt = q.far[0].at
		}
		n.follow(q.head)
		q.base = max(q.base, int64(n.at)>>q.shift-1)
	}
	if n == &q.tail {
		return nil
	}
	return n
}

// refill puts the events of the earliest bucket into the list, unless the heap has an earlier one. They are in
// the order of their pushes, the last one first, so that each goes before those of the same time that are
// there. One that would pass too many others goes to the heap.
func (q *Queue[E]) refill() {
	if q.seq-q.load.pushed > fitEvery {
		q.fit()
	}
	b, ahead := q.full.first(int((q.base + 1) & (buckets - 1)))
	if ahead == 0 || int64(q.farAt)>>q.shift < q.base+ahead {
		return
	}
	q.base += ahead
	q.load.opened++
	passed := uint64(0)
	for n := q.take(b); n != nil; {
		rest, at := n.next, n.at
		p, way := q.head.next, uint64(0)
		for p.at < at && way < longestWay {
			p = p.next
			way++
		}
		passed += way
		if p.at < at {
			q.postpone(n)
		} else {
			n.follow(p.prev)
		}
		n = rest
	}
	q.load.passed += passed
}

// fit narrows the buckets if their events pass many others on the way to their places, and widens them if they
// hold few or if many events are beyond the wheel. It changes speed, never order. Events of the wheel are filed
// anew by the new width.
func (q *Queue[E]) fit() {
	l := &q.load
	pushed := q.seq - l.pushed
	shift := q.shift
	switch {
	case l.passed > pushed*goodWay*2:
		shift = max(minShift, shift-uint(bits.Len64(l.passed/(pushed*goodWay*2))))
	case l.passed < pushed*goodWay/2 && (l.opened*goodLoad > pushed || l.missed > pushed/16):
		shift = min(maxShift, shift+1)
	}
	*l = load{pushed: q.seq}
	if shift == q.shift {
		return
	}
	var all *node[E] // those of a bucket in the order of their pushes, which file turns round
	for q.full.any != 0 {
		b, _ := q.full.first(0)
		for n := q.take(b); n != nil; {
			rest := n.next
			n.next, all = all, n
			n = rest
		}
	}
	q.base = (q.base+1)<<q.shift>>shift - 1
	q.shift = shift
	for all != nil {
		n := all
		all = n.next
		if bucket := int64(n.at) >> shift; q.wheeled(bucket) {
			q.file(n, bucket)
		} else {
			q.postpone(n)
		}
	}
}

// Len returns how many events are pending.
func (q *Queue[E]) Len() int {
	count := len(q.far)
	for n := q.head.next; n != &q.tail; n = n.next {
		count++
	}
	for _, n := range q.wheel {
		for ; n != nil; n = n.next {
			count++
		}
	}
	return count
}
