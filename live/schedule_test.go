package live

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// packet is a row of a message that was sent at a time.
func packet(from, to, at, bytes int64) trace.PacketRow {
	t, none := trace.Some(at), trace.Some[int64](0)
	return trace.PacketRow{
		Kind: "data", Sender: from, Receiver: to, SizeBytes: bytes, T1Ns: t, T2Ns: t, T3Ns: t, T4Ns: t, SourceNs: none, LANaiNs: none,
	}
}

// written writes a run of messages and returns its directory.
func written(t *testing.T, nodes int, rows ...trace.PacketRow) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.WriteRun(t.Context(), dir, trace.Run{Manifest: synth.Manifest(nodes), Packets: slices.Values(rows)}))
	return dir
}

func replay(dir string) Spec {
	s := Default()
	s.Pattern, s.Replayed, s.Stretch = Replay, dir, 1
	return s
}

// TestReadSchedule: messages of a run by sender, at times since the first one, with nodes and sizes that
// there are.
func TestReadSchedule(t *testing.T) {
	received := trace.PacketRow{Kind: "data", Sender: 1, Receiver: 0, SizeBytes: 64, T3Ns: trace.Some[int64](1500)}
	dir := written(t, 4,
		packet(0, 1, 2000, 64), packet(0, 2, 900, 64), // 2 is 0 here
		packet(2, 3, 1000, 4), packet(0, 1, 2000, 100), packet(3, 0, 1001, 70_000), received)
	s, err := readSchedule(dir, 2, 1)
	require.NoError(t, err)
	require.Equal(t, &schedule{
		nodes:  [][]Message{{{0, 1, 16}, {1000, 1, 64}, {1000, 1, 100}}, {{1, 0, 60_000}, {500, 0, 64}}},
		within: 1, resized: 2,
	}, s)
	require.Equal(t, []int64{16, 64, 100, 60_000}, s.sizes())
	require.Equal(t, []string{
		"1 messages are left out: one of the 2 nodes stands for both of theirs",
		"2 messages have other sizes than in the run that is replayed: the nearest one of 16 to 60000 bytes",
	}, s.warnings())
	s, err = readSchedule(dir, 4, 2.5)
	require.NoError(t, err)
	require.Equal(t, [][]Message{{{0, 2, 64}, {2750, 1, 64}, {2750, 1, 100}}, {{1500, 0, 64}}, {{250, 3, 16}}, {{252, 0, 60_000}}}, s.nodes)
}

// TestManySizes: of many sizes a run names the smallest, the quartiles and the largest.
func TestManySizes(t *testing.T) {
	var rows []trace.PacketRow
	for i := range int64(101) {
		rows = append(rows, packet(i%2, 1-i%2, i, 100+i))
	}
	spec, err := replay(written(t, 2, rows...)).filled(2)
	require.NoError(t, err)
	require.Equal(t, []int64{100, 125, 150, 175, 200}, spec.Sizes)
	require.Equal(t, 101, spec.Count)
	require.NoError(t, spec.Validate())
}

func TestWrongSchedules(t *testing.T) {
	untraced := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.WriteRun(t.Context(), untraced, trace.Run{Manifest: synth.Manifest(2)}))
	for want, dir := range map[string]string{
		"want a run with a table of single messages, as sigview run --trace and sigview live leave it": untraced,
		"want a run with single messages: run directory":                                               t.TempDir(),
		"nodes that are not the same one of 2":                                                         written(t, 3, packet(0, 2, 1, 64)),
		"the messages of":                                                                              written(t, 2, packet(0, 1, -1<<62, 64), packet(1, 0, 1<<62, 64)),
	} {
		_, err := Loopback(t.Context(), replay(dir), nil)
		require.ErrorContains(t, err, want)
		var usage interface{ Usage() bool }
		require.ErrorAs(t, err, &usage)
	}
	var many []trace.PacketRow
	for i := range int64(MostMessages + 1) {
		many = append(many, packet(0, 1, i, 64))
	}
	_, err := readSchedule(written(t, 2, many...), 2, 1)
	require.ErrorContains(t, err, "want a run of at most 1000000 messages between nodes")
	_, err = readSchedule(written(t, 2, many[1:]...), 2, 1)
	require.NoError(t, err)
}

