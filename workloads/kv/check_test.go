package kv

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// explained is another way to check a history, which shares nothing with the first: it tries all orders in
// which an operation may come next that began before any of the rest has ended.
func explained(rest []Event, value Value, counter uint64, done func(Value, uint64) bool) bool {
	if len(rest) == 0 {
		return done(value, counter)
	}
	soonest := math.MaxInt
	for _, e := range rest {
		soonest = min(soonest, e.End)
	}
	for i, e := range rest {
		if e.Begin > soonest || e.Kind == Get && e.Value != value || e.Kind == Add && e.Old != counter {
			continue
		}
		next, sum := value, counter
		switch e.Kind {
		case Put:
			next = e.Value
		case Add:
			sum += e.By
		}
		others := append(append([]Event{}, rest[:i]...), rest[i+1:]...)
		if explained(others, next, sum, done) {
			return true
		}
	}
	return false
}

// drawn is a history of a few clients, of which some are explained and some are not.
func drawn(t *rapid.T) (events []Event, final Value, counter uint64) {
	clients := rapid.IntRange(1, 4).Draw(t, "clients")
	running := make([]int, clients) // 1 + the operation that has begun
	left := rapid.IntRange(1, 7).Draw(t, "operations")
	seen, adds := []Value{0, newValue(9, 9)}, 0 // that one is never put
	for clock := 1; left > 0 || anyOf(running); clock++ {
		c := rapid.IntRange(0, clients-1).Draw(t, "client")
		if i := running[c]; i > 0 {
			events[i-1].End, running[c] = clock, 0
			continue
		}
		if left == 0 {
			continue
		}
		left--
		e := Event{Kind: Kind(rapid.IntRange(0, 2).Draw(t, "kind")), Client: c, Begin: clock}
		switch e.Kind {
		case Put:
			e.Value = newValue(c, len(events))
			seen = append(seen, e.Value)
		case Add:
			e.By = 1
			adds++
		}
		events = append(events, e)
		running[c] = len(events)
	}
	places := make([]int, adds)
	for i := range places {
		places[i] = i
	}
	places = rapid.Permutation(places).Draw(t, "places")
	for i := range events { // what they return is drawn, also of what others do later
		switch e := &events[i]; e.Kind {
		case Get:
			e.Value = rapid.SampledFrom(seen).Draw(t, "value")
		case Add:
			e.Old, places = uint64(places[0]), places[1:]
		}
	}
	return events, rapid.SampledFrom(seen).Draw(t, "final"), uint64(adds + rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "too many"))
}

func anyOf(running []int) bool {
	for _, r := range running {
		if r > 0 {
			return true
		}
	}
	return false
}

// TestCheckAgainstAllOrders: a history passes if and only if there is an order that explains it.
func TestCheckAgainstAllOrders(t *testing.T) {
	verdicts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		events, final, counter := drawn(t)
		want := explained(events, 0, 0, func(v Value, c uint64) bool { return v == final && c == counter })
		got := histories(events, 1)[0].check(final, counter)
		require.Equal(t, want, got == nil, "%+v, in the end %v and %d: %v", events, final, counter, got)
		verdicts[want]++
	})
	if !testing.Short() { // few are drawn then
		require.Greater(t, verdicts[true], 5)
		require.Greater(t, verdicts[false], 5)
	}
}
