package report

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/trace"
)

// TestWhyInEveryFormat: the first line, the tables and the warnings are in each.
func TestWhyInEveryFormat(t *testing.T) {
	s := why.Study{
		Workload: "fft", Platform: trace.Platform{Name: "shrimp", Digest: "d"}, Nodes: 2, Programs: []string{"fft"}, Seeds: []uint64{7},
		Parts: []why.Part{{trace.Slots}, {trace.HDMA}}, Outcomes: map[why.Variant][]why.Outcome{},
		Warnings: []string{"a warning with <tags>"},
	}
	for v, excess := range map[why.Variant]float64{{}: 30_000, why.Alone(0): 3000, why.Alone(1): 28_000, {Free: why.First(2)}: 1000, why.Fast(0): 15_000} {
		s.Outcomes[v] = []why.Outcome{{Packets: 10, Programs: []why.Program{{Name: "fft", RunTimeNs: 1e7 + 100*excess, Cells: []why.Cell{
			{Class: trace.ClassUnder128, Stage: trace.Source, Count: 10, BaselineNs: 6000, ExcessNs: excess},
		}}}}}
	}
	w := Why{why.Explain(s)}
	for _, text := range []string{Text(w, Style{Width: 300}), Markdown(w), HTML(w)} {
		require.Contains(t, text, "Small packets (under 128 B) wait at the source nearly all for the send slots")
		require.Contains(t, text, "Why fft on shrimp, 2 nodes, waits")
		require.Contains(t, text, "27.00")
		require.Contains(t, text, "Run time of fft")
		require.Contains(t, text, "one seed")
	}
	require.Contains(t, HTML(w), "a warning with &lt;tags&gt;")
	require.Contains(t, HTML(w), "<title>slots, alone: 2.7 ms</title>")
	require.Contains(t, HTML(w), "<title>under_128, Source: slots, last: 27 µs</title>")
	require.NotContains(t, HTML(w), "interval 0 to 0", "one seed has no interval")
	data, err := WhyJSON(w, "v1")
	require.NoError(t, err)
	var doc struct {
		Schema       int `json:"schema_version"`
		Seeds        []uint64
		Grade        trace.Grade
		Causes       []map[string]any
		Interactions []map[string]any
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Equal(t, whySchema, doc.Schema)
	require.Equal(t, trace.Tested, doc.Grade)
	require.Equal(t, []uint64{7}, doc.Seeds)
	require.Len(t, doc.Interactions, 4)
	for _, c := range doc.Causes {
		require.Contains(t, c, "resource")
		require.Contains(t, c, "target")
		require.Contains(t, c, "explained_us")
		require.Nil(t, c["lo_us"], "one seed has no interval")
	}
}
