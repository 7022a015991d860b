package collect_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// records is what two nodes hold that are no simulated ones.
func records(t *testing.T) collect.Records {
	t.Helper()
	packets := trace.NewJoiner()
	packets.Add([]trace.Half{
		{Receiver: 1, Number: 1, Bytes: 64, Span: 5, Kind: trace.Data, First: true, Sent: true, At: [4]int64{100, 200, 300, 400}},
		{Receiver: 1, Number: 2, Bytes: 64, Kind: trace.Data, First: true, Sent: true, At: [4]int64{500, 600, 700, 800}},
		{Receiver: 1, Number: 1, Bytes: 64, Span: 5, Kind: trace.Data, First: true, At: [4]int64{300, 500, 600, 10}},
	})
	marks := trace.NewMarks()
	marks.Add(trace.Mark{Act: trace.ActBegin, Span: 5, Operation: trace.OpSend, Step: trace.StepRequest, AtNs: 90})
	marks.Add(trace.Mark{Act: trace.ActEnd, Span: 5, AtNs: 900})
	return collect.Records{
		Manifest: trace.Manifest{
			Seed: 7, Workload: "copy", Platform: trace.Platform{Name: "lab", Digest: "none"}, Nodes: 2, Spec: []byte(`{}`),
			SimulatedNs: 1_000_000, Lost: trace.Lost{Dropped: 1}, Warnings: []string{"first"},
		},
		Programs:   []collect.Program{{Name: "copy", TookNs: 900, How: "compared", Shares: []trace.Shares{{RunTimeNs: 900, ComputingNs: 900}}}},
		Histograms: synth.Unloaded().Snapshot(),
		Nodes: []collect.Node{
			{
				Packets: 3, Dropped: 2, Firmware: map[trace.Kind]uint64{trace.Ack: 1},
				Clock: collect.Clock{Rounds: 4, Messages: 9, Conversions: 10, Covered: 10, WorstNs: 100},
			},
			{
				Packets: 4, Corrupted: 5, Retransmitted: 6, Unconverted: 1, Firmware: map[trace.Kind]uint64{trace.Ack: 2, trace.ClockReply: 4},
				Clock: collect.Clock{Messages: 1, Conversions: 10, Covered: 5, WorstNs: 250.4},
				Log: trace.Log{
					Lost: 5, Gaps: []trace.Gap{{Lost: 2, Why: trace.RingFull}, {Lost: 3, Why: trace.NoClock}},
				},
			},
		},
		Estimator: "improved",
		Clock:     []trace.ClockRow{{Estimator: "improved", Node: 1}},
		Packets:   packets, Marks: marks,
	}
}

// TestRunOfPlainRecords: records that no simulator made become a run directory
// that can be written and read.
func TestRunOfPlainRecords(t *testing.T) {
	run, err := collect.Run(records(t))
	require.NoError(t, err)
	m := run.Manifest
	require.True(t, m.Verified)
	require.Equal(t, "compared", m.Verification)
	require.Equal(t, []trace.Program{{Name: "copy", RunTimeNs: 900, Verified: true, Verification: "compared"}}, m.Tags)
	require.EqualValues(t, 7, m.Packets)
	require.Equal(t, map[string]int64{"ack": 3, "clock-reply": 4}, m.FirmwarePackets)
	require.Equal(t, trace.Lost{Dropped: 3, Corrupted: 5, Retransmitted: 6, Unconverted: 1, TraceRecords: 5}, m.Lost)
	require.EqualValues(t, 4, m.Clock.Rounds)
	require.EqualValues(t, 10, m.Clock.Messages)
	require.Equal(t, 0.75, *m.Clock.BoundCoverage)
	require.Equal(t, 250., *m.Clock.MaxErrorNs)
	require.Len(t, m.Warnings, 3)
	require.Contains(t, m.Warnings[2], "of 1 packets only one end")

	require.NotEmpty(t, run.Signature)
	require.NotEmpty(t, run.Histograms)
	require.Len(t, run.Clock, 1)
	packets := slices.Collect(run.Packets)
	require.Len(t, packets, 2)
	require.EqualValues(t, 100, packets[0].T1Ns.Value)
	require.EqualValues(t, 600, packets[0].T6Ns.Value)
	require.Len(t, run.Gaps, 2)
	require.Equal(t, trace.GapRow{Node: 1, Lost: 2, Why: trace.RingFull}, run.Gaps[0])
	spans := slices.Collect(run.Spans)
	require.Len(t, spans, 1)
	require.EqualValues(t, 810, spans[0].DurationNs)
	require.EqualValues(t, 1, spans[0].Packets)
	require.Equal(t, "latency.hlog", run.Extra[0].Name)
	require.Equal(t, "operations.hlog", run.Extra[1].Name)
	require.Contains(t, string(run.Extra[1].Data), "Tag=tag0.message,")

	dir := t.TempDir() + "/run"
	require.NoError(t, rundir.WriteRun(context.Background(), dir, *run))
	back, err := rundir.ReadRun(dir)
	require.NoError(t, err)
	require.Equal(t, run.Signature, back.Signature)
	require.Equal(t, spans, slices.Collect(back.Spans))
}

// TestRunWithoutMonitor: there is no signature, and a warning says so.
func TestRunWithoutMonitor(t *testing.T) {
	r := records(t)
	r.Histograms = nil
	run, err := collect.Run(r)
	require.NoError(t, err)
	require.Empty(t, run.Signature)
	require.Empty(t, run.Extra)
	require.Nil(t, run.Packets)
	require.Contains(t, run.Manifest.Warnings[1], "there is no signature")
	require.EqualValues(t, 7, run.Manifest.Packets)
}

// TestRunThatWasNotTraced has neither packets nor operations.
func TestRunThatWasNotTraced(t *testing.T) {
	r := records(t)
	r.Packets, r.Marks = nil, nil
	run, err := collect.Run(r)
	require.NoError(t, err)
	require.Nil(t, run.Packets)
	require.Nil(t, run.Spans)
	require.Equal(t, []string{"first"}, run.Manifest.Warnings)
	require.EqualValues(t, 1, run.Manifest.Lost.Unconverted)
}

// TestWrongProgram: one wrong result makes the run unverified; each program
// says how it went.
func TestWrongProgram(t *testing.T) {
	r := records(t)
	r.Programs = append(r.Programs, collect.Program{Name: "sort", Wrong: errors.New("3 keys differ")})
	run, err := collect.Run(r)
	require.NoError(t, err)
	require.False(t, run.Manifest.Verified)
	require.Equal(t, "copy: compared; sort: 3 keys differ", run.Manifest.Verification)
	require.True(t, run.Manifest.Tags[0].Verified)
	require.Equal(t, trace.Program{Tag: 1, Name: "sort", Verification: "3 keys differ"}, run.Manifest.Tags[1])
}
