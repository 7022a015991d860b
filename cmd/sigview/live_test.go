package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/rundir"
)

// TestLiveRunsAreShown: what a measurement over loopback leaves is read by every command that reads a
// run, and none of them says of it what is true of the model only.
func TestLiveRunsAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	done := func(want int, args ...string) string {
		var out, messages bytes.Buffer
		require.Equal(t, want, newApp(&out, &messages, realLab()).run(context.Background(), args), "%v: %s", args, &messages)
		return out.String() + messages.String()
	}
	text := done(exitPass, "live", "--count", "300", "--message-sizes", "64,1K", "-o", "ping")
	text += done(exitPass, "live", "--pattern", "stream", "--rate", "5000", "--count", "500", "--message-sizes", "64,1K", "--protocol", "tcp", "-o", "stream")
	run, err := rundir.ReadRun("ping")
	require.NoError(t, err)
	require.True(t, run.Manifest.Real())
	text += done(exitPass, "report", "stream", "--full", "--format", "html") + done(exitPass, "report", "ping") + done(exitPass, "diff", "ping", "ping")
	done(exitPass, "export", "ping", "--to", "csv", "-o", "csv")
	for _, view := range []string{"overview", "signature", "timeline", "matrix", "clock"} {
		done(exitPass, "view", "ping", "--view", view, "--export", view+".txt", "--geometry", "100x40")
		page, err := os.ReadFile(view + ".txt")
		require.NoError(t, err)
		text += string(page)
	}
	for _, model := range []string{"simulated", "host request", "firmware", "can be waiting for", "cost of the trace", "event digest"} {
		require.NotContains(t, text, model)
	}
	require.Contains(t, text, "What stamps cost")

	require.Contains(t, done(exitPass, "calibrate", "ping", "--check", "stream", "-o", "host.toml"), "Predicted: stream, stream by tcp, 5000 messages a second")
	done(exitPass, "run", "pingpong", "--platform", "host.toml", "--message-size", "1K", "--count", "50", "-o", "modelled")
	require.Regexp(t, `made_of +messages of real hosts +a model`, done(exitPass, "diff", "ping", "modelled", "--unlike"))
	require.Contains(t, done(exitUsage, "calibrate", "modelled", "-o", "x.toml"), "run is modelled, want one of sigview live")
	require.Contains(t, done(exitUsage, "calibrate", "ping", "--logp", "ping", "-o", "x.toml"), "--logp is ping, want a directory that sigview live --logp sweep has written")
	require.Contains(t, done(exitUsage, "calibrate", "ping"), `--output is "", want a file FILE.toml`)
	require.NoFileExists(t, "x.toml")
	require.Contains(t, done(exitUsage, "why", "ping"), "ping is of real hosts, want a run of the model")
	require.Contains(t, done(exitUsage, "live", "--message-sizes", "8"), "--message-sizes is 8, want 16 to 60000 bytes")
	require.Contains(t, done(exitUsage, "live", "--congestion", "reno"), "--congestion is reno, want none")
}
