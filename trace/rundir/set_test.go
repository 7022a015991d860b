package rundir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func TestMembersOfASet(t *testing.T) {
	set := t.TempDir()
	want := []string{SeedDir(set, 2), SeedDir(set, 900), SeedDir(set, 12345)} // by number, not by name
	for _, d := range []string{want[2], want[0], want[1], filepath.Join(set, "seed-x"), filepath.Join(set, ".seed-0003.incomplete-1")} {
		require.NoError(t, os.Mkdir(d, 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(set, "seed-0004"), nil, 0o644))
	got, err := Members(set)
	require.NoError(t, err)
	require.Equal(t, want, got)

	require.NoError(t, os.WriteFile(filepath.Join(set, trace.ManifestFile), nil, 0o644))
	for _, dir := range []string{set, filepath.Join(set, "none"), filepath.Join(set, "seed-0004")} {
		got, err = Members(dir)
		require.NoError(t, err)
		require.Empty(t, got)
	}
}
