package report

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
)

func TestChartAxes(t *testing.T) {
	c := Chart{Curves: []Curve{{Dots: []Dot{{X: 4, Y: 10}, {X: 1024, Y: 90, Hi: 95}}}}}
	x, y := c.axes()
	require.Zero(t, x.at(4))
	require.InDelta(t, 0.5, x.at(64), 1e-12)
	require.Equal(t, 1., x.at(1024))
	require.Zero(t, y.at(0))
	require.Less(t, y.at(95), 1.)
	var texts []string
	for _, tick := range y.round() {
		texts = append(texts, tick.text)
	}
	require.Equal(t, []string{"0", "20", "40", "60", "80"}, texts)
	require.Equal(t, []tick{{4, "4"}, {32, "32"}, {256, "256"}}, x.powersOfTwo(3))

	c.LogY = true
	_, y = c.axes()
	require.Equal(t, []tick{{10, "10"}, {100, "100"}}, y.round())
	require.Equal(t, "1K 1M 4M 0.5", strings.Join([]string{short(1 << 10), short(1 << 20), short(4 << 20), short(0.5)}, " "))
}

// TestTextChartPlacesDots: the letter of the greatest value stands highest, and
// two curves at one place are a star.
func TestTextChartPlacesDots(t *testing.T) {
	c := Chart{Title: "costs", XName: "M", YName: "µs", Curves: []Curve{
		{"up", []Dot{{X: 1, Y: 0}, {X: 2, Y: 5}, {X: 4, Y: 10}}},
		{"flat", []Dot{{X: 1, Y: 5}, {X: 2, Y: 5}, {X: 4, Y: 5}}},
	}, Bands: []Band{{"rising", 1, 4}}}
	var b strings.Builder
	Style{Width: 60}.chart(&b, c)
	lines := strings.Split(b.String(), "\n")
	row := func(mark string) []int {
		var at []int
		for i, l := range lines {
			if _, field, ok := strings.Cut(l, "|"); ok && strings.Contains(field, mark) {
				at = append(at, i)
			}
		}
		return at
	}
	a, flat, star := row("a"), row("b"), row("*")
	require.Len(t, a, 2)
	require.Len(t, flat, 1)
	require.Equal(t, flat, star)
	require.Less(t, a[0], flat[0])
	require.Greater(t, a[1], flat[0])
	require.Contains(t, b.String(), "rising")
	require.Contains(t, b.String(), "a up; b flat; * several")
}

// TestChartsOfAnything: whatever the values, every format draws without a
// crash and within its bounds.
func TestChartsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 1e7), rapid.Just(0.), rapid.Just(1e-9))
		c := Chart{Title: "t", XName: "x", YName: "y", LogY: rapid.Bool().Draw(t, "log")}
		for range rapid.IntRange(0, 10).Draw(t, "curves") {
			k := Curve{Name: "k"}
			for range rapid.IntRange(0, 6).Draw(t, "dots") {
				v := value.Draw(t, "y")
				k.Dots = append(k.Dots, Dot{X: float64(rapid.IntRange(0, 1<<22).Draw(t, "x")), Y: v, Lo: v / 2, Hi: v * 2})
			}
			c.Curves = append(c.Curves, k)
		}
		style := Style{Width: rapid.IntRange(40, 200).Draw(t, "width"), ASCII: true}
		var b strings.Builder
		style.chart(&b, c)
		for _, line := range strings.Split(b.String(), "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), max(style.width(), 60))
		}
		require.NotContains(t, c.SVG(), "NaN")
		require.NotContains(t, c.SVG(), "Inf")
	})
	var b bytes.Buffer
	c := Chart{Title: "nothing", Curves: []Curve{{Name: "none", Dots: []Dot{{X: 1, Y: math.NaN()}}}}}
	require.NoError(t, c.PNG(&b))
	_, err := png.Decode(&b)
	require.NoError(t, err)
}

// TestCurvesCanBeToldApart by form and by colour, each alone.
func TestCurvesCanBeToldApart(t *testing.T) {
	byForm, byHue := map[string]bool{}, map[string]bool{}
	for _, f := range forms {
		byForm[f] = true
		require.GreaterOrEqual(t, len(outline(f)), 3)
	}
	for _, h := range hues {
		byHue[h.web] = true
	}
	require.Len(t, byForm, len(forms))
	require.Len(t, byHue, len(hues))
}

