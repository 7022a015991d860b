package histo

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// TestRecordAll holds samples that are recorded together against Record for each, with runs of one
// sort and of one peer, and with latencies that fill sums and counts.
func TestRecordAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		l, err := Plan(spec)
		if err != nil {
			t.Skip(err)
		}
		first := rapid.SampledFrom([]trace.Stage{trace.Source, trace.Net}).Draw(t, "first")
		var sorts []Sort
		for _, r := range drawRecords(t, spec) {
			sorts = append(sorts, Sort{Bytes: int32(r.p.Bytes), Tag: r.p.Tag, Kind: r.p.Kind, After: r.p.After, Later: r.p.Later})
		}
		if len(sorts) == 0 {
			return
		}
		sorts = sorts[:min(len(sorts), rapid.IntRange(1, 4).Draw(t, "sorts"))]
		ticks := rapid.OneOf(rapid.Int64Range(-100, 5000), rapid.Int64Range(0, 400),
			rapid.SampledFrom([]int64{Missing, math.MaxInt64, math.MinInt64 + 1, 1 << 61, -1 << 61, 1 << 32}))
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Sample {
			s := Sample{
				Ticks: [2]int64{ticks.Draw(t, "ticks"), ticks.Filter(func(x int64) bool { return x != Missing }).Draw(t, "ticks")},
				Sort:  rapid.SampledFrom(sorts).Draw(t, "sort"), First: first,
				Peer: int32(rapid.IntRange(0, spec.Nodes-1).Draw(t, "peer")),
			}
			return s
		}), 0, 60).Draw(t, "samples")
		together, apart := New(l), New(l)
		if rapid.Bool().Draw(t, "full") { // counters that are full after a few more
			for _, b := range []*Bank{together, apart} {
				for i := lossMiscN; i < l.words; i++ {
					b.from(i)[0] = math.MaxUint32 - 3
				}
			}
		}
		for part := range slices.Chunk(list, 16) {
			together.RecordAll(part)
		}
		for i := range list {
			apart.recordOne(&list[i])
		}
		require.Equal(t, apart.Snapshot(0), together.Snapshot(0))
	})
}
