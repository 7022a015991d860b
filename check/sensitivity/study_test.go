package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers/judge"
)

// model has rows, each of which is a sum of a constant and of numbers times their
// weights, and is met up to a limit.
type model struct {
	rows  map[string]line
	usual map[string]float64 // of numbers
	runs  atomic.Int64
}

type line struct {
	constant float64
	weights  map[string]float64
	limit    float64
	noise    float64 // per seed
}

func (m *model) measure(_ context.Context, j job) (outcomes, error) {
	m.runs.Add(1)
	values := map[string]float64{}
	for path, v := range m.usual {
		values[path] = v
	}
	for _, n := range j.Numbers["meiko"] {
		values[n.Path] = n.Value
	}
	out := outcomes{}
	for _, id := range j.Rows {
		l := m.rows[id]
		v := l.constant + l.noise*float64(j.Seed*2%5) // the first seed is in the middle
		for path, w := range l.weights {
			v += w * values[path]
		}
		out[id] = outcome{Value: v, Met: v <= l.limit}
		if values["host.memory_mb"] > 35 && id == "breaks" {
			out[id] = outcome{Err: "too much"}
		}
	}
	return out, nil
}

func assumed(t *testing.T) ([]machine, []platform.Number) {
	all, err := machines("meiko")
	require.NoError(t, err)
	require.Len(t, all, 2)
	return all, all[0].assumed
}

func predicted(ids ...string) (out []judge.Row) {
	for _, id := range ids {
		out = append(out, judge.Row{ID: id, Numeric: true, Evidence: judge.Prediction, Quantity: "time"})
	}
	return out
}

// TestStudy finds, among all assumed numbers of a profile, those that a synthetic
// model's rows depend on.
func TestStudy(t *testing.T) {
	p, numbers := assumed(t)
	usual := map[string]float64{}
	for _, n := range numbers {
		usual[n.Path] = n.Value
	}
	part := func(path string, pct float64) float64 { return pct / 100 * 100 / (share * usual[path]) } // of a row of about 100
	const noticed, flop, load = "host.poll_notice_ns", "host.flop_ns", "host.load_ns"
	m := &model{usual: usual, rows: map[string]line{
		// Two times that add up: one matters, one is below what counts.
		"sum": {constant: 100, weights: map[string]float64{flop: part(flop, 5), load: part(load, 1)}, limit: 1e9},
		// Met as long as a rate does not fall: a limit without a figure that counts.
		"limit": {constant: 100, weights: map[string]float64{"host.mem_bus_mbps": -part("host.mem_bus_mbps", 1)}, limit: 100 - 1/share + 0.5},
		// Noise covers what a number does.
		"noise": {constant: 100, weights: map[string]float64{noticed: part(noticed, 4)}, limit: 1e9, noise: 2},
		"still": {constant: 7, limit: 8},
	}}
	s, err := run(t.Context(), m.measure, p, numbers, predicted("sum", "limit", "noise", "still"))
	require.NoError(t, err)
	got := map[string]map[string]change{}
	for _, f := range s.findings {
		for _, d := range directions {
			for id, c := range f.Rows[d] {
				at := fmt.Sprintf("%s %+.0f %%", f.Number.Path, 100*(f.Changed[d].Value/f.Number.Value-1))
				if got[at] == nil {
					got[at] = map[string]change{}
				}
				c.Pct = float64(int(c.Pct*10)) / 10
				got[at][id] = c
			}
		}
	}
	total := 100 + 5/share + 1/share
	require.Equal(t, map[string]map[string]change{
		"host.flop_ns +20 %":      {"sum": {Pct: float64(int(5/total*1000)) / 10}},
		"host.flop_ns -20 %":      {"sum": {Pct: float64(int(-5/total*1000)) / 10}},
		"host.mem_bus_mbps -20 %": {"limit": {Flips: true}},
	}, got)
	require.Less(t, m.runs.Load(), int64(len(numbers)), "screened in groups")
}

// A number whose change a row does not survive is found, and said so.
func TestFailures(t *testing.T) {
	p, numbers := assumed(t)
	m := &model{usual: map[string]float64{}, rows: map[string]line{"breaks": {constant: 1, limit: 2}}}
	s, err := run(t.Context(), m.measure, p, numbers, predicted("breaks"))
	require.NoError(t, err)
	require.Len(t, s.findings, 1)
	require.Equal(t, "host.memory_mb", s.findings[0].Number.Path)
	require.Equal(t, map[string]change{"breaks": {Fails: "too much"}}, s.findings[0].Rows[faster])

	m.usual["host.memory_mb"] = 1e6 // no row may fail on the profile as it is
	_, err = run(t.Context(), m.measure, p, numbers, predicted("breaks"))
	require.EqualError(t, err, "row breaks: too much")

	broken := func(context.Context, job) (outcomes, error) { return nil, context.Canceled }
	_, err = run(t.Context(), broken, p, numbers, predicted("breaks"))
	require.ErrorIs(t, err, context.Canceled)
}

