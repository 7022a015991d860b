package live

import (
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/live/stamps"
)

// TestBesideSockperf: half of a round trip of 64 B without stamps is as long as sockperf's within 15 %, by
// the medians of nine alternations, both blocking or both spinning, ends on processors 0 and 1. It needs an idle
// machine with two processors.
func TestBesideSockperf(t *testing.T) {
	testlong.Only(t, "a minute of round trips beside those of another program")
	for _, program := range []string{"sockperf", "taskset"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s, a Debian package, is installed here", program)
		}
	}
	for _, wait := range Wait("").All() {
		t.Run(string(wait), func(t *testing.T) {
			var ours, theirs, ratios []float64
			for range 9 {
				a, b := halfTrip(t, wait), sockperf(t, wait)
				ours, theirs, ratios = append(ours, a), append(theirs, b), append(ratios, a/b)
			}
			t.Logf("sigview %.2f µs, sockperf %.2f, ratio %.3f; ratios %.3f", median(ours), median(theirs), median(ratios), ratios)
			require.InDelta(t, 1, median(ratios), 0.15)
		})
	}
}

// halfTrip returns the median of half round trips in a second, in µs.
func halfTrip(t *testing.T, wait Wait) float64 {
	spec := Default()
	spec.Wait, spec.CPUs = wait, []int{0, 1}
	links, err := connectLoopback(stamps.UDP, newToken(), stamps.Options{Spin: wait == waitSpin})
	require.NoError(t, err)
	ends := [2]*End{newEnd(0, spec, []*link{nil, links[0]}, func(Batch) {}), newEnd(1, spec, []*link{links[1], nil}, func(Batch) {})}
	ends[1].Receive()
	var trips []float64
	ends[0].thread(func() error {
		m := &mirrored{ctx: t.Context(), l: links[0], bytes: 64}
		for begun := time.Now(); time.Since(begun) < time.Second; {
			us, err := m.HalfRTT(1)
			if err != nil {
				return err
			}
			trips = append(trips, us)
		}
		return nil
	})
	ends[0].group.Wait()
	for _, e := range ends {
		_, err := e.Stop()
		require.NoError(t, err)
	}
	return median(trips)
}

var sockperfMedian = regexp.MustCompile(`percentile 50\.000 = +([0-9.]+)`)

// sockperf returns the same of that program.
func sockperf(t *testing.T, wait Wait) float64 {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(c.LocalAddr().String())
	require.NoError(t, err)
	require.NoError(t, c.Close())
	var mode []string
	if wait == waitSpin {
		mode = []string{"--nonblocked"}
	}
	program := func(cpu int, args ...string) *exec.Cmd {
		args = append([]string{"-c", strconv.Itoa(cpu), "sockperf", args[0], "-i", "127.0.0.1", "-p", port, "-m", "64"}, append(args[1:], mode...)...)
		return exec.Command("taskset", args...)
	}
	server := program(1, "sr")
	require.NoError(t, server.Start())
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	time.Sleep(300 * time.Millisecond) // it does not say when it listens
	out, err := program(0, "pp", "-t", "1").CombinedOutput()
	require.NoError(t, err, "%s", out)
	found := sockperfMedian.FindSubmatch(out)
	require.NotNil(t, found, "%s", out)
	us, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(t, err)
	return us
}
