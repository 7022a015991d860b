package histo

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func TestQueryRefuses(t *testing.T) {
	s := published(1, 4)
	s.Kinds = []trace.Kind{trace.Data, trace.Diff}
	snap := New(mustPlan(t, s)).Snapshot(2)
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Stage: 9}, "Stage: stage(9), want source to dest"},
		{Query{Tags: []trace.Tag{1}}, "Tags: 1, want 0 to 0"},
		{Query{Kinds: []trace.Kind{trace.Ack}}, "Kinds: ack is not told apart"},
		{Query{Part: LaterPackets}, "Part: first and later packets of kind data are not told apart"},
		{Query{Sizes: Range{64, 32}}, "Sizes: (64,32] B, want a range"},
		{Query{Sizes: Range{-1, 32}}, "Sizes: (-1,32] B"},
		{Query{Sizes: Range{4096, 4100}}, "Sizes: (4096,4100] B"},
		{Query{Sizes: Range{0, 10}}, ""},
	} {
		_, err := snap.Moments(c.q)
		if c.want == "" {
			require.NoError(t, err, "nothing there: no packets to tell apart")
			continue
		}
		require.ErrorContains(t, err, c.want)
		_, err = snap.Distribution(c.q)
		require.ErrorContains(t, err, c.want)
	}
	for _, c := range []struct {
		p    Pair
		q    Query
		want string
	}{
		{Pair{0, 4}, Query{}, "Pair: node 4, want 0 to 3"},
		{Pair{2, 0}, Query{Kinds: []trace.Kind{trace.Data}}, "over all kinds together"},
		{Pair{2, 0}, Query{Sizes: Range{0, 32}}, "4 size classes, not for (0,32] B"},
		{Pair{2, 0}, Query{Stage: trace.Net}, "the interface of node 0, where net is recorded"},
		{Pair{0, 2}, Query{Stage: trace.Source}, "the interface of node 0, where source is recorded"},
		{Pair{2, 0}, Query{Stage: trace.LANai}, ""},
	} {
		_, err := snap.Pair(c.p, c.q)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}

// TestCoarseRowsAnswerWhenTheyCan: where rows are too coarse for a question,
// counts can still show that nothing else lies in them.
func TestCoarseRowsAnswerWhenTheyCan(t *testing.T) {
	s := published(4, 8)
	l := mustPlan(t, s)
	require.NotEqual(t, fine, l.plan.kindRows)
	require.Equal(t, classes, l.plan.sizeRows)
	b := New(l)
	page := Packet{Kind: trace.PageReply, Bytes: 3000}
	for range 5 {
		b.Record(page, trace.Dest, 33*7)
	}
	page3000 := Query{Kinds: []trace.Kind{trace.PageReply}, Sizes: Range{2976, 3008}, Stage: trace.Dest}
	m, err := b.Snapshot(0).Moments(page3000)
	require.NoError(t, err)
	require.EqualValues(t, 5, m.Count)
	require.InDelta(t, 7000, m.MeanNs, 1e-9)
	require.Equal(t, FromBins, m.VarianceFrom)

	empty := page3000
	empty.Sizes = Range{2944, 2976}
	m, err = b.Snapshot(0).Moments(empty)
	require.NoError(t, err)
	require.Zero(t, m.Count)

	// Another kind elsewhere in the row hides it; latency bins of the bin over
	// all kinds are hidden by the class, and found again by kind.
	b.Record(Packet{Kind: trace.Diff, Bytes: 2900}, trace.Dest, 33*9)
	_, err = b.Snapshot(0).Moments(page3000)
	require.ErrorContains(t, err, "keeps sums by kind of (2048,3072] B together")
	_, err = b.Snapshot(0).Distribution(Query{Sizes: Range{2976, 3008}, Stage: trace.Dest})
	require.ErrorContains(t, err, "do not keep these 5 packets apart, but hold 6 in (1023,4095] B over all kinds")
	d, err := b.Snapshot(0).Distribution(Query{Kinds: []trace.Kind{trace.PageReply}, Stage: trace.Dest})
	require.NoError(t, err)
	require.EqualValues(t, 5, d.Counts[7])

	m, err = b.Snapshot(0).Moments(Query{Sizes: Range{2976, 3008}, Stage: trace.Dest})
	require.NoError(t, err)
	require.EqualValues(t, 5, m.Count)
	require.Equal(t, Unknown, m.VarianceFrom)
	require.Contains(t, m.VarianceReason, "do not keep these 5 packets apart")
}

func filled(widthNs int64, counts ...uint64) *Distribution {
	d := &Distribution{Counts: counts, WidthNs: widthNs}
	for _, c := range counts {
		d.Count += c
	}
	return d
}

