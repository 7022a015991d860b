package explain

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/usercache"
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
