package analysis

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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
	a, err := trace.MarksOf(marks...).Assemble(nil)
	if err != nil {
		panic(err)
	}
	return slices.Collect(a.Spans()), slices.Collect(a.Steps())
}

func TestOperations(t *testing.T) {
	spans, stages := fetches(100)
	got := Operations(slices.Values(spans), slices.Values(stages))
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

// TestOperationSums: batches of any length make no difference.
func TestOperationSums(t *testing.T) {
	spans, stages := fetches(20)
	want := Operations(slices.Values(spans), slices.Values(stages))
	rapid.Check(t, func(t *rapid.T) {
		var sums OperationSums
		for rows := range slices.Chunk(spans, rapid.IntRange(1, len(spans)).Draw(t, "spans")) {
			sums.AddSpans(rows)
		}
		for rows := range slices.Chunk(stages, rapid.IntRange(1, len(stages)).Draw(t, "steps")) {
			sums.AddSteps(rows)
		}
		require.Equal(t, want, sums.Done())
	})
}

// TestTimes compares durations in bins with the same durations sorted.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		highest := int64(1) << rapid.IntRange(1, 40).Draw(t, "bits")
		all := rapid.SliceOfN(rapid.Int64Range(-100, highest), 1, 300).Draw(t, "ns")
		var times Times
		sum := int64(0)
		for _, ns := range all {
			times.add(ns)
			sum += ns
		}
		times.settle()
		slices.Sort(all)
		require.EqualValues(t, len(all), times.Count())
		require.Equal(t, sum, times.SumNs)
		for p := 1; p <= 100; p++ {
			want := all[(p*len(all)+99)/100-1]
			got := times.Percentile(p)
			require.GreaterOrEqual(t, got, want)
			require.LessOrEqual(t, float64(got-want), math.Abs(float64(want))/1000, "p%d of %v", p, all)
		}
		require.Equal(t, all[len(all)-1], times.Percentile(100))
	})
}

// TestTimesInBoundedMemory: a million durations up to a second are in no more bins than three
// digits have.
func TestTimesInBoundedMemory(t *testing.T) {
	var times Times
	for i := range int64(1_000_000) {
		times.add(i * 1000)
	}
	require.LessOrEqual(t, len(times.bins), 2048+19*1024, "1 s has 30 bits, 19 more than 2048 ns")
}
