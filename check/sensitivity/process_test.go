package main

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
)

// The test's own program serves as the one that measures jobs.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args[1:], childArgument) {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestProcesses measures jobs in processes of their own, and each job once.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	p, err := newProcesses(dir)
	require.NoError(t, err)
	small := job{Numbers: map[string][]platform.Number{"shrimp": {{Path: "host.l2_kb", Value: 256, Whole: true}}}, Seed: 1, Rows: []string{"sh-l2"}}
	usual := job{Seed: 1, Rows: []string{"sh-l2"}}
	for range 2 {
		out, err := p.measure(t.Context(), small)
		require.NoError(t, err)
		require.Equal(t, 256.0, out["sh-l2"].Value)
		out, err = p.measure(t.Context(), usual)
		require.NoError(t, err)
		require.Equal(t, 512.0, out["sh-l2"].Value)
	}
	require.Equal(t, []int64{2, 2}, []int64{p.measured.Load(), p.kept.Load()})

	out, err := p.measure(t.Context(), job{Seed: 1, Rows: []string{"sh-none"}})
	require.NoError(t, err)
	require.Contains(t, out["sh-none"].Err, `no row "sh-none"`)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "failures are not kept")
}
