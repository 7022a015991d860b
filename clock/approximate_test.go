package clock

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestTicksFollowExactTwin compares the approximate count where it is taken, also close to edges of ticks, with
// the exact one.
func TestTicksFollowExactTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Harsh(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 63).Draw(t, "node"))
		s.HzNum = rapid.OneOf(rapid.SampledFrom([]uint64{33_000_000, 33_333_333}), rapid.Uint64Range(1, 900_000_000_000)).Draw(t, "hz")
		s.HzDen = rapid.Uint64Range(1, 1000).Draw(t, "den")
		o, err := NewOscillator(s)
		require.NoError(t, err)
		at := rapid.Int64Range(0, 1e15).Draw(t, "time")
		for i := range int64(200) {
			require.Equal(t, o.exactly(at+i*i), o.Ticks(at+i*i))
		}
		// To the first picosecond of the next tick, by bisection.
		n, low, high := o.exactly(at), at, at+1
		for o.exactly(high) == n && high < at+1<<50 {
			high += high - at
		}
		for high-low > 1 {
			if mid := low + (high-low)/2; o.exactly(mid) == n {
				low = mid
			} else {
				high = mid
			}
		}
		for d := int64(-30); d <= 30; d++ {
			if high+d >= 0 {
				require.Equal(t, o.exactly(high+d), o.Ticks(high+d), "%d ps from the edge of a tick", d)
			}
		}
	})
}
