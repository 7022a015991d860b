package explain

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/usercache"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/rundir"
)

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

// TestKeptExplanationIsTheSame: what has been kept equals what is made anew, and is not made again.
func TestKeptExplanationIsTheSame(t *testing.T) {
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size, spec.Trace = 2, 1024, experiment.TraceWaits
	run, err := experiment.Run(t.Context(), spec, nil)
	require.NoError(t, err)
	dir := t.TempDir() + "/run"
	require.NoError(t, rundir.WriteRun(t.Context(), dir, *run))
	read, err := ReadSummary(dir)
	require.NoError(t, err)
	account, err := ReadWaits(dir, nil)
	require.NoError(t, err)
	cache := usercache.Cache(t.TempDir())
	made, err := keptBrief(cache, dir, read, account)
	require.NoError(t, err)
	require.NotEmpty(t, made.Findings)
	kept, err := keptBrief(cache, dir, read, nil) // without who waited for whom it could not be made as fast
	require.NoError(t, err)
	again, err := explainAll(dir, read, account)
	require.NoError(t, err)
	for _, b := range []*Brief{made, again} {
		require.Equal(t, kept.Findings, b.Findings)
		require.Equal(t, kept.Graph, b.Graph)
		require.Equal(t, kept.Note, b.Note)
		require.Equal(t, kept.Path, b.Path)
		require.Equal(t, kept.Events, b.Events)
		require.Equal(t, text(t, kept.Activity), text(t, b.Activity))
	}
}

// TestRecordsOfMessages: records of a program without operations tell for whom its packets wait and when a node stops, but
// not what that costs.
func TestRecordsOfMessages(t *testing.T) {
	spec := experiment.DefaultRun("hotspot")
	spec.Nodes, spec.Trace = 4, experiment.TraceAll
	spec.Faults.Stalls = []experiment.Stall{{Node: 0, At: sim.Time(2 * sim.Millisecond), For: 4 * sim.Millisecond}}
	run, err := experiment.Run(t.Context(), spec, nil)
	require.NoError(t, err)
	dir := t.TempDir() + "/run"
	require.NoError(t, rundir.WriteRun(t.Context(), dir, *run))
	found, err := Explain(dir, Question{Top: 5})
	require.NoError(t, err)
	require.True(t, found.NoPath && found.Rebuilt && !found.PacketsOnly)
	require.Empty(t, found.Findings)
	told := strings.Join(found.Longest(), "\n")
	require.Contains(t, told, "Build-up of the request queue for the send slots")
	require.Len(t, found.Events, 1)
	require.InDelta(t, 4e6, found.Events[0].ToNs-found.Events[0].FromNs, 0.5e6)
}
