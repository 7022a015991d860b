package cluster_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/trace/waits"
)

// checkLog checks what must be true of every finished log.
func checkLog(t *testing.T, log *waits.Log) {
	t.Helper()
	require.NotEmpty(t, log.Intervals)
	at := make([]int64, len(log.Actors))
	for id := range log.Actors {
		at[id] = log.Actors[id].Begin
	}
	for _, x := range log.Intervals {
		require.Equal(t, at[x.Actor], x.Begin, "%+v of %+v", x, log.Actors[x.Actor])
		at[x.Actor] = x.End
	}
	for id := range log.Actors[1:] {
		require.Equal(t, log.Actors[1+id].End, at[1+id], "%+v", log.Actors[1+id])
	}
	holds := slices.Clone(log.Holds)
	slices.SortFunc(holds, func(a, b waits.Hold) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Begin, b.Begin))
	})
	for i := 1; i < len(holds); i++ {
		a, b := holds[i-1], holds[i]
		if a.Resource == b.Resource && a.Instance == b.Instance && a.Resource != waits.Ring {
			require.LessOrEqual(t, a.End, b.Begin, "%v held by %+v and %+v\n%+v\n%+v", a.Resource, a, b, log.Actors[a.Actor], log.Actors[b.Actor])
		}
	}
	_, err := causal.Resolve(log)
	require.NoError(t, err)
}

func TestWaitsOfFFT(t *testing.T) {
	plain := runFFT(t, setup{nodes: 4, packets: true, spans: true}, 1<<10)
	logged := runFFT(t, setup{nodes: 4, packets: true, spans: true, waits: true}, 1<<10)
	require.Equal(t, plain.Engine.Digest(), logged.Engine.Digest(), "recording changes nothing")
	require.Nil(t, plain.Waits())
	log := logged.Waits()
	checkLog(t, log)
	sums := map[[3]any]int64{}
	for _, x := range log.Intervals {
		sums[[3]any{log.Actors[x.Actor].Type, x.Resource, x.What}] += x.End - x.Begin
	}
	for k, v := range sums {
		t.Log(k, v/1e6, "us")
	}
	t.Log(len(log.Actors), len(log.Intervals), len(log.Holds))
}

var _ = monitor.TraceWaits
