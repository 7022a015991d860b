package watch

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestSlowestAreKept: whatever the order, those that stay are the longest of all that were kept, and the kernel is asked for longer ones only.
func TestSlowestAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s slowest
		require.Equal(t, uint64(math.MaxUint64), s.from())
		times := rapid.SliceOfN(rapid.Uint64Range(1, 1e6), 0, 3*mostSlow).Draw(t, "times")
		for _, ns := range times {
			s.keep(&sample{At: [5]uint64{1, 2, 3, 4, 1 + ns}})
		}
		slices.Sort(times)
		longest := times[max(0, len(times)-mostSlow):]
		kept := make([]uint64, 0, len(s.kept))
		for i := range s.kept {
			kept = append(kept, uint64(s.kept[i].took()))
		}
		slices.Sort(kept)
		require.True(t, slices.Equal(longest, kept))
		if len(kept) == mostSlow {
			require.Equal(t, kept[0], s.from())
		}
	})
	var s slowest
	for ns := range int64(3 * above) {
		s.meets(ns)
	}
	require.EqualValues(t, 2*above, s.from())
}
