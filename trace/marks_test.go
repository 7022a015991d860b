package trace

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestMarksInFiles: marks that went to a file give the same rows as those in memory, also
// when rows are made meanwhile, and those that were forgotten give none.
func TestMarksInFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some, all := newMarks(rapid.IntRange(1, 5).Draw(t, "room")), NewMarks()
		at := int64(0)
		for range rapid.IntRange(0, 40).Draw(t, "calls") {
			node := rapid.IntRange(0, 2).Draw(t, "node")
			if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
				some.Forget(node)
				all.Forget(node)
				continue
			}
			at += rapid.Int64Range(0, 5).Draw(t, "gap")
			k := Mark{
				Node: node, Act: Act(rapid.IntRange(0, 3).Draw(t, "act")), Span: Span(rapid.IntRange(1, 4).Draw(t, "span")),
				Operation: OpSend, Step: StepRequest, AtNs: at,
			}
			if k.Act == ActPhase {
				k.Name, k.Span = "loop", 0
			}
			some.Add(k)
			all.Add(k)
			if rapid.IntRange(0, 9).Draw(t, "looks") == 0 {
				_, _, _, err := assembled(some, nil)
				require.NoError(t, err)
			}
		}
		spans, steps, open, err := assembled(some, nil)
		require.NoError(t, err)
		wantSpans, wantSteps, wantOpen, err := assembled(all, nil)
		require.NoError(t, err)
		require.Equal(t, wantSpans, spans)
		require.Equal(t, wantSteps, steps)
		require.Equal(t, wantOpen, open)
		require.NoError(t, CheckSteps(slices.Values(spans), slices.Values(steps)))
		for node := range 3 {
			some.Forget(node)
		}
		spans, _, open, err = assembled(some, nil)
		require.NoError(t, err)
		require.Empty(t, spans)
		require.Zero(t, open)
	})
}
