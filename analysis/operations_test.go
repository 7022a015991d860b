package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// fetches makes page fetches that take 10, 20, … µs: a tenth in the trap, the
// rest in a request and, of every other, in a reply, twice.
func fetches(n int) (spans []trace.SpanRow, stages []trace.StepRow) {
	var marks []trace.Mark
	for i := range n {
		s, at, whole := trace.Span(i+1), int64(i)*1_000_000, int64(i+1)*10_000
		mark := func(act trace.Act, step trace.Step, tenths int64) {
			marks = append(marks, trace.Mark{Span: s, Act: act, Operation: trace.OpPageFetch, Step: step, AtNs: at + whole*tenths/10})
		}
		mark(trace.ActBegin, trace.StepTrap, 0)
		mark(trace.ActStep, trace.StepRequest, 1)
		if i%2 == 1 {
			mark(trace.ActStep, trace.StepReply, 4)
			mark(trace.ActStep, trace.StepHandler, 5)
			mark(trace.ActStep, trace.StepReply, 6)
		}
		mark(trace.ActEnd, "", 10)
	}
	for node := range 2 {
		marks = append(marks, trace.Mark{Node: node, Act: trace.ActPhase, Name: "zeal"}, trace.Mark{Node: node, Act: trace.ActPhase, Name: "awe", AtNs: 50}, trace.Mark{Node: node, Act: trace.ActPhase, AtNs: 80})
	}
	spans, stages, _, _ = trace.MarksOf(marks...).Assemble(nil)
	return spans, stages
}

func TestOperations(t *testing.T) {
	spans, stages := fetches(100)
	got := Operations(spans, stages)
	require.Len(t, got, 3)
	o := got[0]
	require.Equal(t, "page_fetch", o.Operation)
	require.EqualValues(t, 100, o.Duration.Count())
	require.Equal(t, 505_000.0, o.Duration.MeanNs())
	require.EqualValues(t, 500_000, o.Duration.Percentile(50))
	require.EqualValues(t, 990_000, o.Duration.Percentile(99))
	require.EqualValues(t, 1_000_000, o.Duration.Percentile(100))
	var names []string
	var counts []int64
	share, sum := 0.0, int64(0)
	for _, s := range o.Stages {
		names, counts = append(names, s.Stage), append(counts, s.Count())
		share += s.Share
		sum += s.SumNs
	}
	require.Equal(t, []string{"trap", "request", "reply", "handler"}, names)
	require.Equal(t, []int64{100, 100, 50, 50}, counts)
	require.InDelta(t, 1, share, 1e-12)
	require.Equal(t, o.Duration.SumNs, sum)
	require.InDelta(t, 0.1, o.Stages[0].Share, 1e-12)
	require.EqualValues(t, 500_000, o.Stages[2].Percentile(100), "1 ms: 0.1 and 0.4")

	require.Equal(t, "zeal", got[1].Name, "phases in the order of time")
	require.Equal(t, "awe", got[2].Name)
	require.EqualValues(t, 2, got[2].Duration.Count())
	require.Empty(t, got[2].Stages)
	require.Empty(t, Operations(nil, nil))
}
