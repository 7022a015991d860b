package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
)

// ni is the name of the stage in text.
var ni = regexp.MustCompile(`\bNI\b`)

// TestRealHostsHaveNoLANai: whatever shows a run of real hosts says NI where it says LANai of a modelled one.
func TestRealHostsHaveNoLANai(t *testing.T) {
	first, err := filepath.Abs("../../docs/samples/sender.pcap")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	done := runner(t)
	captured := done(exitPass, "import", "pcap", first, filepath.Join(filepath.Dir(first), "receiver.pcap"), "-o", "traffic", "--full")
	live := done(exitPass, "live", "--count", "300", "--message-sizes", "64,1K", "-o", "ping", "--full")
	run := done(exitPass, "run", "pingpong", "--trace", "--count", "50", "-o", "model", "--full")
	for made, text := range map[string]string{"traffic": captured, "ping": live, "model": run} {
		shown := everyView(t, made)
		for _, format := range []string{"text", "md", "html", "json"} {
			shown["report as "+format] = done(exitPass, "report", made, "--full", "--format", format)
		}
		shown["command"], shown["brief"], shown["diff"] = text, done(exitPass, "report", made), done(exitPass, "diff", made, made)
		done(exitPass, "export", made, "--to", "perfetto", "-o", made+".perfetto")
		shown["perfetto"] = read(t, ".", made+".perfetto")
		all := ""
		for what, text := range shown {
			if made != "model" {
				require.NotContains(t, text, "LANai", "%s of %s", what, made)
			} else {
				require.NotRegexp(t, ni, text, what)
			}
			all += text
		}
		if made == "model" {
			require.Contains(t, all, "LANai")
			continue
		}
		for _, what := range []string{"report as text", "report as md", "report as html", "signature stage=lanai.txt", "signature stage=lanai.svg"} {
			require.Regexp(t, ni, shown[what], "%s of %s", what, made)
		}
	}
}

// TestDiffHasTheWordsOfB: a comparison of real hosts with a model calls the stage as B does.
func TestDiffHasTheWordsOfB(t *testing.T) {
	t.Chdir(t.TempDir())
	done := runner(t)
	done(exitPass, "live", "--count", "300", "--message-sizes", "64,1K", "-o", "ping")
	done(exitPass, "run", "pingpong", "--count", "50", "-o", "model")
	modelled := done(exitPass, "diff", "ping", "model", "--unlike", "--full")
	require.Contains(t, modelled, "LANai of ")
	require.NotContains(t, modelled, "NI of ")
	real := done(exitPass, "diff", "model", "ping", "--unlike", "--full")
	require.Contains(t, real, "NI of ")
	require.NotContains(t, real, "LANai of ")
}

// everyView returns the files of all views of a run, with the stage and with the difference selected.
func everyView(t *testing.T, run string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, view := range views.Views() {
		for _, stage := range []string{"stage=lanai", "stage=net_minus_lanai"} {
			for _, format := range []string{".txt", ".svg", ".csv"} {
				a, _, stderr := realApp()
				if a.run(t.Context(), []string{"view", run, "--view", view, "--select", stage, "--geometry", "160x60", "--export", "view" + format}) != exitPass {
					require.Equal(t, ".csv", format, "%s of %s: %s", view, run, stderr) // not every view has one
					continue
				}
				out[view+" "+stage+format] = read(t, ".", "view"+format)
			}
		}
	}
	return out
}