func TestLogPReports(t *testing.T) {
	known := func(us float64) logp.Estimate { return logp.Estimate{Value: us, Lo: us - 0.1, Hi: us + 0.1} }
	params := logp.Params{Os: known(2), Or: logp.Estimate{Reason: "o_r: no Δ lifts the gap"}, L: known(5), G: known(8), RTT: known(1234)}
	idle := known(3)
	sweep := bench.LogP{
		Place: bench.Place{Platform: "ppro", Layer: "fm"}, Method: "sweep", Pattern: "pair", Peers: 1, Monitor: "off", Noise: "ticks",
		Parameters: params, Idle: idle, Warnings: []string{"the sender <waits>"},
		Sizes: []bench.Size{{SizeBytes: 4, Params: &params, Idle: &idle}, {SizeBytes: 64, Params: &params, Idle: &idle}},
	}
	one := LogP{Seed: 7, Results: []bench.LogP{sweep}}
	text := LogPText(one, Style{Width: 80})
	for _, want := range []string{"LogP parameters of fm on ppro", "host noise: ticks", "not identifiable: o_r: no Δ lifts the gap", "1234", "617", "the sender <waits>"} {
		require.Contains(t, text, want)
	}
	ascii := LogPText(one, Style{ASCII: true})
	for _, r := range ascii {
		require.Less(t, r, rune(128), "%q", r)
	}
	require.Contains(t, LogPHTML(one), "the sender &lt;waits&gt;")
	require.Contains(t, LogPMarkdown(one), "```text")

	sun := sweep
	sun.Platform = "sun"
	two := LogP{Results: []bench.LogP{sweep, sun}}
	require.Contains(t, LogPText(two, Style{}), "fm on 2 platforms")
	require.Contains(t, LogPText(two, Style{}), "a ppro; b sun")
	vmmc := sun
	vmmc.Layer = "vmmc"
	two.Results[0] = vmmc
	require.Contains(t, LogPText(two, Style{}), "2 layers on sun")
	two.Results[0].Platform = "ppro"
	require.Contains(t, LogPText(two, Style{}), "a vmmc on ppro; b fm on sun")
}

// TestNamesOfProfilesAreNoPaths: a profile may be called anything, the file of
// its chart may not.
func TestNamesOfProfilesAreNoPaths(t *testing.T) {
	x := bench.LogP{Place: bench.Place{Platform: "../my Ünit/2", Layer: "gam"}}
	require.Equal(t, "cost-.._my_Ünit_2-gam", CostChart(&x).Name)
}

// TestReasonsOfSizes: a dash among the sizes is explained, once for all that
// differ only by how much.
func TestReasonsOfSizes(t *testing.T) {
	negative := func(n int, why string) bench.Size {
		ok := logp.Estimate{Value: 1, Lo: 1, Hi: 1}
		return bench.Size{SizeBytes: n, Params: &logp.Params{Os: ok, Or: ok, L: logp.Estimate{Reason: why}, G: ok, RTT: ok}}
	}
	require.Equal(t, []string{"64, 4096 B: L is negative: too much", "256 B: L: no RTT"}, reasons([]bench.Size{
		negative(64, "L is negative: too much (-3 µs)"), negative(256, "L: no RTT"), negative(4096, "L is negative: too much (-40 µs)"), {SizeBytes: 7, Bulk: &bench.Bulk{}},
	}))
}

// TestWideComparisonsAreCut: columns that do not fit go below, with the sizes
// again, and none is lost.
func TestWideComparisonsAreCut(t *testing.T) {
	var r Bandwidth
	for i := range 12 {
		r.Results = append(r.Results, bench.Bandwidth{
			Place: bench.Place{Platform: "platform", Layer: "layer" + strings.Repeat("x", i)}, Test: "unidirectional",
			Points: []bench.BandwidthPoint{{SizeBytes: 4, MBps: float64(i + 1)}, {SizeBytes: 64, MBps: 50}},
		})
	}
	for width, tables := range map[int]int{80: 3, 200: 1} {
		text := BandwidthText(r, Style{Width: width})
		require.Equal(t, tables, strings.Count(text, "\nsize, B "), text)
		for line := range strings.Lines(text) {
			require.LessOrEqual(t, utf8.RuneCountInString(line), width+1, line)
		}
		for i, x := range r.Results {
			require.Contains(t, text, x.Layer)
			require.Contains(t, text, bench.Digits(float64(i+1)))
		}
	}
}
