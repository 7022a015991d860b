package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/internal/synth"
)

// BenchmarkSummarize64Nodes is the largest cluster: 4,032 pairs.
func BenchmarkSummarize64Nodes(b *testing.B) {
	snap := synth.Load{Seed: 1, Nodes: 64, Packets: map[int]int{64: 2, 4096: 2}}.Snapshot()
	for b.Loop() {
		_, err := Summarize(snap)
		require.NoError(b, err)
	}
}
