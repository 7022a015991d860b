package atomicfile

import (
	"errors"
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
	require.EqualError(t, Write(filepath.Join(dir, "no", "file"), nothing), "no such file or directory")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	require.EqualError(t, Write(filepath.Join(dir, "folder"), nothing), "file exists")
}
