package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
)

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
	text := Text(one, Style{Width: 80})
	for _, want := range []string{"LogP parameters of fm on ppro", "host noise: ticks", "not identifiable: o_r: no Δ lifts the gap", "1234", "617", "the sender <waits>"} {
		require.Contains(t, text, want)
	}
	ascii := Text(one, Style{ASCII: true})
	for _, r := range ascii {
		require.Less(t, r, rune(128), "%q", r)
	}
	require.Contains(t, HTML(one), "the sender &lt;waits&gt;")
	require.Contains(t, Markdown(one), "```text")

	sun := sweep
	sun.Platform = "sun"
	two := LogP{Results: []bench.LogP{sweep, sun}}
	require.Contains(t, Text(two, Style{}), "fm on 2 platforms")
	require.Contains(t, Text(two, Style{}), "a ppro; b sun")
	vmmc := sun
	vmmc.Layer = "vmmc"
	two.Results[0] = vmmc
	require.Contains(t, Text(two, Style{}), "2 layers on sun")
	two.Results[0].Platform = "ppro"
	require.Contains(t, Text(two, Style{}), "a vmmc on ppro; b fm on sun")
}

// TestNamesOfProfilesAreNoPaths: a profile may be called anything, the file of
// its chart may not.
func TestNamesOfProfilesAreNoPaths(t *testing.T) {
	x := bench.LogP{Place: bench.Place{Platform: "../my Ünit/2", Layer: "gam"}}
	require.Equal(t, "cost-.._my_Ünit_2-gam", chartOfCosts(&x).Name)
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
		text := Text(r, Style{Width: width})
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
