package main

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// TestLiveReplaysAModel: the messages of a run of the model are sent between real ends, as many as it
// had and of its sizes, and the run that this leaves is replayed in turn.
func TestLiveReplaysAModel(t *testing.T) {
	t.Chdir(t.TempDir())
	done := runner(t)
	sent := func(dir string) (out [][3]int64) {
		require.NoError(t, rundir.Scan(dir, func(rows []trace.PacketRow) error {
			for _, p := range rows {
				out = append(out, [3]int64{p.Sender, p.Receiver, p.SizeBytes})
			}
			return nil
		}))
		slices.SortFunc(out, func(a, b [3]int64) int { return slices.Compare(a[:], b[:]) })
		return out
	}
	done(exitPass, "run", "pingpong", "--nodes", "2", "--message-size", "1K", "--count", "50", "--trace", "-o", "modelled")
	done(exitPass, "run", "pingpong", "--nodes", "2", "--count", "5", "-o", "untraced")
	require.Contains(t, done(exitPass, "live", "--replay", "modelled", "--stretch", "10", "-o", "real", "--full"), "replayed modelled")
	require.NotEmpty(t, sent("modelled"))
	require.Equal(t, sent("modelled"), sent("real"))
	done(exitPass, "live", "--pattern", "replay", "--replay", "real", "--runs", "2", "-o", "again")
	require.Equal(t, sent("modelled"), sent("again/seed-0002"))
	done(exitPass, "diff", "modelled", "real", "--unlike")
	for want, args := range map[string][]string{
		`--replay is "", want the directory of a run`:                     {"--pattern", "replay"},
		"--replay is untraced, want a run with a table of single message": {"--replay", "untraced"},
		"--replay is none, want a run with single messages: ":             {"--replay", "none"},
		"--pattern is stream, want replay":                                {"--replay", "real", "--pattern", "stream"},
		"--replay and --count are given, want one of them":                {"--replay", "real", "--count", "5"},
		"--replay and --logp are given, want one of them":                 {"--replay", "real", "--logp", "sweep"},
		"--stretch is 0, want 0.001 to 1e6":                               {"--replay", "real", "--stretch", "0"},
		"--stretch is given, want it with --replay":                       {"--stretch", "2"},
	} {
		require.Contains(t, done(exitUsage, append([]string{"live", "-o", "x"}, args...)...), want)
		require.NoDirExists(t, "x")
	}
}

// TestLiveRunsAreShown: what a measurement over loopback leaves is read by every command that reads a
// run, and none of them says of it what is true of the model only.
func TestLiveRunsAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	done := runner(t)
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

	require.Contains(t, done(exitPass, "calibrate", "ping", "--check", "stream", "-o", "host.toml", "--full"), "Predicted: stream, stream by tcp, 5000 messages a second")
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
