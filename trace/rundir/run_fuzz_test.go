package rundir

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzReadRun changes bytes of one file of a run directory. It is refused with its name, or
// read as a run that can be written again.
func FuzzReadRun(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "run")
	require.NoError(f, WriteRun(context.Background(), dir, sampleRun()))
	entries, err := os.ReadDir(dir)
	require.NoError(f, err)
	good := make([][]byte, len(entries))
	for i, e := range entries {
		good[i], err = os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(f, err)
		f.Add(uint8(i), uint32(len(good[i])/2), []byte{0xff})
		f.Add(uint8(i), uint32(0), []byte(nil))
	}
	f.Add(uint8(len(good)-2), uint32(30), []byte(`"seed": 99999999999999999999`))
	f.Fuzz(func(t *testing.T, which uint8, at uint32, with []byte) {
		i := int(which) % len(good)
		bad := append([]byte(nil), good[i]...)
		if len(with) == 0 {
			bad = bad[:int(at)%(len(bad)+1)]
		} else if len(bad) > 0 {
			copy(bad[int(at)%len(bad):], with)
		}
		file := filepath.Join(dir, entries[i].Name())
		require.NoError(t, os.WriteFile(file, bad, 0o644))
		defer func() { require.NoError(t, os.WriteFile(file, good[i], 0o644)) }()
		run, err := ReadRun(dir)
		if err != nil {
			require.ErrorContains(t, err, entries[i].Name())
			return
		}
		require.NoError(t, WriteRun(context.Background(), filepath.Join(t.TempDir(), "run"), run))
	})
}
