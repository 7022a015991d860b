package page

import (
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// nodes shows a row for each node: the packets that it sent and received with their mean latencies, if there is a trace of them, and
// where its run time went.
func nodes(m *trace.Manifest, stages []string, g *grid) analysis.View {
	known := map[int]bool{}
	var all []trace.Shares
	for _, s := range m.Shares {
		if !known[s.Node] { // of several programs the first
			all = append(all, s)
			known[s.Node] = true
		}
	}
	var sums []analysis.NodeSums
	if g != nil {
		sums = g.byNode
	}
	return analysis.NodesView(m.Nodes, all, sums, func(st trace.Stage) string { return stages[st] })
}