// TestReplay: each message of a run of three nodes, between which no two have the same size, is sent at
// its time between two ends, and arrives.
func TestReplay(t *testing.T) {
	rows := []trace.PacketRow{packet(2, 0, 0, 64)}
	for i := range int64(100) {
		rows = append(rows, packet(i%3, (i+1)%3, 7_000_000+i*i*1000, 100+i))
	}
	rows = append(rows, packet(1, 2, 20_000_000, 70_000))
	dir := written(t, 3, rows...)
	for i, protocol := range stamps.Protocol("").All() {
		spec := replay(dir)
		spec.Protocol, spec.Stretch = protocol, float64(1+i)
		spec, err := spec.filled(2)
		require.NoError(t, err)
		run, err := loopback(context.Background(), spec, nil)
		require.NoError(t, err)
		m := run.Manifest
		require.EqualValues(t, 68, m.Packets) // a third is from node 2 to 0
		require.Zero(t, m.Lost.Dropped)
		if protocol == stamps.UDP {
			require.Zero(t, m.Lost.NotRecorded) // TCP merges what is late
		}
		require.Contains(t, fmt.Sprint(m.Warnings), "34 messages are left out")
		require.Contains(t, fmt.Sprint(m.Warnings), "1 messages have other sizes")
		var said Spec
		require.NoError(t, json.Unmarshal(m.Spec, &said))
		require.Equal(t, []any{Pattern(Replay), dir, 68, 0}, []any{said.Pattern, said.Replayed, said.Count, said.Warm})

		began := map[int64]int64{} // by sender
		n := int64(0)
		for p := range run.Packets {
			require.NoError(t, trace.CheckRow(&p))
			of := spec.schedule.nodes[p.Sender]
			k := slices.IndexFunc(of, func(m Message) bool { return int64(m.Bytes) == p.SizeBytes })
			require.EqualValues(t, of[k].To, p.Receiver)
			begin := p.T1Ns.Value - of[k].At
			if n++; began[p.Sender] == 0 {
				began[p.Sender] = begin
			}
			require.Equal(t, began[p.Sender], begin, "%+v", p)
		}
		require.Equal(t, m.Packets, n+m.Lost.NotRecorded)
		require.Len(t, began, 2)
	}
}

// TestReplayIsStopped: a node that waits for a message of a later hour ends when the run does.
func TestReplayIsStopped(t *testing.T) {
	for _, wait := range Wait("").All() {
		spec := replay(written(t, 2, packet(0, 1, 0, 64), packet(0, 1, 3600e9, 64), packet(1, 0, 7200e9, 64)))
		spec.Wait = wait
		spec, err := spec.filled(2)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		_, err = loopback(ctx, spec, func(p Progress) {
			require.EqualValues(t, 3, p.Total)
			cancel()
		})
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestReplayBesideBaseline: round trips of the sizes that were replayed are the baseline.
func TestReplayBesideBaseline(t *testing.T) {
	run, err := Loopback(t.Context(), replay(written(t, 2, packet(0, 1, 0, 64), packet(1, 0, 1000, 64), packet(1, 0, 9000, 64))), nil)
	require.NoError(t, err)
	judged := 0
	for _, r := range run.Signature {
		if r.BaselineNs.OK {
			judged++
		}
	}
	require.Positive(t, judged)
	require.Len(t, run.Manifest.Cost.Modes, 4)
}

func TestWrongMessages(t *testing.T) {
	for want, all := range map[string][]Message{
		"schedule[0].at is -1, want at least 0, as the message before it":      {{-1, 0, 64}},
		"schedule[1].at is 4, want at least 5, as the message before it":       {{5, 0, 64}, {4, 0, 64}},
		"schedule[0].to is 1, want another node than 1 of 3":                   {{0, 1, 64}},
		"schedule[0].to is 3, want another node than 1 of 3":                   {{0, 3, 64}},
		"schedule[1].bytes is 15, want 16 to 60000 bytes":                      {{0, 2, 16}, {0, 2, 15}},
		fmt.Sprintf("schedule[0].bytes is %d, want 16 to 60000 bytes", 1+Most): {{0, 0, 1 + Most}},
	} {
		require.EqualError(t, checkMessages(all, 1, 3), want)
	}
	require.NoError(t, checkMessages([]Message{{0, 0, Least}, {0, 2, Most}}, 1, 3))
}
