package watch

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
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

// TestSlowestAreTold: where the messages that stand out have spent their time is said of each sort, and nothing if none stand out.
func TestSlowestAreTold(t *testing.T) {
	r := result{programs: map[int]string{1: "server"}}
	take := func(n int, s sample) {
		for range n {
			r.take(&s)
		}
	}
	take(1000, sample{At: [5]uint64{0, 10_000, 20_000, 30_000, 40_000}, Program: 1, Why: drawn})
	take(9, sample{At: [5]uint64{0, 10_000, 20_000, 30_000, 9_000_000}, Program: 1})
	require.Empty(t, r.longest())
	r.slowest = slowest{}
	take(50, sample{At: [5]uint64{0, 10_000, 20_000, 30_000, 5_030_000}, Program: 1, Woken: 1_030_000, Waited: 3_500_000})
	take(30, sample{At: [5]uint64{0, 4_000_000, 4_020_000, 4_030_000, 4_040_000}, Program: 1, ToServer: 1, Why: drawn | 2})
	take(20, sample{At: [5]uint64{0, 10_000, 20_000, 6_000_000, 6_010_000}, Program: 1})
	want := func(n int64, toServer bool, where string, ns float64) trace.Observed {
		return trace.Observed{What: trace.Slowest, Program: "server", ToServer: toServer, Messages: n, Of: 100, Where: where, MeanNs: ns, LeastNs: 4_040_000}
	}
	told := r.longest()
	require.Equal(t, []trace.Observed{want(50, false, "run-queue", 3_500_000), want(30, true, "nagle", 4_000_000), want(20, false, "net", 5_980_000)}, told)
	require.Equal(t, []string{
		"Of the 100 messages that took longest, 4040 µs and more, 50 are of server from the server and were longest in Dest, while the reader waited for a processor (run queue): 3500 µs on average.",
		"Of the 100 messages that took longest, 4040 µs and more, 30 are of server to the server and were longest in Source, where Nagle's algorithm held them: 4000 µs on average.",
		"Of the 100 messages that took longest, 4040 µs and more, 20 are of server from the server and were longest in Net: 5980 µs on average.",
	}, analysis.Seen(told))
}
