package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
)

// TestEstimatesOfMemory: the estimate with which a run is refused is within a factor of two
// of what a process takes for it with hardly any garbage.
func TestEstimatesOfMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large runs")
	}
	runs := []string{
		"fft --nodes 8 --size 256K", "radix --nodes 8 --size 1M", "lu --nodes 8 --size 512", "gauss --nodes 64 --size 256",
		"alltoall --nodes 64 --message-size 16K", "alltoall --platform cx5-roce --nodes 16 --message-size 1M", "ocean --nodes 8 --size 256",
	}
	runs = append(runs, testlong.Pick(nil, []string{
		"fft --nodes 8 --size 1M", "radix --nodes 8 --size 2M", "lu --nodes 8 --size 1024", "fft --nodes 64 --size 1M", "fft --nodes 256 --size 256K", "radix --nodes 64 --size 2M", "lu --nodes 64 --size 1024",
		"gauss --nodes 8 --size 2048", "alltoall --nodes 256",
	})...)
	t.Chdir(t.TempDir())
	for _, run := range runs {
		words := append([]string{"run"}, strings.Fields(run)...)
		a, _, stderr := realApp()
		require.Equal(t, exitUsage, a.run(t.Context(), append(words, "--memory", "1M")))
		found := regexp.MustCompile(`needs about (\d+) MiB`).FindStringSubmatch(stderr.String())
		require.NotNil(t, found, stderr)
		estimate, err := strconv.ParseFloat(found[1], 64)
		require.NoError(t, err)

		cmd := exec.Command(os.Args[0], words...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "GOGC=15")
		require.NoError(t, cmd.Start())
		taken := largest(cmd.Process.Pid)
		require.NoError(t, cmd.Wait())
		t.Logf("%s: %.0f MiB estimated, %.0f taken", run, estimate, taken)
		require.Greater(t, estimate, taken/2, run)
		require.Less(t, estimate, 2*taken, run)
	}
}

// largest waits for the end of a process and returns the most memory, in MiB, that it had
// resident. (That of getrusage begins with the memory of the parent.)
func largest(pid int) (most float64) {
	line := regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
	for {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		m := line.FindSubmatch(text)
		if m == nil { // it has ended
			return most
		}
		kB, _ := strconv.ParseFloat(string(m[1]), 64)
		most = kB / (1 << 10)
		time.Sleep(2 * time.Millisecond)
	}
}
