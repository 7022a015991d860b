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
