package page

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// nodeRow is a row of the table of nodes.
type nodeRow struct {
	node   int
	of     node
	shares []float64 // of its run time, by part
}

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
	parts := analysis.RunTimeParts(all)
	rows := make([]nodeRow, m.Nodes)
	for i := range rows {
		rows[i].node, rows[i].shares = i, make([]float64, len(parts.Names))
		if g != nil {
			rows[i].of = g.byNode[i]
		}
	}
	for i, s := range all {
		for part, ns := range parts.Ns[i] {
			if s.Node < len(rows) && s.RunTimeNs > 0 {
				rows[s.Node].shares[part] = float64(ns) / float64(s.RunTimeNs)
			}
		}
	}
	mean := func(name string, of func(node) (sum, n int64)) analysis.Col[nodeRow] {
		return analysis.Keyed(name+", µs", name, func(r nodeRow) analysis.Cell {
			sum, n := of(r.of)
			if n == 0 {
				return analysis.Cell{Text: analysis.None}
			}
			us := float64(sum) / float64(n) / 1000
			return analysis.Cell{Text: analysis.Us(trace.Some(1000 * us)), Value: us}
		})
	}
	cols := []analysis.Col[nodeRow]{analysis.Number("node", "node", func(r nodeRow) int { return r.node })}
	if g != nil {
		cols = append(cols,
			analysis.Count("sent", "sent", func(r nodeRow) int64 { return r.of.sent.n }),
			mean(stages[trace.Source], func(n node) (int64, int64) { return n.sent.first, n.sent.n }),
			mean(stages[trace.LANai], func(n node) (int64, int64) { return n.sent.second, n.sent.n }),
			analysis.Count("received", "received", func(r nodeRow) int64 { return r.of.received.n }),
			mean(stages[trace.Net], func(n node) (int64, int64) { return n.received.first, n.received.n }),
			mean(stages[trace.Dest], func(n node) (int64, int64) { return n.received.second, n.received.n }))
	}
	for i, name := range parts.Short {
		cols = append(cols, analysis.Share(name, name, func(r nodeRow) float64 { return r.shares[i] }))
	}
	note := "Shares are of its run time."
	if g != nil {
		note = fmt.Sprintf("%s and %s of the packets that a node sent, %s and %s of those that it received. ", stages[trace.Source], stages[trace.LANai], stages[trace.Net], stages[trace.Dest]) + note
	}
	return analysis.Tabulate(rows, cols...).Noted(note)
}
