package histo

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

func drawSpec(t *rapid.T) Spec {
	s := Spec{
		BudgetBytes: rapid.IntRange(2<<10, 200<<10).Draw(t, "budget"),
		TickHz:      rapid.SampledFrom([]int64{33_000_000, 33_333_333, 2_000_000, 1_000_000_000}).Draw(t, "hz"),
		Tags:        rapid.IntRange(1, 3).Draw(t, "tags"),
		Nodes:       rapid.IntRange(1, 5).Draw(t, "nodes"),
		MaxBytes:    rapid.SampledFrom([]int{1, 100, 128, 1024, 4096, 5000}).Draw(t, "max"),
		LatencyNs:   [trace.NumStages]int64{1000, 1500, 2000, 777},
		LatencyTop:  rapid.IntRange(16, 70).Draw(t, "top"),
		Dims:        Dims(rapid.IntRange(0, int(AllDims)).Draw(t, "dims")),
		Variance:    rapid.Bool().Draw(t, "variance"),
	}
	s.SizeBytes = min(s.MaxBytes, rapid.SampledFrom([]int{8, 32, 50, 127, 300}).Draw(t, "size"))
	kinds := requestKinds()
	s.Kinds = rapid.Permutation(kinds).Draw(t, "kinds")[:rapid.IntRange(1, 4).Draw(t, "nkinds")]
	s.Later = s.Kinds[:rapid.IntRange(0, len(s.Kinds)).Draw(t, "later")]
	for _, k := range s.Kinds {
		if rapid.Bool().Draw(t, "sequence") {
			s.Sequences = append(s.Sequences, trace.Sequence{Kind: k, After: rapid.SampledFrom(s.Kinds).Draw(t, "after")})
		}
	}
	if s.TickHz == 2_000_000 {
		s.LatencyNs[trace.Dest] = 500
	}
	return s
}

func drawRecords(t *rapid.T, s Spec) []record {
	// A few sizes and kinds often, so that bins fill and others stay empty.
	sizes := rapid.SliceOfN(rapid.IntRange(0, s.MaxBytes+1), 1, 4).Draw(t, "sizes")
	top := int(int64(s.LatencyTop) * 2000 * s.TickHz / 1_000_000_000)
	before := []trace.Predecessor{0} // no packet is longer than MaxBytes, none before another one either
	for k := trace.Kind(0); k <= trace.SameMessage; k++ {
		for class := range classesUpTo(s.MaxBytes) {
			before = append(before, trace.After(k, class))
		}
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) record {
		return record{
			node: rapid.IntRange(0, s.Nodes-1).Draw(t, "node"),
			p: Packet{
				Tag:   trace.Tag(rapid.IntRange(0, s.Tags).Draw(t, "tag")),
				Kind:  trace.Kind(rapid.IntRange(0, int(trace.NumKinds)-1).Draw(t, "kind")),
				After: rapid.SampledFrom(before).Draw(t, "predecessor"),
				Later: rapid.Bool().Draw(t, "later"),
				Bytes: rapid.SampledFrom(sizes).Draw(t, "bytes"),
				Peer:  rapid.IntRange(0, s.Nodes-1).Draw(t, "peer"),
			},
			stage: trace.Stage(rapid.IntRange(0, stages-1).Draw(t, "stage")),
			ticks: int64(rapid.IntRange(-100, top+100).Draw(t, "ticks")),
		}
	}), 0, 120).Draw(t, "records")
}

// fileAll files records at their nodes, one bank per node that is read out
// twice, and merges all snapshots.
func fileAll(t *rapid.T, l *Layout, list []record) *Snapshot {
	var snaps []*Snapshot
	direct := l.Empty()
	half := len(list) / 2
	for _, part := range [][]record{list[:half], list[half:]} {
		for node := range l.spec.Nodes {
			b := New(l)
			for _, r := range part {
				if r.node == node {
					b.Record(r.p, r.stage, r.ticks)
				}
			}
			snaps = append(snaps, b.Snapshot(node))
			require.NoError(t, direct.AddBank(node, b))
		}
	}
	m, err := Merge(snaps...)
	require.NoError(t, err)
	shuffled, err := Merge(rapid.Permutation(snaps).Draw(t, "order")...)
	require.NoError(t, err)
	require.Equal(t, m, shuffled, "order of merging")
	require.Equal(t, m, direct, "banks added without snapshots of their own")
	return m
}

func queries(s Spec, l *Layout) []Query {
	var list []Query
	sizes := []Range{{}, {0, s.MaxBytes}}
	sizes = append(sizes, l.Bins()...)
	for _, c := range l.Classes() {
		sizes = append(sizes, c.Range)
	}
	if len(sizes) > 20 {
		sizes = append(sizes[:16], sizes[len(sizes)-4:]...)
	}
	var tags [][]trace.Tag
	for tag := range s.Tags {
		tags = append(tags, []trace.Tag{trace.Tag(tag)})
	}
	kinds := [][]trace.Kind{nil, s.Kinds[:1], s.Kinds}
	for _, r := range sizes {
		for _, tag := range append(tags, nil) {
			for _, kind := range kinds {
				for stage := range trace.NumStages {
					for _, part := range []Part{AnyPart, FirstPackets, LaterPackets} {
						list = append(list, Query{Tags: tag, Kinds: kind, Part: part, Sizes: r, Stage: stage})
					}
				}
			}
		}
	}
	return list
}

