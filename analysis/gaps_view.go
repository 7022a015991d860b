package analysis

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace"
)

// missing is the gaps of one node's packet records that have the same cause.
type missing struct {
	Node         int64
	Why          string
	Gaps, Lost   int64
	Longest      int64            // records lost in a row
	FromNs, ToNs trace.Opt[int64] // the first gap begins, the last one ends; null: with the recording
}

// missingOf sums up gaps, which are given by node, by node and cause.
func missingOf(gaps []trace.GapRow) []missing {
	var out []missing
	for _, g := range gaps {
		i := 0
		for i < len(out) && (out[i].Node != g.Node || out[i].Why != g.Why) {
			i++
		}
		if i == len(out) {
			out = append(out, missing{Node: g.Node, Why: g.Why, FromNs: g.FromNs})
		}
		m := &out[i]
		m.Gaps++
		m.Lost += g.Lost
		m.Longest = max(m.Longest, g.Lost)
		m.ToNs = g.ToNs
	}
	return out
}

// GapsView shows where packet records are missing, by node.
func GapsView(gaps []trace.GapRow) View {
	at := func(name, key, otherwise string, of func(missing) trace.Opt[int64]) Col[missing] {
		return Col[missing]{Column{Name: name, Key: key}, func(m missing) Cell {
			if v := of(m); v.OK {
				return Cell{Text: micro("%.2f", v), Value: float64(v.Value) / 1000}
			}
			return Cell{Text: otherwise}
		}}
	}
	return Tabulate(missingOf(gaps),
		Count("node", "node", func(m missing) int64 { return m.Node }),
		Count("gaps", "gaps", func(m missing) int64 { return m.Gaps }),
		Count("records lost", "lost", func(m missing) int64 { return m.Lost }),
		Count("longest", "longest", func(m missing) int64 { return m.Longest }),
		at("from, µs", "from_us", "start", func(m missing) trace.Opt[int64] { return m.FromNs }),
		at("to, µs", "to_us", "end", func(m missing) trace.Opt[int64] { return m.ToNs }),
		Word("why", "why", func(m missing) string { return m.Why }),
	).Noted("A gap is records of packets that a node lost in a row. It lies between the last instants of the records on either " +
		"side; from is where a node's first gap begins, to where its last one ends. The table gaps has each.")
}

// GapsOf says how many records of a node are missing, or "".
func GapsOf(gaps []trace.GapRow, node int) string {
	var parts []string
	for _, m := range missingOf(gaps) {
		if m.Node == int64(node) {
			parts = append(parts, fmt.Sprintf("%s records in %s gaps (%s)", Digits(m.Lost), Digits(m.Gaps), m.Why))
		}
	}
	return strings.Join(parts, ", ")
}
