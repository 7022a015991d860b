package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCapturesBecomeARunThatEveryCommandShows: of traffic that tcpdump has captured, no command says what holds for the model only.
func TestCapturesBecomeARunThatEveryCommandShows(t *testing.T) {
	first, err := filepath.Abs("../../live/capture/testdata/a.pcap")
	require.NoError(t, err)
	second := filepath.Join(filepath.Dir(first), "b.pcap")
	t.Chdir(t.TempDir())
	done := runner(t)
	read := func(name string) string {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}
	text := done(exitPass, "import", "pcap", first, second, "-o", "traffic", "--full")
	require.Contains(t, text, "Packets of 128 to 1023 B take, in µs: Net 1.6")
	require.Equal(t, text, done(exitPass, "report", "traffic")+"run directory: traffic\n")
	require.Contains(t, done(exitPass, "import", "pcap", first, second, "--same-clock", "-q", "--full"), "one clock for both captures")
	require.Contains(t, done(exitPass, "diff", "traffic", "sigview-runs/pcap-001"), "Net of 128_to_1023")
	done(exitPass, "export", "traffic", "--to", "perfetto", "-o", "trace")
	done(exitPass, "export", "traffic", "--to", "csv", "-o", "csv")
	require.Contains(t, read("csv/packets.csv"), "stream,0,0,1,0,")
	require.NotContains(t, read("csv/packets.csv"), ",0,0,0,", "stages without stamps are not of length 0")
	for _, view := range []string{"overview", "timeline", "clock"} {
		done(exitPass, "view", "traffic", "--view", view, "--export", view+".txt", "--geometry", "120x40")
		text += read(view + ".txt")
	}
	text += done(exitPass, "report", "traffic", "--full", "--format", "html") + done(exitPass, "trace", "traffic") + done(exitPass, "diff", "traffic", "traffic")
	for _, model := range []string{"simulated", "host request", "seed ", "verified", "waiting for", "firmware", "end missing", "cost of the trace"} {
		require.NotContains(t, text, model)
	}
	require.Contains(t, done(exitUsage, "why", "traffic"), "is of real hosts, want a run of the model")
}
