package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentsFindDamage flips bits of the documents that lie beside figures: the command
// that reads one names it and fails.
func TestDocumentsFindDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	t.Chdir(t.TempDir())
	s := viewed{t: t}
	for _, line := range []string{
		"logp --platform meiko -o logp", "bandwidth --platform ppro --layer gam --size 64,1K -o bandwidth", "tpil --size 64 -o tpil", "verbs --size 64 -o verbs",
		"perturb --size 64 --tests pingpong -o perturb", "run alltoall --nodes 2 --count 1 --seeds 2 -o set",
		"reference accept bandwidth kept --references references",
	} {
		s.command(append(strings.Fields(line), "-q")...)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for file, reads := range map[string][]string{
		"logp/logp.json":                 {"report logp", "diff logp logp"},
		"bandwidth/bandwidth.json":       {"report bandwidth", "diff bandwidth bandwidth"},
		"tpil/tpil.json":                 {"report tpil", "diff tpil tpil"},
		"verbs/verbs.json":               {"report verbs", "diff verbs verbs"},
		"perturb/perturb.json":           {"report perturb", "diff perturb perturb"},
		"set/summary.json":               {"report set", "diff set set"},
		"references/kept/reference.json": {"reference list --references references"},
	} {
		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		for range 200 {
			damaged := bytes.Clone(whole)
			at, bit := random.IntN(len(damaged)), random.IntN(8)
			damaged[at] ^= 1 << bit
			require.NoError(t, os.WriteFile(file, damaged, 0o644))
			for _, line := range reads {
				a, _, stderr := realApp()
				require.NotEqual(t, exitPass, a.run(t.Context(), strings.Fields(line)), "%s: bit %d of byte %d of %s", line, bit, at, file)
				require.Contains(t, stderr.String(), filepath.Base(file)+": ")
			}
		}
		require.NoError(t, os.WriteFile(file, bytes.Replace(whole, []byte(`"tool_version": "`), []byte(`"tool_version": "x`), 1), 0o644))
		a, _, stderr := realApp()
		require.NotEqual(t, exitPass, a.run(t.Context(), strings.Fields(reads[0])))
		require.Contains(t, stderr.String(), filepath.Base(file)+": changed since it was written: its SHA-256 differs")
		require.NoError(t, os.WriteFile(file, whole, 0o644))
		s.command(strings.Fields(reads[0])...)
	}
}
