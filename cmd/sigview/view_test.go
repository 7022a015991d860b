package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

func realApp() (*app, *bytes.Buffer, *bytes.Buffer) {
	var stdout, stderr bytes.Buffer
	return newApp(&stdout, &stderr), &stdout, &stderr
}

// TestViewExportsARealRun goes from a run to pictures of every view.
func TestViewExportsARealRun(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, stderr := realApp()
	require.Equal(t, exitPass, a.run(t.Context(), []string{"run", "fft", "--nodes", "4", "--size", "4K", "-o", "run", "-q"}), stderr)
	for _, view := range views.Views() {
		a, _, stderr := realApp()
		require.Equal(t, exitPass, a.run(t.Context(), []string{"view", "run", "--view", view, "--geometry", "100x30", "--export", view + ".svg"}), stderr)
		info, err := os.Stat(view + ".svg")
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(100_000))
	}
	a, _, _ = realApp()
	require.Equal(t, exitUsage, a.run(t.Context(), []string{"view", "run"}), "no terminal here")
	for _, wrong := range [][]string{{"--view", "x"}, {"--theme", "x"}, {"--glyphs", "x"}, {"--select", "stage=x"}, {"--geometry", "big"}, {"--geometry", "10x10x10"}} {
		a, _, _ := realApp()
		require.Equal(t, exitUsage, a.run(t.Context(), append([]string{"view", "run", "--export", "x.svg"}, wrong...)), wrong)
		require.NoFileExists(t, "x.svg")
	}
	a, _, stderr = realApp()
	require.Equal(t, exitUsage, a.run(t.Context(), []string{"view", "run", "--export", "x.gif"}))
	require.Contains(t, stderr.String(), ".svg, .png")
	a, _, stderr = realApp()
	require.Equal(t, exitFailure, a.run(t.Context(), []string{"view", "nowhere", "--export", "x.svg"}))
	require.Contains(t, stderr.String(), "run.json")
}

// TestViewOfDamagedDirectories: each says what is wrong with it.
func TestViewOfDamagedDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, stderr := realApp()
	require.Equal(t, exitPass, a.run(t.Context(), []string{"run", "fft", "--nodes", "2", "--size", "1K", "-o", "good", "-q"}), stderr)
	manifest, err := os.ReadFile("good/run.json")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"empty":   {nil, "run.json"},
		"half":    {map[string]string{"run.json": string(manifest)}, "signature.arrow"},
		"cut":     {map[string]string{"run.json": string(manifest[:len(manifest)/2])}, "run.json"},
		"foreign": {map[string]string{"run.json": `{"name": "something else"}`}, "schema_version"},
		"newer":   {map[string]string{"run.json": `{"schema_version": 99}`}, "99"},
	} {
		require.NoError(t, os.Mkdir(name, 0o755))
		for file, text := range c.files {
			require.NoError(t, os.WriteFile(filepath.Join(name, file), []byte(text), 0o644))
		}
		a, _, stderr := realApp()
		require.Equal(t, exitFailure, a.run(t.Context(), []string{"view", name, "--export", "x.txt"}), name)
		require.Contains(t, stderr.String(), c.want, name)
	}
}

