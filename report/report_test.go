package report

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

func signature(t testing.TB, l synth.Load) analysis.Signature {
	t.Helper()
	s := analysis.Summarize(l.Snapshot())
	return s
}

// sample is a run the way a caller makes one.
func sample(t testing.TB) trace.Run {
	t.Helper()
	load := synth.FFT()
	load.Packets[256] = 0
	load.Packets[300] = 1
	snap := load.Snapshot()
	s := analysis.Summarize(snap)
	base, err := analysis.NewBaseline(signature(t, synth.Unloaded()), 0)
	require.NoError(t, err)
	run := trace.Run{Manifest: synth.Manifest(8), Histograms: analysis.Histograms(snap)}
	run.Manifest.Warnings = []string{"the platform's profile has 3 assumed parameters"}
	s.Against(base).Store(&run)
	analysis.AddLosses(&run.Manifest.Lost, snap.Losses())
	for round := range int64(2) {
		for node := range int64(8) {
			row := trace.ClockRow{Estimator: "midpoint", Round: round, Node: node, TimeNs: round * 300e9, OffsetNs: 1000.5 * float64(node)}
			if round > 0 {
				row.RatePPB, row.ResidualNs = trace.Some(12.25*float64(node)), trace.Some(-3.5)
				row.BoundNs, row.TrueErrorNs = trace.Some(450.0), trace.Some(float64(node)/3)
			}
			run.Clock = append(run.Clock, row)
		}
	}
	return run
}

var golden = []goldie.Option{goldie.WithFixtureDir("testdata"), goldie.WithDiffEngine(goldie.ColoredDiff)}

func TestTextGolden(t *testing.T) {
	r := Of(sample(t))
	g := goldie.New(t, golden...)
	g.Assert(t, "run80", []byte(Text(r, Style{})))
	g.Assert(t, "run80ascii", []byte(Text(r, Style{ASCII: true})))
	g.Assert(t, "run140", []byte(Text(r, Style{Width: 140, Full: true})))
	g.Assert(t, "runmd", []byte(Markdown(r)))
}

func TestTextFitsItsWidth(t *testing.T) {
	r := Of(sample(t))
	for _, width := range []int{80, 100, 110, 120, 160, 200} {
		for _, line := range strings.Split(Text(r, Style{Width: width}), "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), width, line)
		}
	}
}

func TestColourOnlyOnRequestAndNeverAlone(t *testing.T) {
	r := Of(sample(t))
	plain, coloured := Text(r, Style{}), Text(r, Style{Colour: true})
	require.NotContains(t, plain, "\x1b")
	require.Contains(t, coloured, "\x1b[")
	require.Equal(t, plain, regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured, ""))
}

func TestASCII(t *testing.T) {
	for _, c := range Text(Of(sample(t)), Style{ASCII: true}) {
		require.Less(t, c, rune(0x80), "%q", c)
	}
}

// TestJSONKeys holds the keys that scripts rely on.
func TestJSONKeys(t *testing.T) {
	data, err := JSON(Of(sample(t)))
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(data, &doc))
	for _, key := range strings.Fields("schema_version tool_version workload platform nodes seed verified simulated_s packets lost signature classes pairs") {
		require.Contains(t, doc, key)
	}
	require.IsType(t, "", doc["platform"])
	require.IsType(t, map[string]any{}, doc["lost"])
	seen := map[string]bool{}
	for _, list := range []struct{ name, keys string }{
		{"signature", "tag kind size_lo_bytes size_hi_bytes count"}, {"classes", "tag kind class count"}, {"pairs", "tag kind sender receiver count"},
	} {
		rows := doc[list.name].([]any)
		require.NotEmpty(t, rows)
		for _, x := range rows {
			r := x.(map[string]any)
			seen[list.name+" "+r["kind"].(string)] = true
			for _, key := range strings.Fields(list.keys) {
				require.Contains(t, r, key)
			}
			for _, stage := range strings.Fields("source lanai net dest net_minus_lanai") {
				l := r[stage].(map[string]any)
				for _, key := range strings.Fields("mean_us baseline_us deviation_us ci_lo_us ci_hi_us p50_us p99_us") {
					require.Contains(t, l, key)
				}
				if l["p99_us"] == nil {
					require.NotEmpty(t, l["p99_reason"])
				}
			}
		}
	}
	for _, key := range []string{"signature all", "signature data", "classes all", "pairs all"} {
		require.True(t, seen[key], key)
	}
}

func TestJSONOfNothingHasNoNullLists(t *testing.T) {
	data, err := JSON(Run{})
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(data, &doc))
	for _, key := range strings.Fields("signature classes pairs warnings summary findings run_time_shares tags") {
		require.IsType(t, []any{}, doc[key], key)
	}
}

