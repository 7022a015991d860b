package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestBaselineBetweenSizes: a size between two that were measured has a baseline on the line through
// them, and one outside has none.
func TestBaselineBetweenSizes(t *testing.T) {
	sizes := func(lo, hi int64) trace.Sizes { return trace.Sizes{SizeLoBytes: lo, SizeHiBytes: hi} }
	var b Baseline
	b.bins[trace.Net] = []bin{{sizes(32, 64), estimate{value: 1000}}, {sizes(128, 160), estimate{value: 1960}}}
	e, from, ok := b.at(trace.Net, sizes(64, 96))
	require.True(t, ok)
	require.Equal(t, trace.BaselineBetween, from)
	require.InDelta(t, 1320, e.value, 1e-9, "a third of the way")
	for _, outside := range []trace.Sizes{sizes(0, 32), sizes(160, 192)} {
		_, from, ok = b.at(trace.Net, outside)
		require.False(t, ok, outside)
		require.Equal(t, trace.BaselineNone, from)
	}
}