// TestViewOfMeasurements: what logp and bandwidth leave is shown, alone and
// overlaid; what is not whole says so.
func TestViewOfMeasurements(t *testing.T) {
	t.Chdir(t.TempDir())
	do := func(want int, words ...string) string {
		a, _, stderr := realApp()
		require.Equal(t, want, a.run(t.Context(), words), stderr)
		return stderr.String()
	}
	do(exitPass, "logp", "--platform", "ppro", "--layer", "gam", "-o", "gam", "-q")
	do(exitPass, "logp", "--platform", "meiko", "-o", "meiko", "-q")
	do(exitPass, "bandwidth", "--platform", "ppro", "--layer", "gam", "--size", "64,1K", "-o", "widths", "-q")
	do(exitPass, "view", "gam", "meiko", "widths", "--export", "x.txt")
	text, err := os.ReadFile("x.txt")
	require.NoError(t, err)
	for _, want := range []string{"message cost, µs, by M", "gam on ppro", "b gam on meiko", "knee", "c gam on ppro, pingpong"} {
		require.Contains(t, string(text), want)
	}
	do(exitPass, "view", "widths", "--export", "y.csv")
	text, err = os.ReadFile("y.csv")
	require.NoError(t, err)
	require.Contains(t, string(text), "widths,ppro,gam,pingpong,pingpong,1024,")
	whole, err := os.ReadFile("gam/logp.json")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir("cut", 0o755))
	require.NoError(t, os.WriteFile("cut/logp.json", whole[:len(whole)/2], 0o644))
	require.Contains(t, do(exitFailure, "view", "cut", "--export", "z.txt"), "cut: logp.json")
	require.NoFileExists(t, "z.txt")
}

// packetsOfBench is how many packets BenchmarkOpen puts into its run;
// SIGVIEW_BENCH_PACKETS makes it more.
const packetsOfBench = 500_000

// BenchmarkOpen measures a run with a long trace: the first picture, then the
// trace, with the memory that the whole takes.
func BenchmarkOpen(b *testing.B) {
	n := packetsOfBench
	if v, err := strconv.Atoi(os.Getenv("SIGVIEW_BENCH_PACKETS")); err == nil {
		n = v
	}
	dir := longRun(b, n)
	state := func() *tui.State {
		s, err := tui.Options{}.State(&bytes.Buffer{})
		require.NoError(b, err)
		return s
	}
	b.Run("first picture", func(b *testing.B) {
		for b.Loop() {
			s := state()
			require.NoError(b, tui.Load(tui.Options{Dirs: []string{dir}}, s))
			tui.Draw(s, 120, 40)
		}
	})
	b.Run("trace", func(b *testing.B) {
		for b.Loop() {
			s := state()
			require.NoError(b, tui.Load(tui.Options{Dirs: []string{dir}}, s))
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/1e6, "MB")
			b.ReportMetric(float64(n), "packets")
			tui.Draw(s, 120, 40)
		}
	})
}

// BenchmarkReport measures a page about a run with a long trace, with the memory that it
// takes.
func BenchmarkReport(b *testing.B) {
	n := packetsOfBench
	if v, err := strconv.Atoi(os.Getenv("SIGVIEW_BENCH_PACKETS")); err == nil {
		n = v
	}
	dir := longRun(b, n)
	for b.Loop() {
		a, _, stderr := realApp()
		require.Equal(b, exitPass, a.run(b.Context(), []string{"report", dir, "--format", "html"}), stderr)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/1e6, "MB")
		b.ReportMetric(float64(n), "packets")
	}
}

// longRun is a real run with a made-up trace of n packets.
func longRun(b *testing.B, n int) string {
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size = 16, 4096
	run, err := experiment.Run(context.Background(), spec, nil)
	require.NoError(b, err)
	run.Manifest.Spec = json.RawMessage(`{}`)
	run.Packets = func(yield func(trace.PacketRow) bool) {
		for i := range n {
			at := int64(i) * run.Manifest.SimulatedNs / int64(n)
			if !yield(trace.PacketRow{
				Kind: trace.Data.String(), Sender: int64(i % 16), Receiver: int64((i + 1) % 16), Number: int64(i), SizeBytes: 64, First: true,
				T1Ns: trace.Some(at), T2Ns: trace.Some(at + 5000), T3Ns: trace.Some(at + 5500), T4Ns: trace.Some(at + 7000), T5Ns: trace.Some(at + 11000), T6Ns: trace.Some(at + 15000),
				SourceNs: trace.Some(int64(5000)), LANaiNs: trace.Some(int64(2000)), NetNs: trace.Some(int64(5500)), DestNs: trace.Some(int64(4000)),
			}) {
				return
			}
		}
	}
	dir := filepath.Join(b.TempDir(), "run")
	require.NoError(b, rundir.WriteRun(context.Background(), dir, *run))
	return dir
}

