package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

// queue orders events by time, then by sequence number. The events of the earliest
// bucket are sorted; those of the near future are in a wheel of buckets in no order, all
// others in a heap. The next event is the earlier of the first sorted one and the first of
// the heap, so events need not move from the heap to the wheel. Nothing is allocated once
// the slots have grown to the largest number of pending events.
type queue struct {
	soon  []key // events of the buckets up to wheel.base, the latest first
	far   heap
	size  int
	seq   uint64
	free  uint32 // head of the list of free slots
	slots []slot // without the first, whose number ends lists
	wheel wheel

	moving []uint32 // scratch of adapt
}

// slot is a pending event.
type slot struct {
	key
	actor Actor
	arg   uint64
	op    uint32
	next  uint32 // in its bucket or in the free list
}

func (q *queue) start() {
	q.slots = make([]slot, 1)
	q.wheel.shift, q.wheel.base = startShift, -1
}

func (q *queue) len() int { return q.size }

// push adds an event; now is the current time, before which nothing can happen.
func (q *queue) push(now, at Time, a Actor, op uint32, arg uint64) {
	if at < now {
		refuse(now, at, a, op)
	}
	i := q.free
	if i == 0 {
		i = q.grow(at)
	}
	s := &q.slots[i]
	q.free = s.next
	q.seq++
	q.size++
	s.at, s.order = at, q.seq<<slotBits|uint64(i)
	s.actor, s.op, s.arg = a, op, arg
	q.place(s)
}

// refuse reports an event in the past.
func refuse(now, at Time, a Actor, op uint32) {
	panic(fmt.Sprintf("sim: op %d for %T scheduled at %v, before now %v", op, a, at, now))
}

// grow returns a new slot.
func (q *queue) grow(at Time) uint32 {
	if len(q.slots) == maxSlots {
		panic(fmt.Sprintf("sim: more than %d events pending at %v", maxSlots-1, at))
	}
	q.slots = append(q.slots, slot{})
	return uint32(len(q.slots) - 1)
}

// place files an event among the sorted ones, in the wheel or in the heap.
func (q *queue) place(s *slot) {
	w := &q.wheel
	bucket := int64(s.at) >> (w.shift & 63)
	switch {
	case bucket <= w.base:
		if n := len(q.soon); n > crowded && q.soon[n-crowded].before(&s.key) {
			q.far.push(s.key)
			return
		}
		q.soon = settle(q.soon, s.key)
	case bucket-w.base < wheelBuckets:
		w.add(int(bucket&(wheelBuckets-1)), s)
	default:
		q.far.push(s.key)
	}
}

// settle adds k to sorted keys.
func settle(keys []key, k key) []key {
	keys = append(keys, k)
	i := len(keys) - 1
	for ; i > 0 && keys[i-1].before(&k); i-- {
		keys[i] = keys[i-1]
	}
	keys[i] = k
	return keys
}

// crowded is how many keys an event passes at most on its way to its place: beyond that a
// heap is faster. Thousands of nodes in lockstep have events at the same instant.
const crowded = 48

// next returns the time of the earliest event, or Never; now is the current time.
func (q *queue) next(now Time) Time {
	if len(q.soon) == 0 {
		if q.size == 0 {
			return Never
		}
		q.refill(now)
	}
	at := Never
	if n := len(q.soon); n > 0 {
		at = q.soon[n-1].at
	}
	if len(q.far.keys) > 0 {
		at = min(at, q.far.keys[0].at)
	}
	return at
}

// refill sorts the events of the earliest bucket, unless the heap has an earlier one.
func (q *queue) refill(now Time) {
	w := &q.wheel
	w.base = max(w.base, int64(now)>>w.shift-1)
	b, ahead := w.first()
	if ahead == 0 || len(q.far.keys) > 0 && int64(q.far.keys[0].at)>>w.shift < w.base+ahead {
		return
	}
	w.base += ahead
	w.found++
	for i := w.take(b); i != 0; {
		s := &q.slots[i]
		i = s.next
		if len(q.soon) < crowded {
			q.soon = settle(q.soon, s.key)
		} else {
			q.soon = append(q.soon, s.key)
		}
	}
	if len(q.soon) > crowded {
		slices.SortFunc(q.soon, func(a, b key) int {
			if a.before(&b) {
				return 1
			}
			return -1
		})
	}
}

