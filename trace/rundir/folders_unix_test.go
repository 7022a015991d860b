//go:build unix

package rundir

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/trace"
)

// TestPipesAreRefused puts a pipe in the place of each file of a run.
func TestPipesAreRefused(t *testing.T) {
	dir := write(t)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		require.NoError(t, os.Rename(file, file+".kept"))
		require.NoError(t, unix.Mkfifo(file, 0o644))
		_, err := ReadRun(dir)
		if err == nil { // tables that ReadRun only checks by name
			err = Scan(dir, func([]trace.PacketRow) error { return nil })
		}
		require.ErrorContains(t, err, "is a pipe, wanted a regular file", e.Name())
		require.ErrorContains(t, err, e.Name())
		parts, err := Parts(dir, "runs")
		require.NoError(t, err)
		require.ErrorContains(t, WriteDir(t.Context(), filepath.Join(t.TempDir(), "copy"), parts), file+": is a pipe")
		require.NoError(t, os.Rename(file+".kept", file))
	}
}

// TestLeftOfKilledRuns: the next run removes what a killed one has left in its place, but
// nothing of a run that is being written.
func TestLeftOfKilledRuns(t *testing.T) {
	base := t.TempDir()
	put := func(name string) string {
		dir := filepath.Join(base, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "packets.arrow"), nil, 0o644))
		return dir
	}
	left, busy, other := put(".run.incomplete-1"), put(".run.incomplete-2"), put(".run2.incomplete-3")
	release, ok := lock(busy)
	require.True(t, ok)
	defer release()
	require.NoError(t, WriteRun(context.Background(), filepath.Join(base, "run"), sampleRun()))
	require.NoDirExists(t, left)
	require.DirExists(t, busy)
	require.DirExists(t, other)

	err := newDir(filepath.Join(base, "more"), func(temp string) error {
		require.NoError(t, CheckTarget(filepath.Join(base, "more")))
		require.DirExists(t, temp)
		return nil
	})
	require.NoError(t, err)
}

// TestUnfinishedOfKilledRuns: a directory whose process has ended is one that nobody makes any more, until the next run in its place.
func TestUnfinishedOfKilledRuns(t *testing.T) {
	folder := t.TempDir()
	u, err := Begin(filepath.Join(folder, "run"))
	require.NoError(t, err)
	require.NoError(t, u.Tell(Progress{Text: "fft"}))
	require.NoError(t, u.Show(context.Background(), sampleRun()))
	u.release() // as the end of a process does
	all, err := ReadUnfinished(folder)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.False(t, all[0].Running)
	require.NotEmpty(t, all[0].SoFar, "what it has shown can still be read")
	require.NoError(t, CheckTarget(filepath.Join(folder, "run")))
	require.NoDirExists(t, u.temp)
}
