//go:build unix

package inputfile

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestOnlyRegularFilesWithinTheLimit(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name string, size int) {
		require.NoError(t, os.WriteFile(at(name), []byte(strings.Repeat("x", size)), 0o644))
	}
	put("empty", 0)
	put("fits", 100)
	put("long", 101)
	put("blind", 1)
	require.NoError(t, os.Symlink("fits", at("link")))
	for name, size := range map[string]int{"empty": 0, "fits": 100, "link": 100} {
		data, err := Read(at(name), 100)
		require.NoError(t, err)
		require.Len(t, data, size)
	}

	require.NoError(t, unix.Mkfifo(at("pipe"), 0o644))
	require.NoError(t, os.Symlink("pipe", at("to-pipe")))
	short, err := os.MkdirTemp("", "s") // a socket's path is short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	l, err := net.Listen("unix", filepath.Join(short, "s"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	for path, want := range map[string]string{
		at("pipe"):                     "is a pipe, wanted a regular file",
		at("to-pipe"):                  "is a pipe, wanted a regular file",
		"/dev/zero":                    "is a device, wanted a regular file",
		dir:                            "is a directory, wanted a regular file",
		filepath.Join(short, "s"):      "is a socket, wanted a regular file",
		at("long"):                     "101 bytes, wanted at most 100",
		at("none"):                     "no such file",
		filepath.Join(at("fits"), "x"): "not a directory",
	} {
		_, err := Read(path, 100)
		require.ErrorContains(t, err, want)
		var p *fs.PathError
		require.ErrorAs(t, err, &p)
		require.Equal(t, path, p.Path)
	}
}

// TestTexts: marks and line ends do not matter, other codes do.
func TestTexts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "text")
	for data, want := range map[string]string{
		"\ufeffa\r\nb\r\n": "a\nb\n", "a\rb\n": "a\rb\n", "": "",
		"\xff\xfea\x00": "is a text in UTF-16, wanted UTF-8", "\xfe\xff\x00a": "is a text in UTF-16, wanted UTF-8",
		"\x7fELF\x00": "is no text: it has bytes that are 0",
	} {
		require.NoError(t, os.WriteFile(file, []byte(data), 0o644))
		for _, read := range []func() ([]byte, error){
			func() ([]byte, error) { return ReadText(file) }, func() ([]byte, error) { return ReadStream(file, 100) },
		} {
			text, err := read()
			if err != nil {
				require.EqualError(t, err, file+": "+want)
				continue
			}
			require.Equal(t, want, string(text))
		}
	}
	_, err := ReadStream(file+"x", 100)
	require.EqualError(t, err, file+"x: no such file or directory")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestFileWithoutSize reads a file that says to have no bytes, as one that grows meanwhile.
func TestFileWithoutSize(t *testing.T) {
	const file = "/proc/self/status"
	if _, err := os.Stat(file); err != nil {
		t.Skip("no " + file)
	}
	data, err := Read(file, Text)
	require.NoError(t, err)
	require.Contains(t, string(data), "Name:")
	_, err = Read(file, 10)
	require.ErrorContains(t, err, "more than 10 bytes")
}
