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
	var q Queue[uint64]
	q.Start()
	q.shift = maxShift // as after a quiet time
	for i := range nodes {
		q.Push(0, uint64(i))
	}
	var now, instant Time
	last := -1 // of the instant
	for range nodes * rounds {
		q.Next()
		v, at, _ := q.Pop()
		node := *v
		if at < now || at == instant && int(node) <= last {
			t.Fatalf("event %d of %v after event %d of %v", node, at, last, now)
		}
		now, instant, last = at, at, int(node)
		q.Push(now.Add(10*Microsecond), node)
		if w := q.shift; w < minShift || w > maxShift {
			t.Fatalf("buckets of 2^%d ps", w)
		}
	}
	require.Equal(t, nodes, q.Len())
}

// BenchmarkQueueInStep is the queue with all events at the same instants; an
// operation is one of them. It must not depend on how many there are.
func BenchmarkQueueInStep(b *testing.B) {
	for _, nodes := range []int{8, 64, 1024, 8192} {
		b.Run(map[int]string{8: "8", 64: "64", 1024: "1024", 8192: "8192"}[nodes], func(b *testing.B) {
			var q Queue[uint64]
			q.Start()
			for i := range nodes {
				q.Push(0, uint64(i))
			}
			var now Time
			for b.Loop() {
				q.Next()
				_, now, _ = q.Pop()
				q.Push(now.Add(Microsecond), 0)
			}
		})
	}
}
