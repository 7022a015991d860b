package analysis

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

func loaded(t *testing.T, add [trace.NumStages]int64) Signature {
	t.Helper()
	l := synth.FFT()
	l.AddNs = add
	l.PairNs = 100
	// The baseline's own sizes, so that nothing but the load deviates.
	l.Packets = map[int]int{32: 40, 64: 30, 96: 20, 128: 2, 512: 5, 1024: 6, 2048: 9, 4096: 25}
	return summarize(t, l).Against(baseline(t))
}

// TestDiagnosisNamesCandidatesOnly plants one cause at a time. The candidates are the
// resources in the path of the raised stages, without those that are free.
func TestDiagnosisNamesCandidatesOnly(t *testing.T) {
	type ns = [trace.NumStages]int64
	for _, c := range []struct {
		name string
		add  ns
		free []trace.Resource
		up   []trace.Stage
		want string
	}{
		{"network", ns{trace.Net: 5000}, nil, []trace.Stage{trace.Net, trace.NetMinusLANai},
			"waiting for the interface's internal bus, interface processor or links and switch ports"},
		{"interface", ns{trace.LANai: 5000, trace.Net: 5000}, nil, []trace.Stage{trace.LANai, trace.Net},
			"waiting for the interface's internal bus, interface processor, send engine or links and switch ports"},
		{"source", ns{trace.Source: 3000}, nil, []trace.Stage{trace.Source},
			"waiting for the memory bus, I/O bus, host-DMA engine, interface's internal bus, interface processor or send slots"},
		{"source with free buses", ns{trace.Source: 3000}, []trace.Resource{trace.MemBus, trace.PCI, trace.SRAM}, []trace.Stage{trace.Source},
			"waiting for the host-DMA engine, interface processor or send slots"},
		{"dest", ns{trace.Dest: 3000}, trace.Resources()[1:5], []trace.Stage{trace.Dest}, "waiting for the interface processor"},
		{"all free", ns{trace.Dest: 3000}, trace.Resources(), []trace.Stage{trace.Dest}, "Every resource in its path is free"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Diagnose(loaded(t, c.add), Facts{Free: c.free, Dir: "runs/x"})
			var up []trace.Stage
			for _, f := range d.Findings {
				require.Equal(t, trace.Seen, f.Grade)
				if f.Class != trace.ClassUnder128 {
					continue
				}
				switch f.Level {
				case Above:
					up = append(up, f.Stage)
					require.Equal(t, trace.InPath(f.Stage, c.free), f.Candidates)
				default:
					require.Equal(t, Within, f.Level, "%v: %+v", f.Stage, f)
					require.Empty(t, f.Candidates)
				}
			}
			require.Equal(t, c.up, up)
			text := strings.Join(d.Summary, "\n")
			require.Contains(t, text, c.want)
			require.Equal(t, len(c.free) < 9, strings.Contains(text, "`sigview why runs/x`"))
			for _, claim := range []string{"certain", "it means"} {
				require.NotContains(t, text, claim)
			}
		})
	}
}

// TestCapturesHaveNoCandidates: the resources between two captures are not known.
func TestCapturesHaveNoCandidates(t *testing.T) {
	d := Diagnose(loaded(t, [trace.NumStages]int64{trace.Net: 30_000}), Facts{Real: true})
	require.Contains(t, d.Summary[0], "Net is above its baseline")
	require.Contains(t, d.Summary[0], "Stamps of real hosts do not show what packets wait for (seen).")
	require.NotContains(t, strings.Join(d.Summary, " "), "sigview why")
	require.True(t, FactsOf(trace.Run{Manifest: trace.Manifest{Detail: trace.DetailCapture}}).Real)
}

// TestEvidenceReplacesCandidates: the highest grade speaks, for its own packets only.
func TestEvidenceReplacesCandidates(t *testing.T) {
	of := func(grade trace.Grade, class, cause string) Evidence {
		return Evidence{Class: class, Stage: trace.Dest, Grade: grade, Cause: cause}
	}
	d := Diagnose(loaded(t, [trace.NumStages]int64{trace.Dest: 9000}), Facts{Evidence: []Evidence{
		of(trace.Attributed, trace.ClassUnder128, "90 % of it is behind page replies"),
		of(trace.Tested, trace.ClassUnder128, "Freeing the host-DMA engine saves 8 µs"),
		of(trace.Attributed, trace.ClassUnder128, "too late"),
		of(trace.Seen, trace.Class4096, "no more than the histograms"),
	}})
	for _, f := range d.Findings {
		switch {
		case f.Stage != trace.Dest || f.Level != Above:
			require.Equal(t, trace.Seen, f.Grade)
		case f.Class == trace.ClassUnder128:
			require.Equal(t, trace.Tested, f.Grade)
			require.Empty(t, f.Candidates)
		default:
			require.Equal(t, trace.Seen, f.Grade)
			require.NotEmpty(t, f.Candidates)
		}
	}
	text := strings.Join(d.Summary, "\n")
	require.Contains(t, text, "Freeing the host-DMA engine saves 8 µs (tested).")
	require.Contains(t, text, "It can be waiting for the memory bus")
	require.NotContains(t, text, "page replies")
	require.NotContains(t, text, "no more than")
}