func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts []uint64
		share  float64
		want   Percentile
		err    string
	}{
		{"one bin", []uint64{0, 4, 0}, 0.5, Percentile{Ns: 1375, LoNs: 1000, HiNs: 2000}, ""},
		{"second bin", []uint64{50, 50, 0}, 0.51, Percentile{Ns: 1010, LoNs: 1000, HiNs: 2000}, ""},
		{"last of first bin", []uint64{50, 50, 0}, 0.5, Percentile{Ns: 1000, LoNs: 0, HiNs: 1000, UpperBound: true}, ""},
		{"odd count", []uint64{2, 3, 0}, 0.5, Percentile{Ns: 1000 + 500/3.0, LoNs: 1000, HiNs: 2000}, ""},
		{"hundred for p99", []uint64{99, 1, 0}, 0.99, Percentile{Ns: 1000, LoNs: 0, HiNs: 1000, UpperBound: true}, ""},
		{"open bin", []uint64{98, 0, 2}, 0.99, Percentile{Ns: 2000, LoNs: 2000, HiNs: 2000, LowerBound: true}, ""},
		{"too few", []uint64{99, 0, 0}, 0.99, Percentile{}, "99 packets, want at least 100"},
		{"one packet", []uint64{1, 0, 0}, 0.5, Percentile{}, "1 packets, want at least 2"},
		{"none", []uint64{0, 0, 0}, 0.5, Percentile{}, "0 packets"},
		{"low share", []uint64{9, 0, 0}, 0.1, Percentile{}, "9 packets, want at least 10"},
		{"zero", []uint64{9, 0, 0}, 0, Percentile{}, "share 0, want more than 0"},
		{"one", []uint64{9, 0, 0}, 1, Percentile{}, "share 1, want"},
		{"NaN", []uint64{9, 0, 0}, math.NaN(), Percentile{}, "share NaN, want"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := filled(1000, c.counts...).Percentile(c.share)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.InDelta(t, c.want.Ns, got.Ns, 1e-9)
			got.Ns = c.want.Ns
			require.Equal(t, c.want, got)
		})
	}
	d := filled(1000, 4, 4, 0)
	d.Underflow = true
	p, err := d.Percentile(0.5)
	require.NoError(t, err)
	require.True(t, p.UpperBound)
	p, err = d.Percentile(0.8)
	require.NoError(t, err)
	require.False(t, p.UpperBound)
}

func TestMinMaxTop(t *testing.T) {
	d := filled(2000, 0, 3, 0, 0)
	lo, ok := d.Min()
	require.True(t, ok)
	require.EqualValues(t, 2000, lo)
	hi, open, ok := d.Max()
	require.True(t, ok)
	require.False(t, open)
	require.EqualValues(t, 4000, hi)
	n, from := filled(2000, 0, 3, 0, 5).Top()
	require.EqualValues(t, 5, n)
	require.EqualValues(t, 6000, from)
	hi, open, ok = filled(2000, 0, 3, 0, 5).Max()
	require.True(t, ok && open)
	require.EqualValues(t, 6000, hi)
	_, ok = filled(2000, 0, 0).Min()
	require.False(t, ok)
	_, _, ok = filled(2000, 0, 0).Max()
	require.False(t, ok)
}

func TestVarianceWithinABin(t *testing.T) {
	v, from := filled(1200, 0, 101, 0).variance()
	require.Equal(t, FromBins, from)
	require.InDelta(t, 1200*1200/12*1.01, v, 1e-9)
	require.Equal(t, "bins", from.String())
	v, from = filled(1200, 0, 0, 7).variance()
	require.Zero(t, v)
	require.Equal(t, "bins, lower bound", from.String())
}

// TestVarianceFromBins compares the estimate with sums of squares of the same
// packets.
func TestVarianceFromBins(t *testing.T) {
	s := published(1, 2)
	s.BudgetBytes = 2 << 20
	exact := s
	exact.Variance = true
	a, b := New(mustPlan(t, s)), New(mustPlan(t, exact))
	x := uint32(7)
	for range 20_000 {
		x = x*1664525 + 1013904223
		ticks := int64(x>>16)%1000 + int64(x>>20)%700
		a.Record(Packet{}, trace.Source, ticks)
		b.Record(Packet{}, trace.Source, ticks)
	}
	got, err := a.Snapshot(0).Moments(Query{})
	require.NoError(t, err)
	want, err := b.Snapshot(0).Moments(Query{})
	require.NoError(t, err)
	require.Equal(t, FromBins, got.VarianceFrom)
	require.Equal(t, FromSquares, want.VarianceFrom)
	require.InEpsilon(t, want.Variance, got.Variance, 0.01)

	// With packets in the open bin it becomes a lower bound that still uses
	// their mean.
	for range 100 {
		a.Record(Packet{}, trace.Source, 33*900)
		b.Record(Packet{}, trace.Source, 33*900)
	}
	got, err = a.Snapshot(0).Moments(Query{})
	require.NoError(t, err)
	want, err = b.Snapshot(0).Moments(Query{})
	require.NoError(t, err)
	require.Equal(t, BoundByBins, got.VarianceFrom)
	require.InEpsilon(t, want.Variance, got.Variance, 0.02)
	require.Equal(t, want.MeanNs, got.MeanNs)
}
