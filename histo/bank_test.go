package histo

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func mustPlan(t *testing.T, s Spec) *Layout {
	t.Helper()
	l, err := Plan(s)
	require.NoError(t, err)
	return l
}

func TestRecordPanics(t *testing.T) {
	b := New(mustPlan(t, published(1, 8)))
	for name, p := range map[string]Packet{
		"kind": {Kind: trace.NumKinds}, "size": {Bytes: -1}, "peer": {Peer: 8}, "negative peer": {Peer: -1},
	} {
		require.Panics(t, func() { b.Record(p, trace.Source, 1) }, name)
	}
	require.PanicsWithValue(t, "histo: record of diff stage(9): tag 0, 7 bytes, peer 2 of 8, 33 ticks: impossible packet",
		func() { b.Record(Packet{Kind: trace.Diff, Bytes: 7, Peer: 2}, 9, 33) })
}

func TestRecordDoesNotAllocate(t *testing.T) {
	s := published(4, 8)
	s.Variance = true
	b := New(mustPlan(t, s))
	require.Zero(t, testing.AllocsPerRun(100, func() { b.Record(Packet{Tag: 3, Bytes: 9999}, trace.Net, -5) }))
}

// TestEdgesAt33MHz: 33 ticks are exactly 1 µs.
func TestEdgesAt33MHz(t *testing.T) {
	l := mustPlan(t, published(1, 8))
	for _, c := range []struct {
		stage trace.Stage
		ticks int64
		bin   int
	}{
		{trace.Source, 0, 0}, {trace.Source, 32, 0}, {trace.Source, 33, 1}, {trace.Source, 65, 1}, {trace.Source, 66, 2},
		{trace.Net, 65, 0}, {trace.Net, 66, 1}, {trace.Dest, 33*255 - 1, 254}, {trace.Dest, 33 * 255, 255},
		{trace.Dest, math.MaxInt64, 255}, {trace.Net, -1, 0}, {trace.Net, math.MinInt64, 0},
	} {
		b := New(l)
		b.Record(Packet{}, c.stage, c.ticks)
		d, err := b.Snapshot(0).Distribution(Query{Stage: c.stage})
		require.NoError(t, err)
		require.EqualValues(t, 1, d.Counts[c.bin], "%v %d ticks", c.stage, c.ticks)
	}
}

// TestCountersSaturate fills counters by hand, as no test could by recording.
func TestCountersSaturate(t *testing.T) {
	s := published(1, 8)
	s.Variance = true
	l := mustPlan(t, s)
	b := New(l)
	p := Packet{Kind: trace.Diff, Bytes: 40, Peer: 3}
	b.Record(p, trace.Dest, 100)
	for _, p := range b.pages {
		for i := range p {
			if p != nil && p[i] == 1 {
				p[i] = math.MaxUint32
			}
		}
	}
	before := b.words()
	b.Record(p, trace.Dest, 100)
	counters := uint32(0)
	for _, base := range []int{l.kindBase, l.allBase, l.bySizeBase, l.byKindBase, l.pairBase} {
		if base >= 0 {
			counters++
		}
	}
	require.Equal(t, counters, b.words()[lossOver])
	before[lossOver] = counters
	require.Equal(t, before, b.words(), "full counters and their sums stay")

	snap := b.Snapshot(0)
	require.EqualValues(t, counters, snap.Losses().Overflow)
	m, err := snap.Moments(Query{Stage: trace.Dest})
	require.NoError(t, err)
	require.EqualValues(t, uint32(math.MaxUint32), m.Count)
	_, err = snap.Distribution(Query{Stage: trace.Dest})
	require.ErrorContains(t, err, "lost to full counters")

	// The count of losses saturates too.
	b.from(lossOver)[0] = math.MaxUint32
	b.Record(p, trace.Dest, 100)
	require.EqualValues(t, uint32(math.MaxUint32), b.words()[lossOver])

	// Two such banks add up beyond 32 bits.
	both, err := Merge(snap, b.Snapshot(1))
	require.NoError(t, err)
	m, err = both.Moments(Query{Stage: trace.Dest})
	require.NoError(t, err)
	require.EqualValues(t, 2*uint64(math.MaxUint32), m.Count)
}