func TestNothingDeviates(t *testing.T) {
	d := Diagnose(loaded(t, [trace.NumStages]int64{}), Facts{})
	require.Equal(t, []string{"No stage deviates from its baseline by more than 10%."}, d.Summary)
	require.Len(t, d.Findings, 20)
	require.Equal(t, []string{"No packets were recorded, so nothing can be said."}, Diagnose(Signature{}, Facts{}).Summary)
	d = Diagnose(summarize(t, synth.FFT()), Facts{})
	require.Equal(t, []string{"No stage is shown to deviate; 20 of 20 means cannot be judged."}, d.Summary)
}

func TestDiagnosisWarns(t *testing.T) {
	s := loaded(t, [trace.NumStages]int64{trace.Net: 1500})
	wrongBy := func(ns float64) Facts { return Facts{ClockError: func(trace.Tag, string) float64 { return ns }} }
	d := Diagnose(s, wrongBy(2000))
	require.Contains(t, strings.Join(d.Summary, "\n"), "not above the 2.00 µs by which the clocks' errors can make this mean wrong")
	d = Diagnose(s, wrongBy(100))
	require.NotContains(t, strings.Join(d.Summary, "\n"), "clock")

	l := synth.Load{Seed: 3, Nodes: 2, Packets: map[int]int{64: 10}, AddNs: [trace.NumStages]int64{trace.Dest: 9000}, Exact: true}
	d = Diagnose(summarize(t, l).Against(baseline(t)), Facts{})
	require.Contains(t, strings.Join(d.Summary, "\n"), "Warning, under_128: weak: rests on 20 packets.")
}

func TestCompareFindsTheStageThatMoved(t *testing.T) {
	a, b := synth.FFT(), synth.FFT()
	b.Seed = 9
	b.AddNs[trace.Dest] += 3000
	// Another mix of sizes is not a change of the stage.
	b.Packets = map[int]int{16: 10, 48: 10, 112: 60, 128: 2, 512: 5, 1024: 1, 2000: 3, 4096: 25}
	c, err := Changes(summarize(t, a), summarize(t, b))
	require.NoError(t, err)
	require.Len(t, c, 20)
	for _, x := range c {
		if x.Class != trace.ClassUnder128 {
			continue
		}
		require.Equal(t, x.Stage == trace.Dest, x.Level == Above, "%+v", x)
		require.InDelta(t, x.MeanBNs.Value-x.MeanANs.Value, x.DiffNs.Value+x.MixNs, 1e-6)
		if x.Stage == trace.Dest {
			require.InDelta(t, 3000, x.DiffNs.Value, 300)
			require.Greater(t, x.MixNs, 200.0, "larger packets take longer")
			require.Greater(t, x.Effect.Value, 0.8)
		}
	}
}

func TestCompareWithItself(t *testing.T) {
	s := summarize(t, synth.FFT())
	c, err := Changes(s, s)
	require.NoError(t, err)
	for _, x := range c {
		require.InDelta(t, 0, x.DiffNs.Value, 1e-6)
		require.InDelta(t, 0, x.MixNs, 1e-6)
		require.NotContains(t, []Level{Above, Below}, x.Level)
	}
}

func TestCompareNeedsACommonTag(t *testing.T) {
	a, b := synth.FFT(), synth.FFT()
	b.Tag = 2
	_, err := Changes(summarize(t, a), summarize(t, b))
	require.ErrorContains(t, err, "tags [0] and [2]")
}

func TestCompareClassInOneRunOnly(t *testing.T) {
	a, b := synth.FFT(), synth.FFT()
	a.Packets = map[int]int{64: 50}
	b.Packets = map[int]int{64: 50, 4096: 50}
	for _, c := range [][2]synth.Load{{a, b}, {b, a}} {
		x, err := Changes(summarize(t, c[0]), summarize(t, c[1]))
		require.NoError(t, err)
		require.Len(t, x, 10)
		require.Equal(t, Unclear, x[9].Level)
		require.Contains(t, strings.Join(x[9].Warnings, ";"), "run has no such packets")
	}
}
