package sweep

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"
)

func TestScript(t *testing.T) {
	s := Script{
		Name: "it's", Program: "/opt/sig view/sigview", Folder: "/home/me", File: "it's.toml", Dir: "out", Log: "out/logs",
		Tasks: 1000, Open: []uint64{0, 1, 2, 7, 9},
	}.String()
	goldie.New(t, goldie.WithFixtureDir("testdata")).Assert(t, "slurm.sh", []byte(s))
	check := exec.Command("sh", "-n")
	check.Stdin = strings.NewReader(s)
	out, err := check.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestQuotedAsAShellReadsIt: a shell reads a quoted word as it was.
func TestQuotedAsAShellReadsIt(t *testing.T) {
	for _, word := range []string{"", "a b", "it's", `"$HOME" \ * '`, "'''"} {
		out, err := exec.Command("sh", "-c", "printf %s "+quoted(word)).Output()
		require.NoError(t, err)
		require.Equal(t, word, string(out))
	}
}

// TestArraysAreNotTooLong: tasks of long sweeps have several runs each.
func TestArraysAreNotTooLong(t *testing.T) {
	p := plan(t, "programs = [\"alltoall\", \"random\"]\nnodes = [2, 4, 8]\nseeds = 400\n")
	n, open := p.Tasks(t.TempDir())
	require.Equal(t, maxTasks, n)
	require.Len(t, open, maxTasks)
	require.Len(t, p.part(Part{399, n}), 3)
	require.Len(t, p.part(Part{400, n}), 2)
}
