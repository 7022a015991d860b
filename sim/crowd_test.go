package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQueueOfEventsInStep: many events at the same instants, as those of many
// nodes that do the same, come in the order in which they were scheduled, and
// the buckets stay as wide as the wheel can count.
func TestQueueOfEventsInStep(t *testing.T) {
	const nodes, rounds = 1024, 150
	q := newQueue()
	q.wheel.shift = maxShift // as after a quiet time
	for i := range nodes {
		q.push(0, 0, nil, 0, uint64(i))
	}
	var now, instant Time
	last := -1 // of the instant
	for range nodes * rounds {
		q.next(now)
		s := q.pop(now)
		if s.at < now || s.at == instant && int(s.arg) <= last {
			t.Fatalf("event %d of %v after event %d of %v", s.arg, s.at, last, now)
		}
		now, instant, last = s.at, s.at, int(s.arg)
		q.push(now, now.Add(10*Microsecond), nil, 0, s.arg)
		if w := q.wheel.shift; w < minShift || w > maxShift {
			t.Fatalf("buckets of 2^%d ps", w)
		}
	}
	require.Equal(t, nodes, q.len())
}

// BenchmarkQueueInStep is the queue with all events at the same instants; an
// operation is one of them. It must not depend on how many there are.
func BenchmarkQueueInStep(b *testing.B) {
	for _, nodes := range []int{8, 64, 1024, 8192} {
		b.Run(map[int]string{8: "8", 64: "64", 1024: "1024", 8192: "8192"}[nodes], func(b *testing.B) {
			q := newQueue()
			for i := range nodes {
				q.push(0, 0, nil, 0, uint64(i))
			}
			var now Time
			for b.Loop() {
				q.next(now)
				now = q.pop(now).at
				q.push(now, now.Add(Microsecond), nil, 0, 0)
			}
		})
	}
}
