package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace/rundir"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
)

// TestEveryFormatComesFromTheReports prints one run and one comparison with
// the real reports; what they look like is tested there.
func TestEveryFormatComesFromTheReports(t *testing.T) {
	t.Chdir(t.TempDir())
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "-q", "-o", "before")
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "--seed", "2", "-q", "-o", "slow")
	run, err := explain.ReadSummary("before")
	require.NoError(t, err)
	slow, err := explain.ReadSummary("slow")
	require.NoError(t, err)
	side := func(run trace.Run) compare.Side {
		return compare.Side{Name: run.Dir, Runs: []compare.Run{compare.Of(run)}}
	}
	d := report.Diff{Comparison: compare.Compare(side(run), side(slow), 0), Verdict: compare.Pass}

	for _, format := range (formats{}).Words().Names() {
		var one, two bytes.Buffer
		require.NoError(t, printRun(&one, &run, format, report.Style{}))
		require.NoError(t, printDiff(&two, d, format, report.Style{}))
		for _, out := range []*bytes.Buffer{&one, &two} {
			require.True(t, bytes.HasSuffix(out.Bytes(), []byte("\n")), "%s ends its last line", format)
			require.Equal(t, format == formatJSON, json.Valid(out.Bytes()), format)
			require.Equal(t, format == formatHTML || format == formatPage, bytes.Contains(out.Bytes(), []byte("<html")), format)
		}
		require.Contains(t, one.String(), "fft")
		require.Contains(t, two.String(), "slow")
	}
	require.Panics(t, func() { _ = printRun(&bytes.Buffer{}, &run, "pdf", report.Style{}) })
}

// TestFigures: a figure is chosen by its name, has the size that is asked for, and says what has made it.
func TestFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	s := viewed{t: t}
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "-q", "-o", "it's <b>")
	svg := s.command("report", "it's <b>", "--format", "svg", "--figure", "run-time", "--size", "178x60.5mm")
	require.Contains(t, svg, `width="178mm" height="60.5mm"`)
	require.Contains(t, svg, "<desc>sigview report &#39;it&#39;\\&#39;&#39;s &lt;b&gt;&#39; --figure run-time --format svg --size 178x60.5mm</desc>")
	require.Contains(t, svg, ">node 1</text>")
	require.Contains(t, s.command("report", "it's <b>", "--format", "pdf"), "/MediaBox [0 0 240.94 170.08]", "one column")
	for words, want := range map[string]string{
		"--figure run-time":            "--figure and --size are of figures, want them with --format svg, png, pdf",
		"--format svg --figure x":      `--figure is "x", want one of way-`,
		"--format svg --size 9x9mm":    "size is 9x9mm, want ",
		"--format svg --size 85x60":    "85x60",
		"--format svg --size 85x-60mm": "85x-60mm",
		"--format svg --size NaNx60mm": "NaNx60mm",
	} {
		a, _, stderr := realApp()
		require.Equal(t, exitUsage, a.run(t.Context(), append([]string{"report", "it's <b>"}, strings.Fields(words)...)), words)
		require.Contains(t, stderr.String(), want)
	}
}

// TestViewsOnPaper: an exported view has the size that is asked for, holds what it is of, and is refused where its letters would
// have less than 7 pt.
func TestViewsOnPaper(t *testing.T) {
	t.Chdir(t.TempDir())
	s := viewed{t: t}
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "-q", "-o", "run")
	s.command("view", "run", "--size", "178x90.5mm", "--theme", "light", "--export", "v.svg")
	svg := read(t, ".", "v.svg")
	require.Contains(t, svg, `width="178mm" height="90.5mm"`)
	require.Contains(t, svg, "<title>sigview view run --size 178x90.5mm --theme light</title>")
	s.command("view", "run", "--size", "178x90.5mm", "--export", "v.png")
	picture := []byte(read(t, ".", "v.png"))
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	require.NoError(t, err)
	_, after, ok := bytes.Cut(picture, []byte("pHYs"))
	require.True(t, ok)
	dots := float64(binary.BigEndian.Uint32(after)) // a metre
	require.InDelta(t, 178, float64(size.Width)/dots*1000, 0.05)
	require.InDelta(t, 90.5, float64(size.Height)/dots*1000, 0.05)
	require.Contains(t, string(picture), "sigview view run --size 178x90.5mm")
	for _, words := range []string{"--size 85x60mm --export v.svg", "--size 178x90mm", "--size 178x90mm --geometry 80x24 --export v.svg"} {
		a, _, stderr := realApp()
		require.Equal(t, exitUsage, a.run(t.Context(), append([]string{"view", "run"}, strings.Fields(words)...)), words)
		require.Contains(t, stderr.String(), "want ")
	}
}

// TestStoredOperations: the report of a stored run has the operations and phases that the run
// had in memory.
func TestStoredOperations(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, stderr := realApp()
	require.Equal(t, exitPass, a.run(t.Context(), []string{"run", "fft", "--nodes", "2", "--size", "1K", "--trace", "-o", "run", "-q"}), stderr)
	summary, err := rundir.ReadSummary("run")
	require.NoError(t, err)
	summary.Dir = "run"
	require.Empty(t, report.Of(summary).Operations)
	stored, err := report.OfStored(&summary, true)
	require.NoError(t, err)
	whole, err := rundir.ReadRun("run")
	require.NoError(t, err)
	require.NotEmpty(t, stored.Operations)
	require.NotEmpty(t, stored.Phases)
	require.Equal(t, report.Of(whole).Operations, stored.Operations)
	require.Equal(t, report.Of(whole).Phases, stored.Phases)
	require.NotNil(t, stored.Timeline)
	stored, err = report.OfStored(&whole, false)
	require.NoError(t, err)
	require.Nil(t, stored.Timeline, "it was not asked for")
}