// pop removes the earliest event, or returns nil if there is none. The slot's content
// stays valid until the next push.
func (q *queue) pop(now Time) *slot {
	if len(q.soon) == 0 {
		if q.size == 0 {
			return nil
		}
		q.refill(now)
	}
	var i uint32
	n := len(q.soon) - 1
	if n < 0 || len(q.far.keys) > 0 && q.far.keys[0].before(&q.soon[n]) {
		i = q.far.keys[0].slot()
		q.far.pop()
		q.wheel.missed++
	} else {
		i = q.soon[n].slot()
		q.soon = q.soon[:n]
	}
	q.size--
	s := &q.slots[i]
	s.next = q.free
	q.free = i
	if q.wheel.popped++; q.wheel.popped == adaptEvery {
		q.adapt(now)
	}
	return s
}

// adapt narrows the buckets if they hold many events and widens them if they hold
// few. It changes speed, never order.
func (q *queue) adapt(now Time) {
	w := &q.wheel
	load := (w.popped - w.missed) / max(w.found, 1)
	w.popped, w.found, w.missed = 0, 0, 0
	shift := w.shift
	switch {
	case load > 2*goodLoad:
		shift = max(minShift, shift-uint(bits.Len32(load/goodLoad))+1)
	case load < goodLoad/2:
		shift = min(maxShift, shift+uint(bits.Len32(goodLoad/(load+1))))
	}
	if shift == w.shift {
		return
	}
	all := q.moving[:0]
	for _, k := range q.soon {
		all = append(all, k.slot())
	}
	for w.any != 0 {
		b, _ := w.first()
		for i := w.take(b); i != 0; i = q.slots[i].next {
			all = append(all, i)
		}
	}
	q.moving = all
	q.soon = q.soon[:0]
	w.shift = shift
	w.base = int64(now)>>shift - 1
	for _, i := range all {
		q.place(&q.slots[i])
	}
}

// Sizes of the wheel: 4,096 buckets of 2^shift ps.
const (
	wheelBits    = 12
	wheelBuckets = 1 << wheelBits
	wheelWords   = wheelBuckets / 64
	startShift   = 20 // 1 µs, so 4 ms in all
	minShift     = 6
	maxShift     = 24
	goodLoad     = 8 // events that a bucket gets
	adaptEvery   = 1 << 14
)

// wheel is a ring of buckets, each a list of slots in no order, with a bit for
// each bucket that holds any. All of them are less than a turn after base.
type wheel struct {
	base   int64  // the last bucket whose events are not in the wheel, counted from time zero
	any    uint64 // a bit for each word that is not zero
	shift  uint   // log2 of a bucket's width in ps
	popped uint32 // events taken from the queue since the width was last looked at
	missed uint32 // those from the heap
	found  uint32 // buckets sorted
	words  [wheelWords]uint64
	heads  [wheelBuckets]uint32 // first slot
}

// add puts an event at the head of a bucket.
func (w *wheel) add(b int, s *slot) {
	s.next = w.heads[b]
	w.heads[b] = s.slot()
	w.words[b>>6] |= 1 << (b & 63)
	w.any |= 1 << (b >> 6)
}

// take empties a bucket and returns its first slot.
func (w *wheel) take(b int) uint32 {
	i := w.heads[b]
	w.heads[b] = 0
	if w.words[b>>6] &^= 1 << (b & 63); w.words[b>>6] == 0 {
		w.any &^= 1 << (b >> 6)
	}
	return i
}

// first returns the earliest bucket that holds an event and how far after base it is, or zero.
func (w *wheel) first() (b int, ahead int64) {
	if w.any == 0 {
		return 0, 0
	}
	p := int((w.base + 1) & (wheelBuckets - 1))
	word := p >> 6
	m := w.words[word] >> (p & 63) << (p & 63)
	if m == 0 {
		rest := w.any &^ (1<<(word+1) - 1) // words behind; none when word is the last
		if rest == 0 {
			rest = w.any
		}
		word = bits.TrailingZeros64(rest)
		m = w.words[word]
	}
	b = word<<6 | bits.TrailingZeros64(m)
	return b, int64((b-p)&(wheelBuckets-1)) + 1
}

// Actor receives typed events. Op is the type of the event and arg an index or
// a generation; the actor defines both. Events need no allocation.
type Actor interface {
	Act(op uint32, arg uint64)
}
