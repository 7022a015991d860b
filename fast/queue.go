package fast

import (
	"math/bits"
	"slices"

	"github.com/sigview/sigview/sim"
)

// flight is a message on its way.
type flight struct {
	at       sim.Time
	number   uint64 // of sends, so that messages of one instant have an order
	from, to int32
	tag      int32
	bytes    int32
}

func (f *flight) before(o *flight) bool {
	return f.at < o.at || f.at == o.at && f.number < o.number
}

// queue has messages by time, then by number. Those of the near future are in a wheel of
// buckets without order. The earliest bucket is sorted once, when its time comes: ranks in
// lockstep send thousands of messages that arrive at one instant. Those beyond the wheel
// are in a heap. Nothing is allocated once it has grown to the most messages in flight.
type queue struct {
	open    []flight // the earliest bucket, sorted
	next    int      // the first of it that is left
	current uint64   // its number, counted from time 0

	slots []slot
	free  uint32 // head of the list of free slots, 1-based
	heads [buckets]uint32
	words [buckets / 64]uint64 // a bit for each bucket that has any
	any   uint64               // a bit for each word that is not zero
	shift uint                 // log2 of a bucket's width in ps
	far   []flight             // heap

	opened   uint32 // buckets since the width was last looked at
	instants uint32 // of the messages in them
	missed   uint32 // messages that went to the heap
}

type slot struct {
	flight
	next uint32
}

const (
	buckets  = 4096
	minShift = 4
	maxShift = 40
	adapt    = 1 << 10 // buckets between two looks at their width
	crowd    = 24      // instants in a bucket that are too many
)

func (q *queue) push(f *flight) {
	switch b := uint64(f.at) >> q.shift; {
	case b <= q.current && len(q.open) > 0:
		q.insert(f)
	case b-q.current >= buckets:
		q.missed++
		q.pushFar(f)
	default:
		q.place(f, b)
	}
}

// insert adds a message to the open bucket.
func (q *queue) insert(f *flight) {
	q.open = append(q.open, *f)
	i := len(q.open) - 1
	for ; i > q.next && f.before(&q.open[i-1]); i-- {
		q.open[i] = q.open[i-1]
	}
	q.open[i] = *f
}

func (q *queue) place(f *flight, b uint64) {
	i := q.free
	if i != 0 {
		q.free = q.slots[i-1].next
	} else {
		q.slots = append(q.slots, slot{})
		i = uint32(len(q.slots))
	}
	b %= buckets
	q.slots[i-1] = slot{*f, q.heads[b]}
	q.heads[b] = i
	q.words[b>>6] |= 1 << (b & 63)
	q.any |= 1 << (b >> 6)
}

// pop returns the earliest message, or nil. It is valid until the next call.
func (q *queue) pop() *flight {
	if q.next == len(q.open) && !q.advance() {
		return nil
	}
	q.next++
	return &q.open[q.next-1]
}

// advance opens the next bucket that has messages, and reports whether there is one.
func (q *queue) advance() bool {
	q.open, q.next = q.open[:0], 0
	if q.opened >= adapt {
		q.fit()
	}
	if q.any == 0 {
		if len(q.far) == 0 {
			return false
		}
		q.current = uint64(q.far[0].at) >> q.shift
	}
	for len(q.far) > 0 && uint64(q.far[0].at)>>q.shift-q.current < buckets {
		f := q.popFar()
		q.place(&f, uint64(f.at)>>q.shift)
	}
	b := q.first()
	q.current += (b - q.current) % buckets
	i := q.heads[b]
	for i != 0 {
		s := &q.slots[i-1]
		q.open = append(q.open, s.flight)
		next := s.next
		s.next, q.free = q.free, i
		i = next
	}
	q.heads[b] = 0
	if q.words[b>>6] &^= 1 << (b & 63); q.words[b>>6] == 0 {
		q.any &^= 1 << (b >> 6)
	}
	q.opened++
	q.sort()
	return true
}

// sort sorts the open bucket and counts its instants.
func (q *queue) sort() {
	q.instants++
	if len(q.open) == 1 {
		return
	}
	slices.Reverse(q.open) // in the order of their pushes
	slices.SortFunc(q.open, func(a, b flight) int {
		if a.before(&b) {
			return -1
		}
		return 1
	})
	for i := 1; i < len(q.open); i++ {
		if q.open[i].at != q.open[i-1].at {
			q.instants++
		}
	}
}

// first returns the earliest bucket that has messages; there is one.
func (q *queue) first() uint64 {
	p := q.current % buckets
	word := p >> 6
	if m := q.words[word] >> (p & 63) << (p & 63); m != 0 {
		return word<<6 | uint64(bits.TrailingZeros64(m))
	}
	rest := q.any &^ (1<<(word+1) - 1)
	if rest == 0 {
		rest = q.any
	}
	word = uint64(bits.TrailingZeros64(rest))
	return word<<6 | uint64(bits.TrailingZeros64(q.words[word]))
}

// fit narrows buckets that have messages of many instants, which no width separates if they
// have one, and widens them if many messages are beyond the wheel. It changes speed, never
// order.
func (q *queue) fit() {
	crowded := q.instants > crowd*q.opened && q.shift > minShift
	sparse := q.instants < crowd/3*q.opened && q.missed > q.opened/4 && q.shift < maxShift
	q.opened, q.instants, q.missed = 0, 0, 0
	switch {
	case crowded:
		q.shift--
		q.current <<= 1
	case sparse:
		q.shift++
		q.current >>= 1
	default:
		return
	}
	for b, i := range q.heads {
		for ; i != 0; i = q.slots[i-1].next {
			q.pushFar(&q.slots[i-1].flight)
		}
		q.heads[b] = 0
	}
	q.slots, q.free, q.words, q.any = q.slots[:0], 0, [buckets / 64]uint64{}, 0
}

// pushFar and popFar keep the heap.
func (q *queue) pushFar(f *flight) {
	q.far = append(q.far, *f)
	i := len(q.far) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !f.before(&q.far[parent]) {
			break
		}
		q.far[i] = q.far[parent]
		i = parent
	}
	q.far[i] = *f
}

func (q *queue) popFar() flight {
	top, n := q.far[0], len(q.far)-1
	last := q.far[n]
	q.far = q.far[:n]
	i := 0
	for 4*i+1 < n {
		best := 4*i + 1
		for c := best + 1; c < min(4*i+5, n); c++ {
			if q.far[c].before(&q.far[best]) {
				best = c
			}
		}
		if !q.far[best].before(&last) {
			break
		}
		q.far[i] = q.far[best]
		i = best
	}
	if n > 0 {
		q.far[i] = last
	}
	return top
}
