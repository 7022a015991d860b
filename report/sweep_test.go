package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// sweepOf has two layers on one, two or three numbers of nodes, one of them with free resources.
func sweepOf(nodes ...int64) Sweep {
	m := trace.SweepManifest{
		SchemaVersion: 1, ToolVersion: "v1", Name: "sample", Seeds: []uint64{1, 2}, Runs: int64(8 * len(nodes)),
		Failed:  []trace.SweepFailure{{Run: "x", Title: "fft on ppro, gam, 2 nodes, seed 2", Error: "a <message> was lost"}},
		Skipped: []trace.SweepSkip{{Combinations: []string{"fft on ppro, bip"}, Reason: "layer is bip, want one that carries programs"}},
	}
	var runs []trace.SweepRun
	for _, n := range nodes {
		for i, layer := range []string{"gam", "vmmc"} {
			for j, free := range []string{"", "pci"} {
				for seed := range int64(2) {
					r := trace.SweepRun{SweepPlace: trace.SweepPlace{Platform: "ppro", Layer: layer}}
					r.SweepKey = trace.SweepKey{Run: "x", Workload: "fft", Nodes: n, Size: trace.Some(int64(4096)), Uncontended: free, Seed: 1 + seed}
					r.State, r.RunTimeNs = trace.RunFinished, trace.Some(int64(64e6)/n+int64(i)*5e6-int64(j)*1e6+seed*1e5)
					for k, s := range trace.RecordedStages() {
						r.Stage(s).MeanNs = trace.Some(float64(int64(1+k) * n * 1000))
					}
					runs = append(runs, r)
				}
			}
		}
	}
	return SweepOf(m, runs)
}

func TestSweepReport(t *testing.T) {
	s := sweepOf(2, 4, 8)
	g := goldie.New(t, goldie.WithFixtureDir("testdata"))
	g.Assert(t, "sweep.txt", []byte(Text(s, Style{Width: 80})))
	doc, err := SweepJSON(s)
	require.NoError(t, err)
	require.True(t, json.Valid(doc))
	g.Assert(t, "sweep.json", doc)
	page := HTML(s)
	require.Contains(t, page, "a &lt;message&gt; was lost")
	require.Contains(t, page, "<svg")
	require.NotContains(t, page, "<message>")
	require.Contains(t, Markdown(s), "## Best layer by size")
}

// TestSweepPages: a page lists all combinations, however many, each with the way to its runs.
func TestSweepPages(t *testing.T) {
	nodes := make([]int64, manyCells)
	for i := range nodes {
		nodes[i] = int64(i + 1)
	}
	s := sweepOf(nodes...)
	s.Lead = func(runs string) Lead { return Lead{Text: "<view> " + runs} }
	body := func() (out string) {
		for _, part := range Sections(s) {
			out += string(part.Body)
		}
		return out
	}
	require.Equal(t, 4*manyCells, strings.Count(body(), "<code>&lt;view&gt; "))
	require.NotContains(t, body(), "--full")
	require.Contains(t, Text(s, Style{}), "--full")
	s.Lead = func(runs string) Lead { return Lead{Text: "page", To: "javascript:x"} }
	require.NotContains(t, body(), `href="javascript`)
}

// TestSweepOfOnePoint has nothing to draw, or to compare.
func TestSweepOfOnePoint(t *testing.T) {
	require.Empty(t, SweepPictures(sweepOf(2).Sweep))
	empty := Sweep{}
	require.Contains(t, Text(empty, Style{}), "0 runs")
	_, err := SweepJSON(empty)
	require.NoError(t, err)
}
