package sim

import "fmt"

// slotBits is the part of a key's order word that finds the payload; the rest
// is the sequence number: 16 M pending events, 10¹² events in all.
const (
	slotBits = 24
	maxSlots = 1 << slotBits
	slotMask = maxSlots - 1
)

// key orders an event: by time, then by sequence number, which occupies the
// upper bits of ord. Keys hold no pointers, so that sifting moves 16 bytes and
// crosses no write barrier.
type key struct {
	at  Time
	ord uint64
}

func (a key) before(b key) bool {
	return a.at < b.at || (a.at == b.at && a.ord < b.ord)
}

// payload is what an event does when its key comes up.
type payload struct {
	actor Actor
	arg   uint64
	op    uint32
	free  uint32 // next free slot, when unused
}

// queue is a 4-ary heap of keys with payloads aside. A popped root leaves a
// hole that the next push fills, because most events schedule one more: that
// saves the removal's sift.
type queue struct {
	keys  []key
	slots []payload
	free  uint32 // head of the free list, 1-based
	seq   uint64
	hole  bool // keys[0] has been popped and not yet replaced
}

func (q *queue) len() int {
	n := len(q.keys)
	if q.hole {
		n--
	}
	return n
}

func (q *queue) push(at Time, a Actor, op uint32, arg uint64) {
	slot := q.free
	if slot != 0 {
		slot--
		q.free = q.slots[slot].free
	} else {
		if len(q.slots) == maxSlots {
			panic(fmt.Sprintf("sim: more than %d events pending at %v", maxSlots, at))
		}
		slot = uint32(len(q.slots))
		q.slots = append(q.slots, payload{})
	}
	s := &q.slots[slot]
	s.actor, s.op, s.arg = a, op, arg
	q.seq++
	k := key{at, q.seq<<slotBits | uint64(slot)}
	if q.hole {
		q.hole = false
		q.down(k)
		return
	}
	q.keys = append(q.keys, k)
	q.up(len(q.keys)-1, k)
}

// pop returns the earliest key and its payload. The caller must know that the
// queue is not empty.
func (q *queue) pop() (key, payload) {
	if q.hole {
		q.fill()
	}
	k := q.keys[0]
	slot := uint32(k.ord & slotMask)
	s := &q.slots[slot]
	p := *s
	s.free = q.free
	q.free = slot + 1
	q.hole = true
	return k, p
}

// next returns the time of the earliest event, or Never.
func (q *queue) next() Time {
	if q.hole {
		q.fill()
	}
	if len(q.keys) == 0 {
		return Never
	}
	return q.keys[0].at
}

// fill closes the hole with the last key.
func (q *queue) fill() {
	q.hole = false
	last := len(q.keys) - 1
	k := q.keys[last]
	q.keys = q.keys[:last]
	if last > 0 {
		q.down(k)
	}
}

func (q *queue) up(i int, k key) {
	keys := q.keys
	for i > 0 {
		parent := (i - 1) / 4
		if !k.before(keys[parent]) {
			break
		}
		keys[i] = keys[parent]
		i = parent
	}
	keys[i] = k
}

// down places k at the root and sifts it down.
func (q *queue) down(k key) {
	keys := q.keys
	n := len(keys)
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		last := min(first+4, n)
		best, least := first, keys[first]
		for c := first + 1; c < last; c++ {
			if keys[c].before(least) {
				best, least = c, keys[c]
			}
		}
		if !least.before(k) {
			break
		}
		keys[i] = least
		i = best
	}
	keys[i] = k
}
