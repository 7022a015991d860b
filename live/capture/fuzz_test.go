package capture

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// FuzzRead: arbitrary bytes as captures are refused or become a run whose tables can be written, in memory that the
// files' lengths bound.
func FuzzRead(f *testing.F) {
	for i, link := range []layers.LinkType{layers.LinkTypeEthernet, layers.LinkTypeLinuxSLL2, layers.LinkTypeRaw} {
		w := newWorld(f, int64(i))
		w.link, w.v6, w.ng = link, i == 1, i == 2
		w.seen = [2][]shot{}
		talk(w, 6)
		w.fragments(0, 2*second, 77)
		w.bulk(1, 3*second, 1<<32-5000, 2, true)
		files := w.files()
		first, err := os.ReadFile(files[0])
		require.NoError(f, err)
		second, err := os.ReadFile(files[1])
		require.NoError(f, err)
		f.Add(first, second, i == 0)
	}
	f.Fuzz(func(t *testing.T, first, second []byte, sameClock bool) {
		dir := t.TempDir()
		spec := Spec{Files: [2]string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}, SameClock: sameClock}
		require.NoError(t, os.WriteFile(spec.Files[0], first, 0o644))
		require.NoError(t, os.WriteFile(spec.Files[1], second, 0o644))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run, err := Import(context.Background(), spec)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(400<<20+1000*(len(first)+len(second))))
		if err != nil {
			return
		}
		require.NoError(t, run.Manifest.Check())
		for r := range run.Packets {
			require.NoError(t, trace.CheckRow(&r))
		}
		require.NoError(t, run.Broken())
		for _, r := range run.Clock {
			require.NoError(t, trace.CheckRow(&r))
		}
	})
}
