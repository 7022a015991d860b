package main

import (
	"io"
	"net"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live/watch"
	"github.com/sigview/sigview/trace/rundir"
)

// chatter exchanges messages over loopback until the test ends, and returns the port of the one that answers.
func chatter(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	server, err := l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _, _ = l.Close(), client.Close(), server.Close() })
	go func() { _, _ = io.Copy(server, server) }()
	go func() {
		for message := make([]byte, 100); ; {
			if _, err := client.Write(message); err != nil {
				return
			}
			if _, err := io.ReadFull(client, message); err != nil {
				return
			}
		}
	}()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// TestWatchedRunsAreShown: what a watch leaves is read by every command that reads a run, and none of them says of it
// what is true of the model only.
func TestWatchedRunsAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	done := runner(t)
	for want, args := range map[string][]string{
		"--port is 70000, want 1 to 65535":    {"--port", "70000"},
		"--pid is 0, want a process":          {"-p", "0"},
		"--budget is -1, want messages a sec": {"--budget", "-1"},
	} {
		require.Contains(t, done(exitUsage, append([]string{"watch", "-o", "x"}, args...)...), want)
	}
	for _, n := range watch.Check() {
		if !n.There {
			t.Skipf("nothing can be watched here without %s: %s", n.Name, n.Costs)
		}
	}
	require.NotContains(t, done(exitPass, "watch", "--check"), "NO ")
	port := chatter(t)
	text := done(exitPass, "watch", "--port", port, "--for", "1s", "-o", "one", "--full")
	done(exitPass, "watch", "--port", port, "--for", "1s", "-o", "two")
	run, err := rundir.ReadRun("one")
	require.NoError(t, err)
	require.True(t, run.Manifest.Real())
	require.Positive(t, run.Manifest.Packets)
	text += done(exitPass, "report", "one", "--full", "--format", "html") + done(exitPass, "diff", "one", "two")
	done(exitPass, "export", "one", "--to", "csv", "-o", "csv")
	for _, view := range []string{"overview", "signature", "timeline", "matrix"} {
		done(exitPass, "view", "one", "--view", view, "--export", view+".txt", "--geometry", "100x40")
		page, err := os.ReadFile(view + ".txt")
		require.NoError(t, err)
		text += string(page)
	}
	for _, model := range []string{"simulated", "host request", "firmware", "can be waiting for", "cost of the trace", "event digest", "seed 0"} {
		require.NotContains(t, text, model)
	}
	require.Contains(t, done(exitFailure, "watch", "no-such-program", "--for", "100ms", "-o", "x"), "no message was seen in 1")
	require.NoDirExists(t, "x")
}
