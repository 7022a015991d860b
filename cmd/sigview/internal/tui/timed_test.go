package tui

import (
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// TestTimeMeansTheSameEverywhere: the sizes, classes, pairs and bins of a time are of the
// packets of the trace that begin in it.
func TestTimeMeansTheSameEverywhere(t *testing.T) {
	l := busy(2)
	run := l.make(t)
	d := sample(t, "run", l)
	sel := data.NewSelection()
	sel.FromNs, sel.ToNs = 50_000_000, 120_000_000
	require.NoError(t, sel.SetKind("data"))
	want, sum, most := map[data.PairKey]int64{}, 0.0, int64(0)
	bySize := map[int64]int64{}
	for r := range run.Packets {
		if r.Kind == "data" && r.T1Ns.Value >= sel.FromNs && r.T1Ns.Value <= sel.ToNs {
			want[data.PairKey{Tag: 0, Sender: r.Sender, Receiver: r.Receiver}]++
			bySize[(r.SizeBytes+31)/32*32]++
			sum += float64(r.T2Ns.Value - r.T1Ns.Value)
			most++
		}
	}
	require.Less(t, most, int64(1600), "not all packets of the run")
	cols, note := sel.Columns(d)
	require.Contains(t, note, "begin in this time")
	require.Len(t, cols, len(bySize))
	for _, c := range cols {
		require.Equal(t, bySize[c.SizeHiBytes], c.Count())
	}
	pairs := map[data.PairKey]int64{}
	for from := range d.Nodes {
		for to := range d.Nodes {
			if p, ok := sel.OfPair(d, from, to); ok {
				pairs[data.PairKey{Tag: 0, Sender: int64(from), Receiver: int64(to)}] = p.Count()
			}
		}
	}
	require.Equal(t, want, pairs)
	count, mean := int64(0), 0.0
	for _, c := range scene.Classes(&sel, d) {
		count += c.Count()
		mean += c.Stat(trace.Source).MeanNs.Value * float64(c.Count()) / float64(most)
	}
	require.Equal(t, most, count)
	require.InEpsilon(t, sum/float64(most), mean, 1e-9)
	rows, _, _ := scene.Bins(&sel, d)
	require.Equal(t, most, scene.Total(rows))
}

// TestTimeOfALongTraceIsRead: a view of the packets of a time asks for those that are not
// kept.
func TestTimeOfALongTraceIsRead(t *testing.T) {
	p := &data.Packets{EndNs: 1000, Run: trace.NewWindows(1, 0, 1000), Listed: data.Period{To: 500}, Slices: &data.SliceCache{}}
	s := data.NewSelection()
	s.FromNs, s.ToNs = 400, 600
	want, ok := p.Wants(&s, data.Everyone)
	require.True(t, ok)
	require.Equal(t, data.Request{Period: data.Period{From: 400, To: 600, At: 400}}, want)
	p.Asked = want.Period
	_, ok = p.Wants(&s, data.Everyone)
	require.False(t, ok, "asked for once")
	p.Asked, s.ToNs = data.Period{}, 500
	_, ok = p.Wants(&s, data.Everyone)
	require.False(t, ok, "all are kept")
}
