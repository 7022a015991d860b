package sim

import (
	"fmt"
	"math/bits"
)

// queue orders events by time, then by sequence number. Events of the near
// future are in a wheel of narrow buckets, all others in a heap. The next event
// is the earlier of their two first ones, so events need not move from the heap
// to the wheel. Nothing is allocated once the slots have grown to the largest
// number of pending events.
type queue struct {
	slots []slot
	free  uint32 // head of the list of free slots, 1-based
	seq   uint64
	size  int
	wheel wheel
	far   heap
	head  found // the earliest event, when found.slot is not 0

	moving []uint32 // scratch of adapt
}

// slot is a pending event.
type slot struct {
	at    Time
	seq   uint64
	actor Actor
	arg   uint64
	op    uint32
	next  uint32 // in its bucket or in the free list, 1-based
}

// found is the location of the earliest event.
type found struct {
	slot   uint32 // 1-based
	before uint32 // the one before it in its bucket, 1-based
	bucket int32  // or inHeap
}

const inHeap = -1

// maxSlots is the largest number of pending events; a model that exceeds it is out
// of control.
const maxSlots = 1 << 24

func (q *queue) len() int { return q.size }

// push adds an event; now is the current time, before which nothing is pending.
func (q *queue) push(now, at Time, a Actor, op uint32, arg uint64) {
	i := q.free
	if i != 0 {
		q.free = q.slots[i-1].next
	} else {
		if len(q.slots) == maxSlots {
			panic(fmt.Sprintf("sim: more than %d events pending at %v", maxSlots, at))
		}
		q.slots = append(q.slots, slot{})
		i = uint32(len(q.slots))
	}
	q.seq++
	q.size++
	s := &q.slots[i-1]
	s.at, s.seq, s.actor, s.op, s.arg = at, q.seq, a, op, arg
	if q.head.slot != 0 && at < q.slots[q.head.slot-1].at {
		q.head.slot = 0
	}
	q.place(now, i)
}

// place files a slot in the wheel or the heap. An event that joins the bucket
// of the known head goes before it in the list.
func (q *queue) place(now Time, i uint32) {
	s := &q.slots[i-1]
	b, ok := q.wheel.bucket(now, s.at)
	if !ok {
		q.far.push(key{s.at, s.seq, i})
		return
	}
	if h := &q.head; h.slot != 0 && h.bucket == int32(b) && h.before == 0 {
		h.before = i
	}
	s.next = q.wheel.add(b, i)
}

// next returns the time of the earliest event, or Never.
func (q *queue) next(now Time) Time {
	if q.head.slot == 0 {
		if q.size == 0 {
			return Never
		}
		q.find(now)
	}
	return q.slots[q.head.slot-1].at
}

// find locates the earliest event of a queue that is not empty.
func (q *queue) find(now Time) {
	b, ok := q.wheel.first(now)
	if !ok {
		q.wheel.missed++
		q.head = found{slot: q.far.keys[0].slot, bucket: inHeap}
		return
	}
	i := q.wheel.heads[b]
	h := found{slot: i, bucket: int32(b)}
	least := &q.slots[i-1]
	others := uint32(0)
	for before := i; ; before = i {
		if i = q.slots[before-1].next; i == 0 {
			break
		}
		if others++; others == crowded {
			q.wheel.scanned += others
			q.spill(b)
			q.find(now)
			return
		}
		if s := &q.slots[i-1]; s.at < least.at || s.at == least.at && s.seq < least.seq {
			least = s
			h.slot, h.before = i, before
		}
	}
	q.wheel.scanned += others
	q.wheel.found++
	if len(q.far.keys) > 0 {
		if k := &q.far.keys[0]; k.at < least.at || k.at == least.at && k.seq < least.seq {
			h = found{slot: k.slot, bucket: inHeap}
			q.wheel.missed++
		}
	}
	q.head = h
}

// spill moves the events of a bucket to the heap. Thousands of nodes in lockstep have
// events at the same instant, which no bucket width separates.
func (q *queue) spill(b int) {
	for i := q.wheel.heads[b]; i != 0; {
		s := &q.slots[i-1]
		q.far.push(key{s.at, s.seq, i})
		i = s.next
	}
	q.wheel.remove(b, 0)
}

// crowded is the number of events in a bucket beyond which a heap is faster.
const crowded = 48

