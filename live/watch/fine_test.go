package watch

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// TestPercentilesAreFine: however long some messages take, percentiles of the others are within a 32nd of the true ones,
// and so are the bins of the table of histograms.
func TestPercentilesAreFine(t *testing.T) {
	r := &result{spec: Default(), began: time.Unix(0, 0), took: time.Second, packets: trace.NewJoiner(), programs: map[int]string{0: "a", 1: "b"}, histograms: map[sort]*histogram{}}
	draw := rand.New(rand.NewPCG(1, 2))
	latencies := map[bool][]int64{} // of Dest, by direction
	for range 20_000 {
		s := sort{program: 1, bits: 6, toServer: draw.IntN(2) == 0}
		h := r.histograms[s]
		if h == nil {
			h = new(histogram)
			r.histograms[s] = h
		}
		h.Bytes += 100
		for stage := range h.Stages {
			ns := 1000 + draw.Int64N(20_000)
			if draw.IntN(50) == 0 {
				ns = 1e9 + draw.Int64N(1e9)
			}
			h.Stages[stage].count(uint64(ns))
			if trace.Stage(stage) == trace.Dest {
				latencies[s.toServer] = append(latencies[s.toServer], ns)
			}
		}
		r.counts.of[started]++
		r.counts.of[attributed]++
	}
	run, err := r.tables()
	require.NoError(t, err)
	both := slices.Concat(latencies[false], latencies[true])
	slices.Sort(both)
	rows := 0
	for _, row := range run.Classes {
		if row.Stage != trace.Dest {
			continue
		}
		rows++
		require.EqualValues(t, len(both), row.Count)
		for percent, p := range map[int]trace.Percentile{50: row.P50, 90: row.P90, 99: row.P99} {
			require.False(t, p.LowerBound || p.UpperBound, "p%d", percent)
			require.InEpsilon(t, portable.Percentile(both, percent), p.Ns.Value, 1.0/32, "p%d", percent)
		}
		require.LessOrEqual(t, row.MinNs.Value, both[0])
		require.Greater(t, row.MaxNs.Value, both[len(both)-1])
	}
	require.Positive(t, rows)
	counted := map[trace.Stage]int64{}
	for _, b := range run.Histograms {
		require.NoError(t, b.Conditions())
		require.LessOrEqual(t, b.LatencyHiNs.Value-b.LatencyLoNs, max(b.LatencyLoNs/32, 1))
		if b.Kind == trace.AllKinds {
			counted[b.Stage] += b.Count
		}
	}
	require.Equal(t, map[trace.Stage]int64{trace.Source: 20_000, trace.LANai: 20_000, trace.Net: 20_000, trace.Dest: 20_000}, counted)
}
