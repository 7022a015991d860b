package causal

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace/waits"
)

// Event is something that happens to a node from one time to another: it stops, loses packets, or its receive ring is
// full. It need not cost anything.
//
// Invariant: FromNs < ToNs.
type Event struct {
	What    string `json:"what"` // such as "takes no packets"
	Node    int    `json:"node"`
	FromNs  int64  `json:"from_ns"`
	ToNs    int64  `json:"to_ns"`
	Packets int    `json:"packets"` // that wait because of it
}

// String says what happens where and for how long.
func (e Event) String() string {
	return fmt.Sprintf("node %d %s, %s", e.Node, e.What, analysis.Time(float64(e.ToNs-e.FromNs)))
}

// ringFull is what happens at a node whose receive ring is full.
const ringFull = "has a full receive ring"

// eventsOf returns the events in a time of so many ps by their begins: gaps, losses, and the times of at least 1/100 of
// it in which a ring is full, unless its node takes no packets at all then.
func eventsOf(a *account.Account, o *outliers, length int64) (out []Event) {
	for i := range o.gaps {
		out = append(out, stop(o.gaps[i].Gap))
	}
	if o.loss != nil {
		l := o.loss.Loss
		out = append(out, Event{losesPackets, l.Node, l.From / 1000, (l.To + 999) / 1000, l.Packets})
	}
	stops := slices.Clone(out)
	for _, f := range full(a, max(length/100, 1)) {
		if !slices.ContainsFunc(stops, func(s Event) bool {
			return s.Node == f.Node && 2*(min(s.ToNs, f.ToNs)-max(s.FromNs, f.FromNs)) > f.ToNs-f.FromNs
		}) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Event) int { return cmp.Or(cmp.Compare(a.FromNs, b.FromNs), cmp.Compare(a.Node, b.Node)) })
	return out
}

// losesPackets is what happens at a node whose link loses packets.
const losesPackets = "loses packets on its link"

// stop is what happens in a gap.
func stop(g *peers.Gap) Event {
	return Event{halts(g), g.Node, g.From / 1000, (g.To + 999) / 1000, g.Packets}
}

// halts says what a node does in a gap.
func halts(g *peers.Gap) string {
	switch {
	case g.Lost:
		return losesPackets
	case g.Phase == peers.Leaving:
		return "sends no packets"
	case g.Phase == peers.Arriving:
		return "takes no packets"
	}
	return "moves no packets to its host"
}

// full returns the times of at least so many ps in which packets wait for the receive ring of a node. Times with less
// than that between them are one.
func full(a *account.Account, least int64) (out []Event) {
	byNode := map[int32][]account.Piece{}
	for i := range a.Pieces {
		if p := &a.Pieces[i]; p.Resource == waits.Ring && p.What == waits.Waiting {
			byNode[p.Instance] = append(byNode[p.Instance], *p)
		}
	}
	for node, list := range byNode {
		slices.SortFunc(list, func(a, b account.Piece) int { return cmp.Compare(a.Begin, b.Begin) })
		from, to, n := list[0].Begin, list[0].End, 0
		close := func() {
			if to-from >= least {
				out = append(out, Event{ringFull, int(node), from / 1000, (to + 999) / 1000, n})
			}
		}
		for _, p := range list {
			if p.Begin-to >= least {
				close()
				from, to, n = p.Begin, p.End, 0
			}
			to = max(to, p.End)
			n++
		}
		close()
	}
	return out
}

// EventsView shows the events of a run.
func EventsView(list []Event) analysis.View {
	ms := func(ns int64) float64 { return float64(ns) / 1e3 }
	v := analysis.Tabulate(list,
		analysis.Milli("begin, ms", "begin_us", func(e Event) float64 { return ms(e.FromNs) }),
		analysis.Milli("length, ms", "length_us", func(e Event) float64 { return ms(e.ToNs - e.FromNs) }),
		analysis.Number("node", "node", func(e Event) int64 { return int64(e.Node) }),
		analysis.Word("what", "what", func(e Event) string { return e.What }),
		analysis.Number("packets", "packets", func(e Event) int64 { return int64(e.Packets) }),
	)
	v.Title = "Events"
	return v.Noted("What stops or loses packets for a while, whether it costs run time or not. Packets: those that wait because of it.")
}