func TestSumsSaturate(t *testing.T) {
	s := published(1, 2)
	s.Dims, s.Variance = 0, true
	b := New(mustPlan(t, s))
	for _, ticks := range []int64{math.MaxInt64, 5, math.MinInt64, math.MinInt64} {
		b.Record(Packet{}, trace.Net, ticks)
	}
	// The 5 and the last MinInt64 did not fit, and the squares of the other two
	// never do.
	snap := b.Snapshot(0)
	m, err := snap.Moments(Query{Stage: trace.Net})
	require.NoError(t, err)
	require.EqualValues(t, 2, m.Count)
	require.InDelta(t, -0.5e9/33e6, m.MeanNs, 1e-9)
	require.Equal(t, "the sum of squares overflowed", m.VarianceReason)
	require.EqualValues(t, 2+2, snap.Losses().Overflow)

	// Two squares that fit alone but not together, and one more after that.
	b.Reset()
	for range 3 {
		b.Record(Packet{}, trace.Net, 3<<30)
	}
	m, err = b.Snapshot(0).Moments(Query{Stage: trace.Net})
	require.NoError(t, err)
	require.Equal(t, "the sum of squares overflowed", m.VarianceReason)

	b.Reset()
	b.Record(Packet{}, trace.Net, math.MaxInt64)
	one := b.Snapshot(0)
	_, err = Merge(one, one)
	require.ErrorContains(t, err, "exceeds 64 bits")
}

// TestMeansKeepPrecision: a mean over sums beyond 2^53 ticks.
func TestMeansKeepPrecision(t *testing.T) {
	s := published(1, 2)
	s.TickHz, s.Dims = 1_000_000_000_000, 0
	b := New(mustPlan(t, s))
	const big = int64(1) << 60
	for _, d := range []int64{0, 1, 2} {
		b.Record(Packet{}, trace.Source, big+d)
	}
	m, err := b.Snapshot(0).Moments(Query{})
	require.NoError(t, err)
	require.Equal(t, float64(big+1)/1000, m.MeanNs)
}

func TestSnapshotIsACopy(t *testing.T) {
	b := New(mustPlan(t, published(1, 8)))
	b.Record(Packet{Peer: 1}, trace.Source, 10)
	s := b.Snapshot(0)
	other := b.Snapshot(0)
	b.Reset()
	require.Equal(t, New(b.Layout()).words(), b.words())
	_, err := Merge(s, s, s)
	require.NoError(t, err)
	require.Equal(t, other, s)
	m, err := s.Moments(Query{})
	require.NoError(t, err)
	require.EqualValues(t, 1, m.Count)
}

func TestMergeAndAddBankRefuse(t *testing.T) {
	_, err := Merge()
	require.ErrorContains(t, err, "no snapshots")
	l, other := mustPlan(t, published(1, 8)), mustPlan(t, published(2, 8))
	_, err = Merge(New(l).Snapshot(0), New(other).Snapshot(0))
	require.ErrorContains(t, err, "different layouts")
	_, err = Merge(New(l).Snapshot(0), New(mustPlan(t, published(1, 8))).Snapshot(1))
	require.NoError(t, err, "equal layouts")
	require.ErrorContains(t, l.Empty().AddBank(8, New(l)), "node: 8, want 0 to 7")
	require.ErrorContains(t, l.Empty().AddBank(0, New(other)), "different layouts")
}

// words returns a copy of all words.
func (b *Bank) words() []uint32 {
	all := make([]uint32, len(b.pages)*pageWords+len(page{}))
	for k, p := range b.pages {
		if p == nil {
			continue
		}
		for i, w := range p {
			all[k*pageWords+i] |= w // a word is in one page, and 0 in the other
		}
	}
	return all[:b.l.words]
}
