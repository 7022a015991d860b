package peers

import (
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

const (
	workFrom = 1.05 // ratio from which on a processor works longer than others
	alike    = 1.25 // nodes are alike whose numbers of packets, sent and received, differ by no more than this factor
)

// work is what the processes of a node do.
type work struct {
	node           int32
	ps             int64 // service by the host processor
	sent, received float64
}

// like reports whether two nodes send and receive about as many packets.
func (w work) like(v work) bool {
	near := func(x, y float64) bool { return max(x, y) <= alike*min(x, y) }
	return near(w.sent+1, v.sent+1) && near(w.received+1, v.received+1)
}

// working adds host processors that work longer for their processes than those of nodes with as many packets: because
// they or their memory are slow, or because there is more to compute. Nodes with other numbers of packets may have another part in
// the program.
func (s Slowness) working(a *account.Account) {
	var all []work
	for node, w := range worksOf(a) {
		w.node = node
		all = append(all, w)
	}
	var ratios []float64
	of := map[int32]float64{}
	for _, w := range all {
		var group []float64
		for _, v := range all {
			if w.like(v) {
				group = append(group, float64(v.ps))
			}
		}
		if middle := lowerMedian(group); len(group) >= slowNodes && middle > 0 {
			of[w.node] = float64(w.ps) / middle
			ratios = append(ratios, of[w.node])
		}
	}
	if len(ratios) == 0 {
		return
	}
	spread := deviation(slices.Clone(ratios))
	for node, ratio := range of {
		at := account.Place{Resource: waits.CPU, Instance: node}
		if s[at] == nil && ratio >= workFrom && ratio >= 1+float64(slowBeyond*spread) {
			s[at] = &Slow{Place: at, Node: int(node), Ratio: ratio, Works: true}
		}
	}
}

// worksOf returns the work of the processes of each node.
func worksOf(a *account.Account) map[int32]work {
	out := map[int32]work{}
	for id := range a.Actors {
		switch x := &a.Actors[id]; {
		case x.Type == waits.Process:
			w := out[x.Node]
			for _, p := range a.Of(waits.ID(id)) {
				if p.What == waits.Service && p.Resource == waits.CPU {
					w.ps += p.Length()
				}
			}
			out[x.Node] = w
		case x.Type == waits.Packet && x.Peer >= 0 && a.First[id] < a.First[id+1]:
			from := out[x.Node]
			from.sent++
			out[x.Node] = from
			to := out[x.Peer]
			to.received++
			out[x.Peer] = to
		}
	}
	return out
}
