package export

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/report/export/perfetto"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// stored writes a run directory.
func stored(t *testing.T, run trace.Run) string {
	t.Helper()
	run.Manifest = synth.Manifest(4)
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.WriteRun(context.Background(), dir, run))
	return dir
}

func fileNames(files []rundir.Part) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

func TestFilesAreThoseThatTheRunHas(t *testing.T) {
	dir := stored(t, trace.Run{})
	for _, c := range []struct {
		s    Spec
		want []string
	}{
		{Spec{To: Parquet}, []string{"signature.parquet", "classes.parquet", "pairs.parquet", "histograms.parquet", "clock.parquet"}},
		{Spec{To: CSV, Tables: []string{"clock", "pairs"}}, []string{"pairs.csv", "clock.csv", "columns.csv", "run.csv"}},
	} {
		c.s.Dir = dir
		files, err := c.s.Files(context.Background())
		require.NoError(t, err)
		require.Equal(t, c.want, fileNames(files))
	}
}

func TestRefused(t *testing.T) {
	dir := stored(t, trace.Run{})
	for _, c := range []struct {
		s    Spec
		want string
	}{
		{Spec{Dir: dir, To: Perfetto}, "trace of " + dir + ": the run has none: record it with sigview run --trace"},
		{Spec{Dir: dir, To: HLog}, "histograms of " + dir + ": the run has none"},
		{Spec{Dir: dir, To: CSV, Tables: []string{"packets"}}, "table packets: the run has none, it has [signature classes pairs histograms clock]"},
		{Spec{Dir: dir, To: CSV, Tables: []string{"packet"}}, `unknown table "packet", did you mean "packets"?`},
		{Spec{Dir: dir, To: HLog, Tables: []string{"clock"}}, "hlog has none, wanted parquet or csv"},
		{Spec{Dir: filepath.Dir(dir), To: CSV}, "run.json: no such file"},
	} {
		_, err := c.s.Files(context.Background())
		require.ErrorContains(t, err, c.want)
	}
}

func TestSeveralRuns(t *testing.T) {
	set := t.TempDir()
	for seed := range uint64(2) {
		run := trace.Run{Manifest: synth.Manifest(4)}
		run.Manifest.Seed = seed + 7
		var log bytes.Buffer
		one, _ := histo.Values(maps.All(map[int64]int64{1: 1}))
		require.NoError(t, histo.WriteLog(&log, time.Time{}, []histo.Interval{{Tag: "a", Hist: one}}))
		run.Extra = []trace.Extra{{Name: "latency.hlog", Data: log.Bytes()}}
		require.NoError(t, rundir.WriteRun(t.Context(), rundir.SeedDir(set, seed+7), run))
	}
	files, err := Spec{Dir: set, To: HLog}.Files(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"seed-7.hlog", "seed-8.hlog"}, fileNames(files))
	files, err = Spec{Dir: set, To: Parquet, Tables: []string{"clock"}}.Files(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"seed=7/clock.parquet", "seed=8/clock.parquet"}, fileNames(files))
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, rundir.WriteDir(t.Context(), out, files))
	require.FileExists(t, filepath.Join(out, "seed=8", "clock.parquet"))
}

func TestInterruptedExportEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	files, err := Spec{Dir: stored(t, trace.Run{}), To: Parquet}.Files(ctx)
	require.NoError(t, err)
	cancel()
	require.ErrorIs(t, files[0].Write(&bytes.Buffer{}), context.Canceled)
}

