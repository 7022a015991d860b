package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cmd/sigview/internal/silent"
)

// asProgram makes the test binary the program itself, so that a test can send
// it a signal.
const asProgram = "SIGVIEW_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	silent.Over()
	os.Exit(inOwnCache(m.Run))
}

// inOwnCache runs tests with a user's cache of their own: what an earlier run of the tests has measured is not theirs. What Go has built
// stays where it is.
func inOwnCache(run func() int) int {
	user, err := os.UserCacheDir()
	if err == nil && os.Getenv("GOCACHE") == "" {
		err = os.Setenv("GOCACHE", filepath.Join(user, "go-build"))
	}
	cache, err2 := os.MkdirTemp("", "sigview-cache-")
	if err := errors.Join(err, err2, os.Setenv("XDG_CACHE_HOME", cache)); err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(cache) }()
	return run()
}

// TestInterruptLeavesNothingHalfDone sends a real interrupt in the middle of a
// real run.
func TestInterruptLeavesNothingHalfDone(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	var exit *exec.ExitError
	for wait := 300 * time.Millisecond; exit == nil || !exit.Exited(); wait *= 2 { // until the run has begun by then
		cmd := exec.Command(os.Args[0], "run", "fft", "--nodes", "64", "--size", "1M", "-o", "out")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), asProgram+"=1")
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		require.NoError(t, cmd.Start())
		time.Sleep(wait)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		err := cmd.Wait()
		require.True(t, errors.As(err, &exit), "the run ended before the interrupt: %v\n%s", err, stderr.String())
	}
	require.Equal(t, exitFailure, exit.ExitCode(), stderr.String())
	require.Contains(t, stderr.String(), "interrupted")
	require.Contains(t, stderr.String(), "nothing was written to out")
	require.Empty(t, stdout.String())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}
