package histo

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// TestEachPair: one pass over all pairs gives what asking for each gives, in
// order, and leaves out only those that exchanged nothing.
func TestEachPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		l, err := Plan(spec)
		if err != nil {
			t.Skip("nothing fits")
		}
		s := fileAll(t, l, drawRecords(t, spec))
		q := Query{Tags: []trace.Tag{0}, Stage: trace.Dest}
		if c := l.Classes(); rapid.Bool().Draw(t, "class") {
			q.Sizes = c[rapid.IntRange(0, len(c)-1).Draw(t, "which")].Range
		}
		seen := map[Pair]bool{}
		last := Pair{-1, -1}
		err = s.EachPair(q, func(p Pair, means *[trace.NumStages]PairMean) {
			require.True(t, p.Sender > last.Sender || p.Sender == last.Sender && p.Receiver > last.Receiver, "%v after %v", p, last)
			last = p
			seen[p] = true
			for stage, m := range means {
				r := q
				r.Stage = trace.Stage(stage)
				want, err := s.Pair(p, r)
				require.NoError(t, err)
				require.Equal(t, PairMean{want.Count, want.MeanNs}, m)
			}
		})
		_, one := s.Pair(Pair{0, 0}, q)
		if one != nil {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		for sender := range spec.Nodes {
			for receiver := range spec.Nodes {
				if p := (Pair{sender, receiver}); !seen[p] {
					for stage := range trace.NumStages {
						q.Stage = stage
						m, err := s.Pair(p, q)
						require.NoError(t, err)
						require.Zero(t, m.Count)
					}
				}
			}
		}
	})
}

// TestPairsOfSomeNodes: with an interface missing, not all pairs are known.
func TestPairsOfSomeNodes(t *testing.T) {
	l, err := Plan(published(1, 3))
	require.NoError(t, err)
	s, err := Merge(New(l).Snapshot(0), New(l).Snapshot(2))
	require.NoError(t, err)
	require.ErrorContains(t, s.EachPair(Query{}, nil), "2 of 3 interfaces were read out")
}

// TestMeans: the short way to a mean gives the bits of the long one.
func TestMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := published(1, 2)
		spec.TickHz = rapid.SampledFrom([]int64{33_000_000, 33_333_333, 1_000_000_000, 66_666_666, 2_000_000}).Draw(t, "hz")
		l, err := Plan(spec)
		require.NoError(t, err)
		s := &Snapshot{l: l}
		c := sums{
			count: rapid.Uint64Range(1, math.MaxInt64>>rapid.IntRange(0, 62).Draw(t, "small count")).Draw(t, "count"),
			sum:   rapid.Int64().Draw(t, "sum") >> rapid.IntRange(0, 62).Draw(t, "small sum"),
		}
		want, _ := new(big.Rat).SetFrac(
			new(big.Int).Mul(big.NewInt(c.sum), big.NewInt(1_000_000_000)),
			new(big.Int).Mul(new(big.Int).SetUint64(c.count), big.NewInt(spec.TickHz)),
		).Float64()
		require.Equal(t, want, s.meanNs(c))
	})
}