func TestReportsOfAnEmptyRun(t *testing.T) {
	r := Of(trace.Run{Manifest: synth.Manifest(2)})
	require.Contains(t, Text(r, Style{}), "No packets were recorded")
	require.Contains(t, HTML(r), "No packets were recorded")
	require.Contains(t, Markdown(r), "No packets were recorded")
}

// TestHTML: the page is well-formed, loads nothing, and holds both plots.
func TestHTML(t *testing.T) {
	run := sample(t)
	run.Manifest.Workload = `<script>alert("x")</script>`
	page := HTML(Of(run))
	require.NotContains(t, page, "<script>alert")
	require.Equal(t, 1, strings.Count(page, "<script"), "the page's own")
	require.NotContains(t, page, "http")
	require.Contains(t, page, "<svg")
	require.NotContains(t, page, "NaN")
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, page, HTML(Of(run)), "same result, same bytes")
}

func TestUnverifiedIsLoud(t *testing.T) {
	run := sample(t)
	run.Manifest.Verified = false
	run.Manifest.Lost = trace.Lost{Undetected: 2}
	text := strings.Join(strings.Fields(Text(Of(run), Style{})), " ")
	require.Contains(t, text, "RESULT NOT VERIFIED")
	require.Contains(t, text, "2 corrupted and not detected")
}

func TestDiff(t *testing.T) {
	b := synth.FFT()
	b.AddNs[trace.Dest] += 3000
	one := Diff{Comparison: compare.Compare(
		compared(t, "before", 1, synth.FFT(), func(*trace.Manifest) {}), compared(t, "after", 1, b, func(*trace.Manifest) {}), 30)}
	conditions, err := compare.ParseConditions("dest>10%")
	require.NoError(t, err)
	one.Verdict, one.Judgements = one.Check(conditions)
	require.Equal(t, compare.Inconclusive, one.Verdict)
	d := moved(t)
	require.Equal(t, compare.Fail, d.Verdict)
	g := goldie.New(t, golden...)
	g.Assert(t, "diff80", []byte(Text(one, Style{})))
	g.Assert(t, "diff120", []byte(Text(d, Style{Width: 120})))
	for _, x := range []Diff{one, d} {
		for _, line := range strings.Split(Text(x, Style{}), "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
		}
	}
	data, err := DiffJSON(d, "v0.1.0")
	require.NoError(t, err)
	var doc struct {
		Verdict string `json:"verdict"`
		Differs []struct{ Field, A, B string }
		RunTime struct {
			Diff  float64 `json:"difference_us"`
			Parts []struct {
				Part   string
				Points float64
			}
		} `json:"run_time"`
		Cells []struct {
			Quantity string
			Diff     *float64 `json:"difference"`
		}
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Equal(t, "fail", doc.Verdict)
	require.Contains(t, doc.Differs, struct{ Field, A, B string }{"platform.name", "shrimp", "ppro"})
	require.Equal(t, "pages", doc.RunTime.Parts[0].Part)
	require.Len(t, doc.Cells, len(d.Cells)-4, "what is nought on both sides is left out")
}

// TestRunDirectory writes a run, reads it back, and makes the same report of
// it. With SIGVIEW_SAMPLE set to a new directory the run stays there, with
// report.json and report.txt beside it, for a look with other tools.
func TestRunDirectory(t *testing.T) {
	dir := os.Getenv("SIGVIEW_SAMPLE")
	if dir == "" {
		dir = t.TempDir()
	}
	run := sample(t)
	target := filepath.Join(dir, "run")
	require.NoError(t, rundir.WriteRun(context.Background(), target, run))
	back, err := rundir.ReadRun(target)
	require.NoError(t, err)
	require.Equal(t, Text(Of(run), Style{}), Text(Of(back), Style{}))
	want, err := JSON(Of(run))
	require.NoError(t, err)
	got, err := JSON(Of(back))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report.json"), got, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report.txt"), []byte(Text(Of(back), Style{})), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report.html"), []byte(HTML(Of(back))), 0o600))
}

func TestBoundsAreShown(t *testing.T) {
	l := synth.Load{Seed: 1, Nodes: 2, Packets: map[int]int{64: 60}, AddNs: [trace.NumStages]int64{trace.Dest: 100_000_000}}
	run := trace.Run{Manifest: synth.Manifest(2)}
	signature(t, l).Store(&run)
	r := Of(run)
	data, err := JSON(r)
	require.NoError(t, err)
	require.Contains(t, string(data), `"p50_bound": "lower"`)
	require.Regexp(t, `Dest .* >\d+`, Text(r, Style{}))
}
