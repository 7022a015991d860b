package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

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

// TestFastIsNearFull: where nothing contends for interfaces, a fast run takes as long as one of
// the full model within 5 %.
func TestFastIsNearFull(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
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
	} {
		t.Run(fmt.Sprintf("%s %d of %s on %s", c.workload, c.bytes, c.layer, c.platform), func(t *testing.T) {
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
		doc := slices.IndexFunc(run.Extra, func(x trace.Extra) bool { return x.Name == CostsFile })
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
