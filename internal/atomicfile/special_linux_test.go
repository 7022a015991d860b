package atomicfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDevicesAndPipesStay: they take what is written, and are not replaced by a file.
func TestDevicesAndPipesStay(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	read := make(chan []byte)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- text
	}()
	require.NoError(t, WriteBytes(pipe, []byte("text")))
	require.Equal(t, "text", string(<-read))
	info, err := os.Stat(pipe)
	require.NoError(t, err)
	require.Equal(t, os.ModeNamedPipe, info.Mode().Type())

	link := filepath.Join(t.TempDir(), "link") // so that the device itself is never at risk
	require.NoError(t, os.Symlink("/dev/full", link))
	require.EqualError(t, WriteBytes(link, []byte("text")), link+": nothing was written: no space left on device")
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink(os.DevNull, link))
	require.NoError(t, WriteBytes(link, []byte("text")))
	to, err := os.Readlink(link)
	require.NoError(t, err)
	require.Equal(t, os.DevNull, to)
}
