package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace/rundir"
)

// TestExplanationsAreKept: what trace prints of a long trace is made once for each question, and again once a file changes.
func TestExplanationsAreKept(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := viewed{t: t}
	s.command("run", "fft", "--nodes", "8", "--size", "16K", "--trace=waits", "-o", "run", "-q")
	kept := func() []string {
		files, err := filepath.Glob(os.Getenv("XDG_CACHE_HOME") + "/sigview/traces/*/*.json")
		require.NoError(t, err)
		return files
	}
	made := s.command("trace", "run")
	require.Len(t, kept(), 1)
	require.NoError(t, os.WriteFile(kept()[0], []byte(`"from the cache"`), 0o644))
	require.Equal(t, "from the cache", s.command("trace", "run"))
	require.NoError(t, os.WriteFile(kept()[0], []byte(`"half writ`), 0o644))
	require.Equal(t, made, s.command("trace", "run"))
	for i, other := range [][]string{{"--json"}, {"--phase", "1"}, {"--faster", "cpu"}} {
		s.command(append([]string{"trace", "run"}, other...)...)
		require.Len(t, kept(), 2+i, other)
	}

	// Read from the cache, a damaged file would go unseen.
	m, err := rundir.ReadManifest("run")
	require.NoError(t, err)
	for _, f := range m.Files {
		if f.Name != "waits.arrow" {
			continue
		}
		data, err := os.ReadFile("run/waits.arrow")
		require.NoError(t, err)
		data[len(data)/2] ^= 1
		require.NoError(t, os.WriteFile("run/waits.arrow", data, 0o644))
		a, _, stderr := realApp()
		require.Equal(t, exitFailure, a.run(t.Context(), []string{"trace", "run"}))
		require.Contains(t, stderr.String(), "waits.arrow")
	}
}
