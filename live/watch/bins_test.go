package watch

import (
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// TestBinsHoldTheirLatencies: each latency lies in its bin, and what bins are filed as has their number and, but for
// rounding, the kernel's sum.
func TestBinsHoldTheirLatencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Uint64Range(0, 1<<37-1), 1, 200).Draw(t, "ns")
		var b binned
		for _, ns := range all {
			before := b.Bins
			b.count(ns)
			for bin := range b.Bins {
				if b.Bins[bin] != before[bin] {
					low, width := binRange(bin)
					require.True(t, uint64(low) <= ns && ns < uint64(low+width), "%d ns in [%d, %d)", ns, low, low+width)
				}
			}
		}
		n, sum := 0, int64(0)
		b.each(1000, func(ns int64, times int) {
			n += times
			sum += ns * int64(times)
		})
		require.Equal(t, len(all), n)
		// Where one bin is in several parts that are not of one number, half of its width is lost at most.
		require.InEpsilon(t, float64(b.Sum)+1, float64(sum)+1, 0.02)
	})
}

// TestMessagesAreFiled: banks have each message once in each stage that it has, at the end that measures it.
func TestMessagesAreFiled(t *testing.T) {
	h := &histogram{Bytes: 300}
	for range 3 {
		for i := range h.Stages {
			h.Stages[i].count(uint64(1000 * (i + 1)))
		}
	}
	one := &histogram{Bytes: 1 << 20}
	one.Stages[trace.Dest].count(5)
	s, err := banks(map[sort]*histogram{{program: 0, bits: 6, toServer: true}: h, {program: 1, bits: bits.Len(1<<20) - 1}: one}, 2)
	require.NoError(t, err)
	require.Zero(t, s.Losses())
	r := result{spec: Default(), histograms: map[sort]*histogram{{program: 0, bits: 6, toServer: true}: h}, programs: map[int]string{0: "a"}, packets: trace.NewJoiner(), took: time.Second}
	r.counts.of[started], r.counts.of[attributed], r.counts.of[full] = 5, 3, 1
	r.take(&sample{At: [5]uint64{1, 2, 3, 4, 5}, Bytes: 100, ToServer: 1})
	run, err := r.tables()
	require.NoError(t, err)
	require.EqualValues(t, 5, run.Manifest.Packets)
	require.EqualValues(t, 2, run.Manifest.Lost.NotRecorded)
	require.Len(t, run.Manifest.Warnings, 2+len(r.warnings))
	for _, row := range run.Signature {
		if row.Stage < trace.NumStages {
			require.EqualValues(t, 3, row.Count)
			require.InDelta(t, 1000*float64(row.Stage+1), row.MeanNs.Value, 1)
		}
	}
}
