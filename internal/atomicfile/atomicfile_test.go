package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "result")
	put := func(text string, err error) error {
		return Write(file, func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		})
	}
	failure := errors.New("half-way")
	require.ErrorIs(t, put("half", failure), failure)
	require.NoFileExists(t, file)

	require.NoError(t, put("first", nil))
	require.ErrorIs(t, put("half", failure), failure)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "first", string(text))

	require.NoError(t, put("second", nil))
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "second", string(text))

	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "a temporary file is left")
}

func TestErrorsNameNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	nothing := func(io.Writer) error { return nil }
	require.NoError(t, Check(filepath.Join(dir, "file")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.EqualError(t, Check(filepath.Join(dir, "no", "file")), dir+"/no/file: no such file or directory")
	require.EqualError(t, Write(filepath.Join(dir, "no", "file"), nothing), dir+"/no/file: nothing was written: no such file or directory")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	require.EqualError(t, Write(filepath.Join(dir, "folder"), nothing), dir+"/folder: nothing was written: is a directory, want a file")
}

// TestAllOrNone: of several files, none is replaced if one cannot be.
func TestAllOrNone(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, "a", "b", name) }
	files := []File{{Path: "one", Data: []byte("1")}, {Path: "more/two", Data: []byte("2")}, {Path: "three/x", Data: []byte("3")}}
	require.NoError(t, os.MkdirAll(at("three/x"), 0o755))
	require.NoError(t, os.WriteFile(at("one"), []byte("old"), 0o644))
	require.EqualError(t, WriteAll(at(""), files), at("")+": nothing was written: three/x: is a directory, want a file")
	text, err := os.ReadFile(at("one"))
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	left, err := os.ReadDir(at(""))
	require.NoError(t, err)
	require.Len(t, left, 2)

	require.NoError(t, os.Remove(at("three/x")))
	require.NoError(t, WriteAll(at(""), files))
	for _, f := range files {
		text, err := os.ReadFile(at(f.Path))
		require.NoError(t, err)
		require.Equal(t, f.Data, text)
	}
}

// TestTheFileIsToBlame: an error of the file is told as it is, whatever the writer makes of it,
// and the writer's own with all that it says.
func TestTheFileIsToBlame(t *testing.T) {
	f, err := os.Open(t.TempDir()) // nothing can be written there
	require.NoError(t, err)
	err = Fill(f, func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		return fmt.Errorf("rows of another file: %w", errors.Join(err, err))
	})
	require.EqualError(t, err, "bad file descriptor")
	own := &os.PathError{Op: "read", Path: "input", Err: errors.New("damaged")}
	require.ErrorIs(t, Write(filepath.Join(t.TempDir(), "file"), func(io.Writer) error { return own }), own)
}

func TestMadeFoldersAreRemoved(t *testing.T) {
	dir := t.TempDir()
	undo, err := MakeDirs(filepath.Join(dir, "a", "b"))
	require.NoError(t, err)
	require.DirExists(t, filepath.Join(dir, "a", "b"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "kept"), nil, 0o644))
	undo()
	require.NoDirExists(t, filepath.Join(dir, "a", "b"))
	require.FileExists(t, filepath.Join(dir, "a", "kept"))
	_, err = MakeDirs(filepath.Join(dir, "a", "kept", "c"))
	require.EqualError(t, err, "not a directory")
}