// followed asks for every predecessor that a layout tells apart.
func followed(l *Layout) []Query {
	var list []Query
	for _, f := range l.Sequences() {
		for _, r := range append(l.SequenceSizes(), Range{}) {
			list = append(list, Query{Kinds: []trace.Kind{f.Kind}, After: trace.Some(f.After), Sizes: r, Stage: trace.Stage(len(list) % stages)})
		}
	}
	return list
}

// TestOracle holds layouts, banks, merging and queries against the list of all
// records: whatever the layout answers has to be right, and what it promises
// it has to answer.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		l, err := Plan(spec)
		if err != nil {
			require.ErrorContains(t, err, "BudgetBytes")
			return
		}
		require.LessOrEqual(t, l.Bytes(), spec.BudgetBytes)
		o := &oracle{spec: spec, list: drawRecords(t, spec)}
		s := fileAll(t, l, o.list)
		for _, q := range queries(spec, l) {
			checkMoments(t, o, s, q)
			checkDistribution(t, o, s, q)
		}
		for _, q := range followed(l) {
			m, err := s.Moments(q)
			require.NoError(t, err, "%v", q)
			found := o.find(q, nil)
			require.Equal(t, len(found), int(m.Count), "%v", q)
			require.InDelta(t, o.mean(found), m.MeanNs, 1e-6, "%v", q)
		}
		checkPairs(t, o, s)
		checkLosses(t, o, s)
		checkConservation(t, o, s)
	})
}

func checkMoments(t *rapid.T, o *oracle, s *Snapshot, q Query) {
	m, err := s.Moments(q)
	if err != nil {
		allKinds := q.Kinds == nil && q.Part == AnyPart
		require.False(t, allKinds, "%+v: %v", q, err)
		byKind := s.l.plan.kindRows != absent && q.Sizes == (Range{}) && q.Part == AnyPart
		require.False(t, byKind, "%+v: %v", q, err)
		return
	}
	list := o.find(q, nil)
	require.EqualValues(t, len(list), m.Count, "%+v", q)
	require.True(t, near(o.mean(list), m.MeanNs, 1e-14), "%+v: mean %v, want %v", q, m.MeanNs, o.mean(list))
	switch {
	case len(list) < 2:
		require.Equal(t, Unknown, m.VarianceFrom)
	case o.spec.Variance:
		require.Equal(t, FromSquares, m.VarianceFrom)
		require.True(t, near(o.variance(list), m.Variance, 1e-12), "%+v: variance %v, want %v", q, m.Variance, o.variance(list))
	case m.VarianceFrom == Unknown:
		require.NotEmpty(t, m.VarianceReason)
	}
}

func checkDistribution(t *rapid.T, o *oracle, s *Snapshot, q Query) {
	d, err := s.Distribution(q)
	if err != nil {
		// Sums that are as coarse as the bins leave no excuse but for kinds.
		all := q.Sizes == (Range{}) && q.Kinds == nil && q.Part == AnyPart
		require.False(t, all && s.l.plan.sizeRows != absent, "%+v: %v", q, err)
		return
	}
	list := o.find(q, nil)
	require.EqualValues(t, len(list), d.Count)
	want := o.bins(list, len(d.Counts), d.WidthNs)
	for i, c := range d.Counts {
		require.Equal(t, want[i], c, "%+v: bin %d", q, i)
	}
}

func checkPairs(t *rapid.T, o *oracle, s *Snapshot) {
	sizes := []Range{{}}
	for _, c := range s.l.Classes() {
		sizes = append(sizes, c.Range)
	}
	for sender := range o.spec.Nodes {
		for receiver := range o.spec.Nodes {
			for stage := range trace.NumStages {
				for _, r := range sizes {
					q := Query{Sizes: r, Stage: stage}
					m, err := s.Pair(Pair{sender, receiver}, q)
					if err != nil {
						require.True(t, s.l.plan.pairs == 0 || s.l.plan.pairs == 1 && r != (Range{}), "%v", err)
						continue
					}
					at, peer := sender, receiver
					if stage == trace.Net || stage == trace.Dest {
						at, peer = receiver, sender
					}
					list := o.find(q, func(r record) bool { return r.node == at && r.p.Peer == peer })
					require.EqualValues(t, len(list), m.Count)
					require.True(t, near(o.mean(list), m.MeanNs, 1e-14))
				}
			}
		}
	}
}

