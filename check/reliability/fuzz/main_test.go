package main

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTargetsOfTheTreeAreFound(t *testing.T) {
	all, err := targets(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	for _, want := range []target{{dir: "../../../cluster/testbed", name: "FuzzVMMC"}, {dir: "../../../trace/rundir", name: "FuzzReadRun"}} {
		require.Contains(t, all, want)
	}
}

func TestOutputOfGoTest(t *testing.T) {
	x := target{dir: "comm/tcp", name: "FuzzDecode"}
	x.read("fuzz: elapsed: 3s, execs: 10 (3/sec), new interesting: 0 (total: 4)\nfuzz: elapsed: 1m0s, execs: 1000000 (9/sec), new interesting: 2 (total: 6)\nPASS\n", nil)
	require.Equal(t, target{dir: "comm/tcp", name: "FuzzDecode", execs: 1000000, took: time.Minute, inputs: 6}, x)
	met, _ := part([]target{x}, 1000000).Figures[1].Met()
	require.True(t, met)
	x.read("--- FAIL: FuzzDecode\n    Failing input written to testdata/fuzz/FuzzDecode/1a2b\n    To re-run:\n", errors.New("exit status 1"))
	require.Equal(t, "testdata/fuzz/FuzzDecode/1a2b", x.failure)
	met, _ = part([]target{x}, 1000000).Figures[2].Met()
	require.False(t, met)
	x.read("x.go:1: syntax error\n", errors.New("exit status 2"))
	require.Contains(t, x.failure, "exit status 2")
}

// TestResultsAreReadAgain: what one run has written, the next one need not do.
func TestResultsAreReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fuzz.toml")
	none, err := results(file)
	require.NoError(t, err)
	require.Empty(t, none)
	want := target{dir: "comm/tcp", name: "FuzzDecode", execs: 1000000, took: time.Minute, inputs: 6, commit: "1a2b3c4d"}
	bad := target{dir: "nx", name: "FuzzParse", execs: 3, commit: "1a2b3c4d", failure: "failed: exit status 2"}
	require.NoError(t, part([]target{want, bad}, 10).Write(file))
	got, err := results(file)
	require.NoError(t, err)
	require.Equal(t, map[string]target{"comm/tcp FuzzDecode": want, "nx FuzzParse": bad}, got)
}