// pop removes the earliest event, which next has found. The slot's content
// stays valid until the next push.
func (q *queue) pop(now Time) *slot {
	h := q.head
	q.head.slot = 0
	q.size--
	s := &q.slots[h.slot-1]
	switch {
	case h.bucket == inHeap:
		q.far.pop()
	case h.before != 0:
		q.slots[h.before-1].next = s.next
	default:
		q.wheel.remove(int(h.bucket), s.next)
	}
	s.next = q.free
	q.free = h.slot
	if q.wheel.found+q.wheel.scanned+q.wheel.missed >= adaptEvery {
		q.adapt(now)
	}
	return s
}

// adapt narrows the buckets if they hold many events. It widens them if they
// hold at most one and many events are beyond the wheel. It changes speed,
// never order.
func (q *queue) adapt(now Time) {
	w := &q.wheel
	crowd := bits.Len32(w.scanned / max(w.found, 1)) // log2 of the events in a bucket
	sparse := 8*w.scanned < w.found+w.missed && 4*w.missed > w.found
	w.found, w.scanned, w.missed = 0, 0, 0
	switch {
	case crowd > 1 && w.shift > minShift:
		w.shift -= min(uint(crowd-1), w.shift-minShift)
	case sparse && w.shift < maxShift:
		w.shift++
	default:
		return
	}
	all := q.moving[:0]
	for b, i := range w.heads {
		for i != 0 {
			all = append(all, i)
			i = q.slots[i-1].next
		}
		w.heads[b] = 0
	}
	q.moving = all
	w.words, w.any = [wheelWords]uint64{}, 0
	q.head.slot = 0
	for _, i := range all {
		q.place(now, i)
	}
}

// Sizes of the wheel: 4,096 buckets of 2^shift ps.
const (
	wheelBits    = 12
	wheelBuckets = 1 << wheelBits
	wheelWords   = wheelBuckets / 64
	startShift   = 14 // 16 ns, so 67 µs in all
	minShift     = 6
	maxShift     = 16
	adaptEvery   = 1 << 16
)

// wheel is a ring of buckets, each a list of slots in no order, with a bit for
// each bucket that holds any.
type wheel struct {
	heads   [wheelBuckets]uint32 // first slot, 1-based
	words   [wheelWords]uint64
	any     uint64 // a bit for each word that is not zero
	shift   uint   // log2 of a bucket's width in ps
	found   uint32 // searches since the width was last looked at
	scanned uint32 // slots that they compared
	missed  uint32 // searches that ended in the heap
}

// bucket returns the bucket of an event, or false if it is too far ahead.
func (w *wheel) bucket(now, at Time) (int, bool) {
	k := uint64(at) >> w.shift
	if k-uint64(now)>>w.shift >= wheelBuckets {
		return 0, false
	}
	return int(k & (wheelBuckets - 1)), true
}

// add puts slot i at the head of a bucket and returns the slot after it.
func (w *wheel) add(b int, i uint32) uint32 {
	next := w.heads[b]
	w.heads[b] = i
	w.words[b>>6] |= 1 << (b & 63)
	w.any |= 1 << (b >> 6)
	return next
}

// remove removes the first slot of a bucket; next is the slot after it.
func (w *wheel) remove(b int, next uint32) {
	w.heads[b] = next
	if next != 0 {
		return
	}
	if w.words[b>>6] &^= 1 << (b & 63); w.words[b>>6] == 0 {
		w.any &^= 1 << (b >> 6)
	}
}

// first returns the earliest bucket that holds an event.
func (w *wheel) first(now Time) (int, bool) {
	if w.any == 0 {
		return 0, false
	}
	p := int(uint64(now)>>w.shift) & (wheelBuckets - 1)
	word := p >> 6
	if m := w.words[word] >> (p & 63) << (p & 63); m != 0 {
		return word<<6 | bits.TrailingZeros64(m), true
	}
	rest := w.any &^ (1<<(word+1) - 1) // words behind; none when word is the last
	if rest == 0 {
		rest = w.any
	}
	word = bits.TrailingZeros64(rest)
	return word<<6 | bits.TrailingZeros64(w.words[word]), true
}

// Actor receives typed events. Op is the type of the event and arg an index or
// a generation; the actor defines both. Events need no allocation.
type Actor interface {
	Act(op uint32, arg uint64)
}
