package analysis

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func TestStory(t *testing.T) {
	type ns = [trace.NumStages]int64
	name := func(trace.Tag) string { return "fft" }
	for want, add := range map[string]ns{
		"No packets are shown to wait": {},
		"Small packets wait: Dest 33 µs (idle 3.5); packets of 4 KB or more: Dest 66 µs (36)": {trace.Dest: 30_000},
		"Small packets wait: Source 8.5 µs (idle 5.5)":                                        {trace.Source: 3000},
	} {
		require.Contains(t, Diagnose(loaded(t, add), Facts{}).Story(name), want)
	}
	require.Equal(t, "No packets were recorded", Diagnosis{}.Story(name))
	require.Equal(t, "No packets can be judged: they have no baseline", Diagnosis{Findings: []Finding{{Unjudged: "no baseline"}}}.Story(name))
	two := Diagnosis{Findings: []Finding{{Unjudged: "no baseline"}, {Change: Change{Tag: 1}, Unjudged: "no baseline"}}}
	require.Contains(t, two.Story(name), "fft: no packets can be judged")
}

// TestStoryWithoutBaseline is of the packets that take most time in all, though there may be more of others.
func TestStoryWithoutBaseline(t *testing.T) {
	of := func(class string, stage trace.Stage, packets int64, ns float64) Finding {
		return Finding{Change: Change{Class: class, Stage: stage, CountB: packets, MeanBNs: trace.Some(ns)}, Unjudged: "no baseline"}
	}
	d := Diagnosis{Findings: []Finding{
		of(trace.ClassUnder128, trace.Source, 600, 900), of(trace.ClassUnder128, trace.Dest, 600, 25_000),
		of(trace.Class1024, trace.Source, 60, 45e6), of(trace.Class1024, trace.Dest, 60, 30_000),
		of(trace.Class4096, trace.Source, 60, 900), of(trace.Class4096, trace.Dest, 60, 30_000),
	}}
	require.Contains(t, d.Story(func(trace.Tag) string { return "" }), "Packets of 1 to 4 KB take, in µs: Source 45.00 ms, Dest 30")
}

// TestDoublingsOfWideBins: a bin that is wider than a doubling keeps its lower bound.
func TestDoublingsOfWideBins(t *testing.T) {
	bin := func(lo, hi int64) Packets { return Packets{Sizes: trace.Sizes{SizeLoBytes: lo, SizeHiBytes: hi}} }
	got := Doublings([]Packets{bin(0, 512), bin(512, 1024), bin(1024, 1536), bin(1536, 2048)})
	require.Len(t, got, 3)
	for i, want := range []trace.Sizes{{SizeLoBytes: 0, SizeHiBytes: 512}, {SizeLoBytes: 512, SizeHiBytes: 1024}, {SizeLoBytes: 1024, SizeHiBytes: 2048}} {
		require.Equal(t, want, got[i].Sizes)
	}
}

// TestNetLessLANaiWithoutMeaning: packets that wait between T2 and T3 make LANai longer and
// Net not.
func TestNetLessLANaiWithoutMeaning(t *testing.T) {
	s := loaded(t, [trace.NumStages]int64{trace.LANai: 200_000})
	d := Diagnose(s, Facts{})
	for _, f := range d.Findings {
		if f.Stage == trace.NetMinusLANai {
			require.Equal(t, Unclear, f.Level)
			require.Contains(t, f.Unjudged, "between T2 and T3")
		}
	}
	for _, v := range []View{LatenciesView(Whole(s.ByClass(), 0)), SizesView(Whole(s.BySize(), 0)), KindsView(s.ByKind())} {
		require.Contains(t, v.Note, noMeaning+" "+meaningless)
		_, rows := v.Shown(true)
		for _, r := range rows {
			for _, c := range r {
				require.NotRegexp(t, `^~?-\d{3}`, c.Text, "no mean or deviation of minus 200 µs")
			}
		}
	}
	require.NotContains(t, strings.Join(d.Summary, " "), "Net−LANai")
	s = loaded(t, [trace.NumStages]int64{trace.LANai: 5000, trace.Net: 5000})
	require.NotContains(t, LatenciesView(Whole(s.ByClass(), 0)).Note, noMeaning, "the wire is stopped in both")
}
