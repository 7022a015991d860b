package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/trace"
)

// inDetail runs a program of a place in a detail.
func inDetail(t *testing.T, s RunSpec, d Detail) *trace.Run {
	t.Helper()
	s.Detail = d
	run, err := Run(context.Background(), s, nil)
	require.NoError(t, err)
	require.True(t, run.Manifest.Verified, run.Manifest.Verification)
	return run
}

// TestFastIsNearFull: where nothing contends for interfaces, and where an interface serves each node on its own, a
// fast run takes as long as one of the full model within 5 %. Acknowledgements of a card contend with what it sends, which LogGP
// does not have: here they take no time, and a unit takes longer than the library.
func TestFastIsNearFull(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	card, err := platform.Load("cx5-roce")
	require.NoError(t, err)
	card, err = card.With(platform.OverlayOf("acks", map[string]any{"verbs": map[string]any{"card": map[string]any{"ack_ns": 0.0, "entry_ns": 100.0}}}))
	require.NoError(t, err)
	quiet := filepath.Join(t.TempDir(), "cx5-roce.toml")
	require.NoError(t, os.WriteFile(quiet, []byte(card.Text()), 0o644))
	for _, c := range []struct {
		platform, layer, workload string
		nodes, bytes              int
		size                      int64
	}{
		{"shrimp", "vmmc", "pingpong", 2, 16, 0},
		{"shrimp", "vmmc", "pingpong", 2, 1024, 0},
		{"shrimp", "vmmc", "pingpong", 2, 16384, 0},
		{"shrimp", "vmmc", "stream", 2, 1024, 0},
		{"shrimp", "vmmc", "queue", 8, 0, 0},
		{"shrimp", "vmmc", "gauss", 8, 0, 128},
		{"ppro", "gam", "pingpong", 2, 1024, 0},
		{"ppro", "pm", "pingpong", 2, 256, 0},
		{quiet, "verbs", "stream", 2, 64, 0},
		{quiet, "verbs", "broadcast", 8, 64, 0}, // a unit for each of several queue pairs
		{quiet, "verbs", "incast", 8, 64, 0},    // more than three senders keep busy
	} {
		t.Run(fmt.Sprintf("%s %d of %s on %s", c.workload, c.bytes, c.layer, filepath.Base(c.platform)), func(t *testing.T) {
			s := DefaultRun(c.workload)
			s.Platform, s.Layer, s.Nodes, s.Size, s.Pattern.Bytes = c.platform, c.layer, c.nodes, c.size, c.bytes
			full, fast := inDetail(t, s, DetailFull), inDetail(t, s, DetailFast)
			require.InEpsilon(t, full.Manifest.RunTimeNs(), fast.Manifest.RunTimeNs(), 0.05)
		})
	}
}

// TestFastRunsAllPrograms: every program runs unchanged, gives the right result and the same run
// again, and its records say that they hold no packets.
func TestFastRunsAllPrograms(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for i, name := range ownPrograms() {
		place := [][2]string{{"ppro", "vmmc"}, {"ppro", "fm"}}[i%2]
		s := DefaultRun(name)
		s.Platform, s.Layer, s.Nodes, s.Size = place[0], place[1], 4, smallSizes[name]
		run := inDetail(t, s, DetailFast)
		again := inDetail(t, s, DetailFast)
		require.Equal(t, run.Manifest.EventDigest, again.Manifest.EventDigest, name)
		require.Equal(t, run.Manifest.Shares, again.Manifest.Shares, name)
		require.Equal(t, trace.DetailFast, run.Manifest.Detail)
		require.Positive(t, run.Manifest.Packets)
		require.Empty(t, run.Signature)
		require.Empty(t, run.Histograms)
		require.Nil(t, run.Packets)
		require.Contains(t, run.Manifest.Warnings[0], "no packets, no stages")
		doc := slices.IndexFunc(run.Extra, func(x trace.Extra) bool { return x.Name == costsFile })
		require.GreaterOrEqual(t, doc, 0)
		require.True(t, json.Valid(run.Extra[doc].Data))
	}
}

func TestFastRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*RunSpec)
		want   string
	}{
		{func(s *RunSpec) { s.Trace = TraceAll }, "trace is all"},
		{func(s *RunSpec) { s.Uncontended = []Resource{PCI} }, "uncontended is"},
		{func(s *RunSpec) { s.Policies = []Policy{MigrateHomes} }, "policies is"},
		{func(s *RunSpec) { s.Phases = []string{"start"} }, "phases is"},
		{func(s *RunSpec) { s.Faults.DropAck = 0.1 }, "faults is"},
		{func(s *RunSpec) { s.Workload, s.Broadcast = "gauss", "firmware" }, "broadcast is firmware, want separate or tree"},
	} {
		s := DefaultRun("fft")
		s.Detail = DetailFast
		c.change(&s)
		_, err := Run(context.Background(), s, nil)
		requireUsage(t, err, c.want)
	}
}

// TestBesides: a schedule with wildcards is compared too, patterns come in two sizes, each
// departure lies between those of its seeds, and what a place does not run has its reason.
func TestBesides(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := BesideSpec{Platform: "gm-p3", Nodes: 8, Seeds: Seeds{First: 3, N: 2}, Only: GOAL, Schedule: ScheduleSpec{File: "testdata/farm.goal"}}
	found, err := RunBesides(context.Background(), s, nil)
	require.NoError(t, err)
	require.Len(t, found.Rows, 1)
	require.InDelta(t, 0, found.Rows[0].Percent, 5)
	require.LessOrEqual(t, found.Rows[0].Least, found.Rows[0].Percent)
	require.GreaterOrEqual(t, found.Rows[0].Most, found.Rows[0].Percent)

	s.Only, s.Seeds.N = "pingpong", 1
	found, err = RunBesides(context.Background(), s, nil)
	require.NoError(t, err)
	require.Len(t, found.Rows, 2)
	require.Equal(t, "pingpong, 1024 B", found.Rows[1].Workload)

	s.Platform, s.Layer = "ppro", "bip"
	_, err = RunBesides(context.Background(), s, nil)
	requireUsage(t, err, "one that carries programs")
}