// TestOperationsWithinOperations: one that is part of another lies in the step that covers
// it; one that overlaps another has a track of its own.
func TestOperationsWithinOperations(t *testing.T) {
	spans := []trace.SpanRow{
		{Span: 1, Operation: "barrier", Node: 1, BeginNs: -100, EndNs: 900, DurationNs: 1000},
		{Span: 2, Operation: "diff_flush", Node: 1, Parent: 1, BeginNs: -100, EndNs: 200, DurationNs: 300},
		{Span: 3, Operation: "diff_flush", Node: 1, Parent: 1, BeginNs: 150, EndNs: 400, DurationNs: 250}, // overlaps 2
		{Span: 4, Operation: "diff_flush", Node: 1, Parent: 1, BeginNs: 200, EndNs: 500, DurationNs: 300},
		{Span: 5, Operation: "diff_flush", Node: 1, Parent: 1, BeginNs: 450, EndNs: 700, DurationNs: 250}, // in no step
	}
	steps := []trace.StepRow{
		{Span: 1, Operation: "barrier", Step: "flush", Node: 1, BeginNs: -100, DurationNs: 600},
		{Span: 1, Operation: "barrier", Order: 1, Step: "gather", Node: 2, BeginNs: 500, DurationNs: 400},
	}
	for i, s := range spans[1:] {
		steps = append(steps, trace.StepRow{Span: int64(i + 2), Operation: s.Operation, Step: "request", Node: 1, BeginNs: s.BeginNs, DurationNs: s.DurationNs})
	}
	f := newForest(spans, steps)
	require.Equal(t, []int{0, 2, 4}, f.roots)
	require.Equal(t, map[int][]int{0: {1, 3}}, f.children)

	var b bytes.Buffer
	line := timeline{w: perfetto.New(&b), nodes: make([]perfetto.Track, 4), from: -100, m: synth.Manifest(4)}
	f.write(&line)
	require.NoError(t, line.w.Err())
	require.Equal(t, []string{"0 begin", "0 begin", "0 begin", "0 begin", "300 end", "300 end", "300 begin", "300 begin", "600 end", "600 end", "600 end", "600 begin", "1000 end", "1000 end"},
		events(t, b.Bytes(), 1))
	require.Equal(t, []string{"250 begin", "250 begin", "500 end", "500 end", "550 begin", "550 begin", "800 end", "800 end"}, events(t, b.Bytes(), 2))
}

// events lists the begins and ends on a track of a trace.
func events(t *testing.T, data []byte, track uint64) (list []string) {
	each(t, data, func(_ protowire.Number, packet []byte, _ uint64) {
		var time, on, kind uint64
		each(t, packet, func(field protowire.Number, event []byte, v uint64) {
			switch field {
			case 8:
				time = v
			case 11:
				each(t, event, func(field protowire.Number, _ []byte, v uint64) {
					switch field {
					case 9:
						kind = v
					case 11:
						on = v
					}
				})
			}
		})
		if on == track {
			list = append(list, strconv.FormatUint(time, 10)+map[uint64]string{1: " begin", 2: " end"}[kind])
		}
	})
	return list
}

// each calls take with the fields of a message.
func each(t *testing.T, message []byte, take func(field protowire.Number, bytes []byte, v uint64)) {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		require.Positive(t, n)
		message = message[n:]
		var content []byte
		var v uint64
		switch kind {
		case protowire.BytesType:
			content, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(message)
		default:
			n = protowire.ConsumeFieldValue(field, kind, message)
		}
		require.Positive(t, n)
		take(field, content, v)
		message = message[n:]
	}
}

// TestPacketsOnTheWireOnly: where two instants of a packet are known, Net is a slice, also one that clocks make negative; a trace
// without slices is refused.
func TestPacketsOnTheWireOnly(t *testing.T) {
	row := func(number, t3 int64, t5 trace.Opt[int64]) trace.PacketRow {
		r := trace.PacketRow{Kind: "data", Receiver: 1, Number: number, T3Ns: trace.Some(t3), T5Ns: t5}
		if t5.OK {
			r.NetNs = trace.Some(t5.Value - t3)
		}
		return r
	}
	write := func(rows ...trace.PacketRow) (text []byte, err error) {
		files, err := Spec{Dir: stored(t, trace.Run{Packets: slices.Values(rows)}), To: Perfetto}.Files(t.Context())
		require.NoError(t, err)
		var b bytes.Buffer
		err = files[0].Write(&b)
		return b.Bytes(), err
	}
	lost := row(0, 50, trace.Opt[int64]{})
	_, err := write(lost)
	require.ErrorContains(t, err, "the run has none: of no packet there are two times")
	text, err := write(lost, row(1, 100, trace.Some[int64](400)), row(2, 500, trace.Some[int64](450)))
	require.NoError(t, err)
	require.Equal(t, []string{"100 begin", "400 end", "500 begin", "500 end"}, events(t, text, 5))
}
