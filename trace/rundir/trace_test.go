package rundir

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// tracedRun has a packet, an operation of two stages, and a phase.
func tracedRun() trace.Run {
	run := sampleRun()
	half := trace.Half{Sender: 1, Receiver: 0, Number: 1 << 31, Kind: trace.PageRequest, Span: 3, Bytes: 32, Sent: true, At: [4]int64{-5, 10, 11, 20}}
	j := trace.NewJoiner()
	j.Add([]trace.Half{half})
	run.Packets, _ = j.Rows()
	a, err := trace.MarksOf([]trace.Mark{
		{Node: 1, Span: 3, Act: trace.ActBegin, Operation: trace.OpPageFetch, Step: trace.StepTrap, AtNs: 5},
		{Node: 1, Span: 3, Act: trace.ActStep, Step: trace.StepRequest, AtNs: 15},
		{Node: 1, Span: 3, Act: trace.ActEnd, AtNs: 50},
		{Node: 1, Act: trace.ActPhase, Name: "transpose 1"},
		{Node: 1, Act: trace.ActPhase, AtNs: 60},
	}...).Assemble(run.Packets)
	if err != nil {
		panic(err)
	}
	run.Spans, run.Steps = a.Spans(), a.Steps()
	return run
}

func packetsOf(t *testing.T, dir string) []trace.PacketRow {
	t.Helper()
	out := []trace.PacketRow{}
	require.NoError(t, Scan(dir, func(rows []trace.PacketRow) error { out = append(out, rows...); return nil }))
	return out
}

func TestTracedRunRoundTrip(t *testing.T) {
	want := tracedRun()
	require.Len(t, slices.Collect(want.Spans), 2)
	require.Len(t, slices.Collect(want.Steps), 2)
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, want))
	got, err := ReadRun(dir)
	require.NoError(t, err)
	require.Equal(t, slices.Collect(want.Packets), packetsOf(t, dir))
	require.Equal(t, slices.Collect(want.Spans), slices.Collect(got.Spans))
	require.Equal(t, slices.Collect(want.Steps), slices.Collect(got.Steps))

	empty := sampleRun()
	empty.Packets = slices.Values([]trace.PacketRow{})
	dir = filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, empty))
	got, err = ReadRun(dir)
	require.NoError(t, err)
	require.Equal(t, []trace.PacketRow{}, packetsOf(t, dir), "traced, but no packets")
	require.Nil(t, got.Spans, "not traced")
}

// TestStagesHaveToSum: neither written nor read otherwise.
func TestStagesHaveToSum(t *testing.T) {
	run := tracedRun()
	steps := slices.Collect(run.Steps)
	steps[0].DurationNs--
	run.Steps = slices.Values(steps)
	dir := filepath.Join(t.TempDir(), "run")
	require.ErrorContains(t, WriteRun(context.Background(), dir, run), "the end of the stage before it")
	_, err := os.Stat(dir)
	require.ErrorIs(t, err, os.ErrNotExist)

	run = tracedRun()
	require.NoError(t, WriteRun(context.Background(), dir, run))
	steps, spans := slices.Collect(run.Steps), slices.Collect(run.Spans)
	other := filepath.Join(t.TempDir(), "other")
	spans[1].EndNs, spans[1].DurationNs = 15, 10
	run.Spans, run.Steps = slices.Values(spans), slices.Values(steps[:1])
	require.NoError(t, WriteRun(context.Background(), other, run))
	require.NoError(t, os.Rename(filepath.Join(other, "stages.arrow"), filepath.Join(dir, "stages.arrow")))
	_, err = ReadRun(dir)
	require.ErrorContains(t, err, "stages.arrow")
}
