package analysis

import (
	"fmt"

	"github.com/sigview/sigview/trace"
)

// EndSums are packets with the sums of two latencies, ns: those of the end that counts them.
type EndSums struct{ N, First, Second int64 }

// Add adds a packet. A latency below 0, by the error of clocks, counts as 0.
func (s *EndSums) Add(first, second trace.Opt[int64]) {
	s.N++
	s.First += max(first.Value, 0)
	s.Second += max(second.Value, 0)
}

// NodeSums are packets that a node has sent, with Source and LANai, and received, with Net and Dest.
type NodeSums struct{ Sent, Received EndSums }

// SumsOfPairs sums packets from one node to another up by node.
func SumsOfPairs(nodes int, pairs []Packets) []NodeSums {
	out := make([]NodeSums, nodes)
	add := func(to *EndSums, first, second trace.Stat) {
		to.N += first.Count
		to.First += int64(float64(float64(first.Count)*first.MeanNs.Value) + 0.5)
		to.Second += int64(float64(float64(second.Count)*second.MeanNs.Value) + 0.5)
	}
	for _, p := range pairs {
		add(&out[p.Sender].Sent, p.Stat(trace.Source), p.Stat(trace.LANai))
		add(&out[p.Receiver].Received, p.Stat(trace.Net), p.Stat(trace.Dest))
	}
	return out
}

// nodeRow is a row of the table of nodes.
type nodeRow struct {
	node   int
	of     NodeSums
	shares []float64 // of its run time, by part
}

// NodesView shows a row for each node: the packets that it sent and received with their mean latencies, unless sums is nil,
// and where its run time went.
func NodesView(nodes int, shares []trace.Shares, sums []NodeSums, stageName func(trace.Stage) string) View {
	parts := RunTimeParts(shares)
	rows := make([]nodeRow, nodes)
	for i := range rows {
		rows[i].node, rows[i].shares = i, make([]float64, len(parts.Names))
		if sums != nil {
			rows[i].of = sums[i]
		}
	}
	for i, s := range shares {
		for part, ns := range parts.Ns[i] {
			if s.Node < nodes && s.RunTimeNs > 0 {
				rows[s.Node].shares[part] = float64(ns) / float64(s.RunTimeNs)
			}
		}
	}
	mean := func(st trace.Stage, of func(NodeSums) (sum, n int64)) Col[nodeRow] {
		return Keyed(stageName(st)+", µs", stageName(st), func(r nodeRow) Cell {
			sum, n := of(r.of)
			if n == 0 {
				return Cell{Text: None}
			}
			us := float64(sum) / float64(n) / 1000
			return Cell{Text: Us(trace.Some(1000 * us)), Value: us}
		})
	}
	cols := []Col[nodeRow]{Number("node", "node", func(r nodeRow) int { return r.node })}
	note := "Shares are of its run time."
	if sums != nil {
		cols = append(cols,
			Count("sent", "sent", func(r nodeRow) int64 { return r.of.Sent.N }),
			mean(trace.Source, func(s NodeSums) (int64, int64) { return s.Sent.First, s.Sent.N }),
			mean(trace.LANai, func(s NodeSums) (int64, int64) { return s.Sent.Second, s.Sent.N }),
			Count("received", "received", func(r nodeRow) int64 { return r.of.Received.N }),
			mean(trace.Net, func(s NodeSums) (int64, int64) { return s.Received.First, s.Received.N }),
			mean(trace.Dest, func(s NodeSums) (int64, int64) { return s.Received.Second, s.Received.N }))
		note = fmt.Sprintf("%s and %s of the packets that a node sent, %s and %s of those that it received. ",
			stageName(trace.Source), stageName(trace.LANai), stageName(trace.Net), stageName(trace.Dest)) + note
	}
	for i, name := range parts.Short {
		cols = append(cols, Share(name, name, func(r nodeRow) float64 { return r.shares[i] }))
	}
	return Tabulate(rows, cols...).Noted(note)
}
