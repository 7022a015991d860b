//go:build unix

package rundir

import (
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
		require.Error(t, CopyDir(filepath.Join(t.TempDir(), "copy"), dir))
		require.NoError(t, os.Rename(file+".kept", file))
	}
}
