package causal

import (
	"slices"
	"testing"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/check/synth"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestWindowsSumToTheWhole: windows of any size, each of an account that has only what is in it, have the sums of
// one window that is all of the time.
func TestWindowsSumToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := synth.RandomLog(t)
		for i := range log.Intervals {
			log.Intervals[i].Line = false // records of packets have no lines
		}
		whole, err := account.Resolve(log)
		require.NoError(t, err)
		all, parts := NewWindows(1), NewWindows(1)
		const end = 40
		all.Add(whole, 0, end)
		for from := int64(0); from < end; {
			to := min(from+rapid.Int64Range(1, 15).Draw(t, "window"), end)
			r := account.ReaderOf(account.Period{From: from, To: to})
			require.NoError(t, r.Actors(slices.Collect(whole.ActorRows())))
			require.NoError(t, r.Waits(slices.Collect(whole.WaitRows())))
			require.NoError(t, r.Holds(slices.Collect(whole.HoldRows())))
			part, err := r.Account()
			require.NoError(t, err)
			parts.Add(part, from, to)
			from = to
		}
		want, got := all.Explanation(0, end, 1), parts.Explanation(0, end, 1)
		require.Equal(t, want.Classes, got.Classes)
		require.Equal(t, want.Waited, got.Waited)
		require.Equal(t, want.Known, got.Known)
		require.Equal(t, want.Queues, got.Queues)
	})
}
