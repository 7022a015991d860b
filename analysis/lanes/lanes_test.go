package lanes

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// TestBusyCountsEachInstantOnce: as a count instant by instant does.
func TestBusyCountsEachInstantOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Busy
		var covered [60]bool
		for range rapid.IntRange(0, 8).Draw(t, "intervals") {
			from := rapid.IntRange(0, 50).Draw(t, "from")
			to := from + rapid.IntRange(0, 9).Draw(t, "length")
			b.Add(int64(from), int64(to))
			for i := from; i < to; i++ {
				covered[i] = true
			}
		}
		b.Done()
		from := rapid.IntRange(0, 59).Draw(t, "begin")
		to := rapid.IntRange(from, 59).Draw(t, "end")
		var want int64
		for i := from; i < to; i++ {
			if covered[i] {
				want++
			}
		}
		require.Equal(t, want, b.Covered(int64(from), int64(to)))
	})
}

// TestLanesOfALog: a packet waits for an engine that another one has, while a process waits
// for it in a page fetch.
func TestLanesOfALog(t *testing.T) {
	const us = 1e6 // ps
	log := waits.NewLog()
	thread := log.Begin(waits.Actor{Type: waits.Process, Name: "thread 0"}, waits.Interval{Resource: waits.CPU})
	first := log.Begin(waits.Actor{Kind: trace.Data, Peer: 1, Cause: thread}, waits.Interval{Resource: waits.HostDMA, Begin: 2 * us})
	log.Hold(waits.Hold{Resource: waits.HostDMA, Actor: first, Begin: 2 * us, End: 6 * us})
	log.Turn(thread, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 3 * us}, 0)
	second := log.Begin(waits.Actor{Kind: trace.Data, Peer: 1, Cause: thread}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Begin: 4 * us})
	log.End(first, 6*us)
	log.Turn(second, waits.Interval{Resource: waits.HostDMA, Begin: 6 * us}, 0)
	log.End(second, 8*us)
	log.Turn(thread, waits.Interval{Resource: waits.CPU, Begin: 8 * us}, second)
	log.Finish(10 * us)
	account, err := account.Resolve(log)
	require.NoError(t, err)
	spans := []trace.SpanRow{
		{Operation: string(trace.OpPhase), Name: "all", EndNs: 10_000},
		{Span: 1, Operation: string(trace.OpPageFetch), BeginNs: 3000, EndNs: 8000},
		{Span: 2, Operation: string(trace.OpBarrier), Parent: 1, BeginNs: 3000, EndNs: 8000},
		{Span: 3, Operation: string(trace.OpBarrier), Node: 7, EndNs: 8000},
	}
	programs := New(2)
	for part := range slices.Chunk(spans, 3) {
		programs.AddSpans(part)
	}
	programs.Done()
	l := programs.With(account)
	shares := func(p Part, from, to int64) [2]float64 {
		busy, waited := l.Shares(0, p, from, to)
		return [2]float64{busy, waited}
	}
	require.Equal(t, [2]float64{0.5, 0.5}, shares(Program, 0, 10_000))
	require.Equal(t, [2]float64{0.6, 0.2}, shares(Engines, 0, 10_000))
	require.Equal(t, [2]float64{1, 1}, shares(Engines, 4500, 5500))
	require.Equal(t, [2]float64{}, shares(Processor, 0, 10_000))
	name, share := l.Operation(0, 0, 10_000)
	require.Equal(t, string(trace.OpPageFetch), name)
	require.Equal(t, 0.5, share)
	name, _ = l.Operation(1, 0, 10_000)
	require.Empty(t, name)
	_, waited := programs.Shares(0, Program, 0, 10_000)
	require.Zero(t, waited)
}