func TestMoved(t *testing.T) {
	for _, c := range []struct {
		number         platform.Number
		slower, faster float64
	}{
		{platform.Number{Path: "host.flop_ns", Value: 50}, 60, 40},
		{platform.Number{Path: "host.mem_bus_mbps", Value: 100}, 80, 120},
		{platform.Number{Path: "ni.clock_hz", Value: 100, Whole: true}, 80, 120},
		{platform.Number{Path: "ni.loop.test_cycles", Value: 2, Whole: true}, 2, 2},
		{platform.Number{Path: "gam.tokens", Value: 16, Whole: true}, 13, 19},
		{platform.Number{Path: "gam.firmware.header_bytes", Value: 28, Whole: true}, 34, 22},
	} {
		require.InDelta(t, c.slower, moved(c.number, slower).Value, 1e-9, c.number.Path)
		require.InDelta(t, c.faster, moved(c.number, faster).Value, 1e-9, c.number.Path)
	}
	// What stays and what the profile does not accept is left out.
	p, err := platform.Load("meiko")
	require.NoError(t, err)
	group := []platform.Number{{Path: "ni.loop.test_cycles", Value: 1, Whole: true}, {Path: "host.cache_line_bytes", Value: 32, Whole: true}, {Path: "host.flop_ns", Value: 50}, {Path: "host.io_setup_ns"}}
	got := machine{p, group}.variable(append(group, platform.Number{Path: "host.int_ns", Value: 9}), slower)
	require.Equal(t, []platform.Number{{Path: "host.flop_ns", Value: 60}}, got)
}

// TestJob measures a row of the real model with a number changed.
func TestJob(t *testing.T) {
	defer platform.Vary("shrimp", platform.Overlay{})
	j := job{Seed: 1, Rows: []string{"sh-l2"}}
	usual, err := j.measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, outcome{Value: 512, Met: true, Note: usual["sh-l2"].Note}, usual["sh-l2"])
	j.Numbers = map[string][]platform.Number{"shrimp": {{Path: "host.l2_kb", Value: 256, Whole: true}}}
	changed, err := j.measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, 256.0, changed["sh-l2"].Value)
	require.False(t, changed["sh-l2"].Met)

	j.Numbers = map[string][]platform.Number{"shrimp": {{Path: "host.l2_kb", Value: -1}}}
	broken, err := j.measure(t.Context())
	require.NoError(t, err)
	require.Contains(t, broken["sh-l2"].Err, `overlay "sensitivity" of shrimp: host.l2_kb`)
	j.Rows = []string{"logp-none"}
	_, err = j.measure(t.Context())
	require.EqualError(t, err, `no row "logp-none"`)
}

func TestPage(t *testing.T) {
	n := platform.Number{Path: "host.flop_ns", Value: 50}
	low, high := moved(n, faster), moved(n, slower)
	r := report{platform: "meiko", numbers: 9, study: &study{
		machines: []machine{{&platform.Profile{Name: "meiko"}, []platform.Number{n}}, {&platform.Profile{Name: "meiko50"}, []platform.Number{n}}},
		usual:    map[string]usual{"a": {row: predicted("a")[0], met: true, mean: 4}, "b": {row: predicted("b")[0]}},
		findings: []finding{{Number: n, Changed: [2]*platform.Number{&high, &low}, Rows: [2]map[string]change{
			{"a": {Pct: 3.21, Flips: true}, "b": {Flips: true}}, {"a": {Fails: "why"}},
		}}},
	}}
	var page bytes.Buffer
	writePage(&page, predicted("a", "b"), []report{r}, []string{"ppro.fm", "ppro.pm"})
	require.Contains(t, page.String(), "**1 of 1 predicted and provoked rows hinge on an assumed number.**")
	require.Contains(t, page.String(), "| `a` | time | `host.flop_ns` of meiko and meiko50 |\n")
	require.Contains(t, page.String(), "| `host.flop_ns` | 50 | 40: cannot be measured: `a` | 60: `a` +3.2 % and is not met, `b` is met |\n")
	require.Contains(t, page.String(), "Not studied, for want of time: `ppro.fm`, `ppro.pm`.\n")
	require.NotContains(t, page.String(), "more cannot be measured", "a hinges already")
	require.Equal(t, "row,number\na,host.flop_ns of meiko and meiko50\n", string(hinges(predicted("a", "b"), []report{r})))
	require.Contains(t, string(everything([]report{r})), "meiko,host.flop_ns,50 to 40,a,predicted,4,0,true,false,why\n")
}

// What rows hinge on is still a number that is assumed.
func TestHingesAreAssumed(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	known := map[string]bool{}
	for _, name := range platform.Names() {
		all, err := machines(name)
		require.NoError(t, err)
		for _, n := range all[0].assumed {
			known[n.Path+" of "+strings.Join(sharing(all, n), " and ")] = true
		}
	}
	for _, row := range table.Rows {
		for _, on := range row.HingesOn {
			require.True(t, known[on], "%s: %s: run `make sensitivity`", row.ID, on)
		}
	}
}

func TestHeadlineRows(t *testing.T) {
	rows, err := watched("")
	require.NoError(t, err)
	figures := map[string]bool{}
	for _, row := range rows {
		figures[row.ID] = figure(row)
		require.True(t, row.Numeric || !figure(row), row.ID)
	}
	for _, id := range headline {
		require.True(t, figures[id], id)
	}
	require.Contains(t, figures, "sh-fft-pattern")
	require.False(t, figures["sh-fft-pattern"])
}

// TestEveryPlatformIsEntered: a new platform is entered with its papers. One without any has no
// rows and is not studied.
func TestEveryPlatformIsEntered(t *testing.T) {
	rows, err := watched("")
	require.NoError(t, err)
	for _, name := range platform.Names() {
		papers, entered := studies[name]
		require.True(t, entered, name)
		require.Equal(t, len(papers) > 0, len(on(name, rows)) > 0, name)
		require.Equal(t, len(papers) > 0, slices.Contains(published(), name), name)
	}
	require.Len(t, studies, len(platform.Names()))
}