func checkLosses(t *rapid.T, o *oracle, s *Snapshot) {
	var want Losses
	top := o.spec.Dims & (LatencyBySize | LatencyByKind)
	for _, r := range o.list {
		switch {
		case int(r.p.Tag) >= o.spec.Tags:
			want.UnknownTag++
			continue
		case !slices.Contains(o.spec.Kinds, r.p.Kind):
			want.Apart++
			continue
		case r.p.Bytes > o.spec.MaxBytes:
			want.Oversize++
		}
		if r.ticks < 0 {
			want.Underflow++
		}
		bins, width := s.l.LatencyBins(r.stage)
		if (s.l.plan.kindBins || s.l.plan.sizeRows != absent) && top != 0 && o.bins([]record{r}, bins, width)[bins-1] == 1 {
			want.TopBin++
		}
	}
	require.Equal(t, want, s.Losses())
	for stage := range trace.NumStages {
		for kind := range trace.NumKinds {
			apart := uint64(0)
			for _, r := range o.list {
				if r.p.Kind == kind && r.stage == stage && int(r.p.Tag) < o.spec.Tags && !o.filed(r) {
					apart++
				}
			}
			require.Equal(t, apart, s.Apart(kind, stage), "%v %v", kind, stage)
		}
		for tag := range trace.Tag(o.spec.Tags) {
			under := o.find(Query{Tags: []trace.Tag{tag}, Stage: stage}, func(r record) bool { return r.ticks < 0 })
			require.EqualValues(t, len(under), s.Underflow(tag, stage))
		}
	}
}

// checkConservation says that every filed record lies in exactly one bin of
// each array.
func checkConservation(t *rapid.T, o *oracle, s *Snapshot) {
	filed := map[trace.Stage]uint64{}
	for _, r := range o.list {
		if o.filed(r) {
			filed[r.stage]++
		}
	}
	bySize, byKind := map[trace.Stage]uint64{}, map[trace.Stage]uint64{}
	for b := range s.Bins() {
		require.NotZero(t, b.Count)
		if b.ByKind {
			byKind[b.Stage] += b.Count
		} else {
			bySize[b.Stage] += b.Count
		}
	}
	if s.l.plan.sizeRows != absent {
		require.Equal(t, filed, bySize)
	}
	if s.l.plan.kindBins {
		require.Equal(t, filed, byKind)
	}
}

// TestBinsTellApart holds the fields of Bins against the list of all records.
func TestBinsTellApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		spec.BudgetBytes = 4 << 20
		l, err := Plan(spec)
		require.NoError(t, err)
		o := &oracle{spec: spec, list: drawRecords(t, spec)}
		for b := range fileAll(t, l, o.list).Bins() {
			q := Query{Tags: []trace.Tag{b.Tag}, Sizes: b.Sizes, Stage: b.Stage}
			if b.ByKind {
				q.Kinds = []trace.Kind{b.Kind}
			}
			bins, width := l.LatencyBins(b.Stage)
			list := o.find(q, func(r record) bool {
				return !b.ByKind || b.Later == (r.p.Later && slices.Contains(spec.Later, r.p.Kind))
			})
			i := int(b.LoNs / width)
			require.Equal(t, o.bins(list, bins, width)[i], b.Count, "%+v", b)
			require.Equal(t, b.Open, i == bins-1)
		}
	})
}

// TestScale holds the reciprocal against the exact quotient, mostly around the
// edges of bins.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hz := rapid.Int64Range(1_000_000, 200_000_000).Draw(t, "hz")
		if rapid.Bool().Draw(t, "fine") {
			hz = rapid.SampledFrom([]int64{33_000_000, 66_666_667, 1_000_000_000, 1_000_000_000_000}).Draw(t, "hz")
		}
		width := rapid.Int64Range(1000, 8000).Draw(t, "width")
		bins := rapid.IntRange(2, 2000).Draw(t, "bins")
		// A width that a clock of whole ns can have, four times as wide where the budget is small.
		if rapid.Bool().Draw(t, "wide") {
			hz, width, bins = 1_000_000_000, rapid.OneOf(rapid.Int64Range(1, 4e9), rapid.Map(rapid.IntRange(0, 31), func(n int) int64 { return 1 << n })).Draw(t, "wide width"), rapid.IntRange(2, 16384).Draw(t, "wide bins")
		}
		s, err := newScale(hz, width, bins)
		require.NoError(t, err)
		o := &oracle{spec: Spec{TickHz: hz}}
		edge := rapid.Int64Range(0, int64(bins)).Draw(t, "edge")
		near := int64(float64(edge) * float64(width) * float64(hz) / 1e9)
		for d := int64(-2); d <= 2; d++ {
			ticks := max(near+d, 0)
			require.Contains(t, o.bins([]record{{ticks: ticks}}, bins, width), int(s.bin(ticks)), "%d ticks", ticks)
		}
	})
}

// TestTakeUndoesAdd: without the records of an earlier snapshot, those since then are left.
func TestTakeUndoesAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		l, err := Plan(spec)
		if err != nil {
			t.Skip("nothing fits")
		}
		earlier, since := fileAll(t, l, drawRecords(t, spec)), fileAll(t, l, drawRecords(t, spec))
		both, err := Merge(earlier, since)
		require.NoError(t, err)
		require.NoError(t, both.Take(earlier))
		require.Equal(t, since, both)
	})
}
