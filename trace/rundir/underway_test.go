package rundir

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnderway: a directory that is being made tells how far it is, shows its run as it stands, and leaves nothing.
func TestUnderway(t *testing.T) {
	folder := t.TempDir()
	list := func() []Unfinished {
		all, err := ReadUnfinished(folder)
		require.NoError(t, err)
		return all
	}
	require.NoError(t, WriteRun(context.Background(), filepath.Join(folder, "other"), sampleRun()))
	u, err := Begin(filepath.Join(folder, "run"))
	require.NoError(t, err)
	require.Empty(t, list(), "nothing is told yet")

	third := 1.0 / 3
	require.NoError(t, u.Tell(Progress{Text: "fft"}))
	require.NoError(t, u.Tell(Progress{Share: &third, Text: "fft, 0.2 s simulated"}))
	all := list()
	require.Len(t, all, 1)
	require.Equal(t, Unfinished{Name: "run", Temp: filepath.Base(u.temp), Running: true, Progress: Progress{Share: &third, Text: "fft, 0.2 s simulated"}}, all[0])

	for n := range 12 {
		run := sampleRun()
		run.Manifest.SimulatedNs += int64(n)
		require.NoError(t, u.Show(context.Background(), run))
		read, err := ReadRun(list()[0].SoFar)
		require.NoError(t, err)
		require.Equal(t, run.Manifest.SimulatedNs, read.Manifest.SimulatedNs)
	}
	shown, err := filepath.Glob(filepath.Join(u.temp, soFar+"*"))
	require.NoError(t, err)
	require.Len(t, shown, 2, "who reads the one before has time to end")

	require.NoError(t, os.WriteFile(filepath.Join(u.temp, progressFile), []byte("{"), 0o644))
	require.Empty(t, list())
	require.NoError(t, u.End())
	require.NoDirExists(t, u.temp)
}
