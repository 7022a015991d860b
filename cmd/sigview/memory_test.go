package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemoryIsLimited: what does not fit is refused, or ends without a trace in the folder.
func TestMemoryIsLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of some size")
	}
	t.Chdir(t.TempDir())
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"run fft --size 4M --memory 200M -o out":           {exitUsage, `sigview run: the run needs about 401 MiB of memory by estimate, and may take 200 MiB \(--memory\): want fewer nodes, a smaller size or more memory \(nothing was written to out\)`},
		"run fft --size 4M --seeds 2 --memory 200M -o out": {exitUsage, `sigview run: fft, seed 1: the run needs about 401 MiB`},
		"why fft --size 4M --no-cache --memory 200M":       {exitUsage, `sigview why: .*the run needs about 401 MiB`},
		"run random --platform ppro --layer gam --nodes 16 --message-size 64K --count 1K --memory 90M -o out": {exitFailure,
			`sigview run: random: stopped after .* of simulated time: \d+ MiB of memory were taken, want at most 90 MiB \(--memory\) \(nothing was written to out\)`},
		"run random --platform ppro --layer gam --nodes 16 --message-size 64K --count 1K --seeds 2 --memory 90M -o out": {exitFailure, `sigview run: .*\d+ MiB of memory were taken, want at most 90 MiB`},
	} {
		// The tests' own memory would count.
		cmd := exec.Command(os.Args[0], strings.Fields(line)...)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		var exit *exec.ExitError
		require.ErrorAs(t, cmd.Run(), &exit, line)
		require.Equal(t, want.code, exit.ExitCode(), "%s: %s", line, &stderr)
		require.Regexp(t, "^"+want.text, stderr.String())
		require.NoDirExists(t, "out")
	}
}
