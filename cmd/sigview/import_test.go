package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/histo"
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
	require.Contains(t, done(exitPass, "diff", "traffic", "sigview-runs/pcap-001", "--full"), "Net of 128_to_1023")
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

// TestExportsOfCaptures hold what captures have, and say when it was and what they leave out: with one clock for two that are 7 ms
// apart, the 20 replies arrive before they are sent.
func TestExportsOfCaptures(t *testing.T) {
	first, err := filepath.Abs("../../live/capture/testdata/one-way.a.pcap")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	done := runner(t)
	read := func(name string) string {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}
	done(exitPass, "import", "pcap", first, strings.Replace(first, "one-way.a", "one-way.b", 1), "--same-clock", "-o", "run", "-q")
	done(exitPass, "export", "run", "--to", "hlog", "-o", "log")
	require.Contains(t, read("log"), "#latency.hlog has left out: 20 negative values")
	require.Contains(t, read("log"), "#[StartTime: 1700000000.000 (seconds since epoch), 2023-11-14T22:13:20Z]")
	list, err := histo.ReadLog([]byte(read("log")))
	require.NoError(t, err)
	for _, v := range list {
		require.EqualValues(t, 120, v.Hist.TotalCount(), v.Tag)
		require.Greater(t, v.Hist.Min(), int64(7_000_000), v.Tag)
	}
	done(exitPass, "export", "run", "--to", "hgrm", "-o", "percentiles")
	require.Contains(t, read("percentiles/tag0.all.net.hgrm"), "#latency.hlog has left out: 20 negative values")
	done(exitPass, "export", "run", "--to", "perfetto", "-o", "trace")
	require.Greater(t, len(read("trace")), 140*20, "a slice for each packet")
	done(exitPass, "export", "run", "--to", "csv", "-o", "csv")
	require.Contains(t, read("csv/run.csv"), "sigview.began,2023-11-14T22:13:20Z")
}