// TestViewAndDiffAgree: the view of two runs, or sets, gives the verdict of sigview diff on each latency of each class.
func TestViewAndDiffAgree(t *testing.T) {
	t.Chdir(t.TempDir())
	for dir, line := range map[string]string{
		"one": "fft --nodes 2 --size 1K", "again": "fft --nodes 2 --size 1K", "other": "fft --nodes 2 --size 1K --seed 7", "free": "fft --nodes 2 --size 1K --uncontended membus",
		"set": "random --nodes 4 --count 200 --seeds 3", "same set": "random --nodes 4 --count 200 --seeds 3", "set of others": "random --nodes 4 --count 200 --seeds 4..6", "free set": "random --nodes 4 --count 200 --seeds 3 --uncontended pci,membus",
		"two programs": "random+incast --nodes 4 --count 100 --seeds 2", "free programs": "random+incast --nodes 4 --count 100 --seeds 2 --uncontended pci",
	} {
		sigview(t, append(append([]string{"run"}, strings.Fields(line)...), "-q", "-o", dir)...)
	}
	seen := map[string]int{}
	for _, pair := range [][2]string{{"one", "again"}, {"one", "other"}, {"one", "free"}, {"set", "set of others"}, {"set", "free set"}, {"free set", "set"}, {"set", "same set"}, {"two programs", "free programs"}} {
		var of struct {
			Cells []struct {
				Program, Class, Quantity, Outcome string
				Difference                        float64
			}
		}
		require.NoError(t, json.Unmarshal([]byte(sigview(t, "diff", pair[0], pair[1], "--format", "json")), &of))
		verdict := map[string]string{}
		for _, c := range of.Cells {
			level := map[string]string{"changed": "above", "same": "within", "cannot be told": "unclear"}[c.Outcome]
			if level == "above" && c.Difference < 0 {
				level = "below"
			}
			verdict[c.Program+"/"+c.Class+"/"+c.Quantity] = level
		}
		sigview(t, "view", pair[0], pair[1], "--view", "compare", "--export", "view.csv", "-q")
		text, err := os.ReadFile("view.csv")
		require.NoError(t, err)
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		require.NoError(t, err)
		at := func(row []string, column string) string { return row[slices.Index(rows[0], column)] }
		for _, r := range rows[1:] {
			program := ""
			if strings.HasSuffix(pair[0], "programs") {
				program = []string{"random", "incast"}[at(r, "tag")[0]-'0']
			}
			key := program + "/" + at(r, "class") + "/" + at(r, "stage")
			require.Contains(t, verdict, key)
			require.Equal(t, verdict[key], at(r, "level"), "%v %s", pair, key)
			seen[at(r, "level")]++
		}
	}
	require.Len(t, seen, 4, "each verdict: %v", seen)
}

// TestWhyTheSecondRunIsSlower: the first thing that is said of two traced runs is what makes the second one longer, on a small screen
// and as a page.
func TestWhyTheSecondRunIsSlower(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(dir string, flags ...string) {
		sigview(t, append([]string{"run", "fft", "--nodes", "4", "--size", "4K", "--trace=waits", "-q", "-o", dir}, flags...)...)
	}
	run("before")
	run("after", "--fault-stall", "1:2ms:20ms")
	sigview(t, "view", "before", "after", "--view", "compare", "--geometry", "80x24", "--export", "screen.txt")
	sigview(t, "diff", "before", "after", "--format", "page", "-o", "diff.html")
	for _, file := range []string{"screen.txt", "diff.html"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		before, _, found := strings.Cut(string(text), "node 1 takes no packets")
		require.True(t, found, file)
		require.NotContains(t, before, "under_128", "%s begins with it", file)
	}
}
