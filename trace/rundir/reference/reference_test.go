package reference

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func runs(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "seed-0001"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "seed-0001", "run.json"), []byte(text), 0o644))
	return dir
}

func recorded(t *testing.T, s Store) (out []string) {
	t.Helper()
	all, err := s.List()
	require.NoError(t, err)
	for _, r := range all {
		out = append(out, r.Name)
	}
	return out
}

func TestAcceptFindAndPrune(t *testing.T) {
	s := Store(filepath.Join(t.TempDir(), "a", "b"))
	require.Empty(t, recorded(t, s))
	for i, text := range []string{"one", "two", "three"} {
		at := time.Date(2026, 1, i+1, 0, 0, 0, 0, time.UTC)
		earlier, err := s.Accept(t.Context(), Record{Name: "fft", Accepted: at, Workload: text, Seeds: []uint64{1}}, runs(t, text))
		require.NoError(t, err)
		require.Equal(t, []string{"", "fft~1", "fft~2"}[i], earlier)
	}
	_, err := s.Accept(t.Context(), Record{Name: "other"}, runs(t, "x"))
	require.NoError(t, err)
	require.Equal(t, []string{"fft", "fft~1", "fft~2", "other"}, recorded(t, s))
	for name, want := range map[string]string{"fft": "three", "fft~1": "one", "fft~2": "two"} {
		r, dir, err := s.Find(name)
		require.NoError(t, err)
		require.Equal(t, want, r.Workload)
		text, err := os.ReadFile(filepath.Join(dir, "seed-0001", "run.json"))
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	_, _, err = s.Find("ftt")
	require.ErrorContains(t, err, `did you mean "fft"? (known: fft, fft~1, fft~2, other)`)

	require.NoError(t, os.Mkdir(filepath.Join(string(s), ".fft.incomplete-new"), 0o755))
	removed, err := s.Prune(1)
	require.NoError(t, err)
	require.Equal(t, []string{"fft~1", ".fft.incomplete-new"}, removed)
	require.Equal(t, []string{"fft", "fft~2", "other"}, recorded(t, s))
	earlier, err := s.Accept(t.Context(), Record{Name: "fft"}, runs(t, "four"))
	require.NoError(t, err)
	require.Equal(t, "fft~3", earlier, "numbers do not come again")
}

func TestAcceptRefuses(t *testing.T) {
	s := Store(t.TempDir())
	for _, name := range []string{"", "a/b", "..", ".x", "a~1", "@x"} {
		_, err := s.Accept(t.Context(), Record{Name: name}, runs(t, "x"))
		require.ErrorContains(t, err, "want letters", name)
	}
	_, err := s.Accept(t.Context(), Record{Name: "gone"}, filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
	require.Empty(t, recorded(t, s), "a copy that fails leaves nothing")
	require.NoError(t, os.Mkdir(filepath.Join(string(s), "odd"), 0o755))
	_, err = s.List()
	require.ErrorContains(t, err, "reference odd: ")
	require.NoError(t, os.WriteFile(filepath.Join(string(s), "odd", "reference.json"), []byte(`{"schema_version":99}`), 0o644))
	_, err = s.List()
	require.ErrorContains(t, err, "schema_version 99, want 1 to 1")
}

func TestStoreOfTheProject(t *testing.T) {
	top := t.TempDir()
	in := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(in, 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(top, "a", ".git"), 0o755))
	require.Equal(t, Store(filepath.Join(top, "a", ".sigview", "references")), Default(in))
	require.NoError(t, os.Mkdir(filepath.Join(top, ".sigview"), 0o755))
	require.Equal(t, Store(filepath.Join(top, ".sigview", "references")), Default(in), "a folder .sigview comes before a repository")
}
