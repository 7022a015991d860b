package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// TestTraceOfPacketsOnly: a trace without operations has no path and no queues, but phases, and
// what was found while the program ran.
func TestTraceOfPacketsOnly(t *testing.T) {
	account, err := account.Resolve(waits.NewLog())
	require.NoError(t, err)
	tr := Trace{&explain.Trace{
		Explanation: causal.Explain(graph.New(account), 0), PacketsOnly: true, NoPath: true, Top: 5,
		Activity: activity.Activity{Phases: []activity.Phase{{Number: 1, To: 10, Last: -1}, {Number: 2, From: 10, To: 20, Last: -1}}, ByRate: true, Length: 20},
		Online:   []trace.OnlineRow{{TimeNs: 1_500_000, Node: 2, Policy: "throttle", Finding: "this node swamps the port of node 0", Evidence: "13 cuts", Action: "It kept fewer packets in flight"}},
	}}
	text := Text(tr, Style{})
	require.Contains(t, text, "packets only")
	require.Contains(t, text, "1.500 ms, node 2: this node swamps the port of node 0 (13 cuts)")
	require.Contains(t, text, "Phases")
	require.NotContains(t, text, "Waiting by resource")
	require.NotContains(t, text, "Grade")
	doc, err := TraceJSON(tr, "v")
	require.NoError(t, err)
	require.Contains(t, string(doc), `"critical_path": null`)
	require.Contains(t, string(doc), `"policy": "throttle"`)
}

// TestTraceOfASample: a report of some packets says so.
func TestTraceOfASample(t *testing.T) {
	account, err := account.Resolve(waits.NewLog())
	require.NoError(t, err)
	tr := Trace{&explain.Trace{Explanation: causal.Explain(graph.New(account), 0), NoPath: true, Rebuilt: true, Top: 5, Sample: &explain.Sample{Windows: 32, Packets: 100, Of: 1000}}}
	require.Contains(t, strings.Join(strings.Fields(Text(tr, Style{})), " "), "Of 1000 packets 100 are looked at, in 32 windows of time at equal distances. Sums are scaled to all. For whom packets wait is known:")
	doc, err := TraceJSON(tr, "v")
	require.NoError(t, err)
	require.Contains(t, string(doc), `"sampled_packets": 100`)
}
