package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

// BenchmarkSummarize64Nodes is the largest cluster: 4,032 pairs.
func BenchmarkSummarize64Nodes(b *testing.B) {
	snap := synth.Load{Seed: 1, Nodes: 64, Packets: map[int]int{64: 2, 4096: 2}}.Snapshot()
	for b.Loop() {
		Summarize(snap)
	}
}

// TestRowsOfPairsHaveALimit: beyond it there are none, and a warning says so,
// but the spread between pairs is still in the errors.
func TestRowsOfPairsHaveALimit(t *testing.T) {
	few := summarize(t, synth.Load{Seed: 1, Nodes: 20, Packets: map[int]int{64: 2}, PairNs: 2000, Exact: true})
	require.Len(t, few.Pairs, 20*19*5*2, "five stages, all sizes and one class")
	const nodes = 102
	many := summarize(t, synth.Load{Seed: 1, Nodes: nodes, Packets: map[int]int{64: 2}, PairNs: 2000, Exact: true})
	require.Empty(t, many.Pairs)
	require.Contains(t, strings.Join(many.Warnings, "\n"), fmt.Sprintf("rows of pairs: %d pairs of nodes, more than %d, exchanged packets", nodes*(nodes-1), maxPairs))
	r := classRow(t, many, trace.ClassUnder128, trace.Dest)
	require.EqualValues(t, nodes*(nodes-1)-1, r.DF)
	require.Greater(t, r.SENs.Value, 1.2*math.Sqrt(r.VarianceNs2.Value/float64(r.Count)))
}

// TestPairsOfAllSizesWidenToo: where SRAM holds pairs for all sizes together
// only, their spread widens the errors of all classes.
func TestPairsOfAllSizesWidenToo(t *testing.T) {
	l := synth.Load{Seed: 1, Nodes: 40, Packets: map[int]int{64: 2, 2048: 2}, PairNs: 2000, Exact: true}
	fine := summarize(t, l)
	l.Budget = 30 << 10
	snap := l.Snapshot()
	require.Equal(t, 1, snap.Layout().PairClasses())
	coarse := Summarize(snap)
	for _, class := range []string{trace.ClassUnder128, trace.Class1024} {
		for stage := range trace.NumStages {
			a, b := classRow(t, fine, class, stage), classRow(t, coarse, class, stage)
			plain := math.Sqrt(b.VarianceNs2.Value / float64(b.Count))
			require.Greater(t, a.SENs.Value, 1.2*plain)
			require.Greater(t, b.SENs.Value, 1.2*plain)
		}
	}
}

// TestRowsOfKindsHaveAllPackets: where SRAM holds sums by kind of several size bins together,
// these are one row.
func TestRowsOfKindsHaveAllPackets(t *testing.T) {
	l := synth.Load{Seed: 1, Nodes: 8, Packets: map[int]int{}}
	for size := 32; size <= 4096; size += 32 {
		l.Packets[size] = 1
	}
	for _, budget := range []int{0, 100 << 10, 60 << 10, 40 << 10, 30 << 10} {
		l.Budget = budget
		count := map[bool]int64{}
		for _, r := range summarize(t, l).Rows {
			if r.Stage == trace.Source && !r.First.OK {
				count[r.Kind == trace.AllKinds] += r.Count
			}
		}
		require.Positive(t, count[true])
		require.Equal(t, count[true], count[false], "budget %d", budget)
	}
}
