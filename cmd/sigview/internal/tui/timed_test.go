package tui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestTimeMeansTheSameEverywhere: the sizes, classes, pairs and bins of a time are of the
// packets of the trace that begin in it.
func TestTimeMeansTheSameEverywhere(t *testing.T) {
	l := busy(2)
	run := l.make(t)
	d := sample(t, "run", l)
	sel := NewSelection()
	sel.FromNs, sel.ToNs = 50_000_000, 120_000_000
	require.NoError(t, sel.setKind("data"))
	want, sum, most := map[pairKey]int64{}, 0.0, int64(0)
	bySize := map[int64]int64{}
	for r := range run.Packets {
		if r.Kind == "data" && r.T1Ns.Value >= sel.FromNs && r.T1Ns.Value <= sel.ToNs {
			want[pairKey{0, r.Sender, r.Receiver}]++
			bySize[(r.SizeBytes+31)/32*32]++
			sum += float64(r.T2Ns.Value - r.T1Ns.Value)
			most++
		}
	}
	require.Less(t, most, int64(1600), "not all packets of the run")
	cols, note := sel.columns(d)
	require.Contains(t, note, "begin in this time")
	require.Len(t, cols, len(bySize))
	for _, c := range cols {
		require.Equal(t, bySize[c.SizeHiBytes], c.Count())
	}
	pairs := map[pairKey]int64{}
	for from := range d.nodes {
		for to := range d.nodes {
			if p, ok := sel.ofPair(d, from, to); ok {
				pairs[pairKey{0, int64(from), int64(to)}] = p.Count()
			}
		}
	}
	require.Equal(t, want, pairs)
	count, mean := int64(0), 0.0
	for _, c := range sel.classes(d) {
		count += c.Count()
		mean += c.Stat(trace.Source).MeanNs.Value * float64(c.Count()) / float64(most)
	}
	require.Equal(t, most, count)
	require.InEpsilon(t, sum/float64(most), mean, 1e-9)
	rows, _, _ := sel.bins(d)
	require.Equal(t, most, total(rows))
}

// TestTimeOfALongTraceIsRead: a view of the packets of a time asks for those that are not
// kept.
func TestTimeOfALongTraceIsRead(t *testing.T) {
	p := &Packets{endNs: 1000, run: trace.NewWindows(1, 0, 1000), listed: period{to: 500}, slices: &sliceCache{}}
	s := NewSelection()
	s.FromNs, s.ToNs = 400, 600
	want, ok := p.wants(&s, everyone)
	require.True(t, ok)
	require.Equal(t, request{period: period{400, 600, 400}}, want)
	p.asked = want.period
	_, ok = p.wants(&s, everyone)
	require.False(t, ok, "asked for once")
	p.asked, s.ToNs = period{}, 500
	_, ok = p.wants(&s, everyone)
	require.False(t, ok, "all are kept")
}
