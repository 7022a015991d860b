package peers

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Gap is a time in which no packet passes a node in a phase of its way, although some wait for that.
//
// Invariant: From < To.
type Gap struct {
	Phase
	Node     int
	From, To int64   // ps
	Packets  int     // that wait when it ends
	Others   []int32 // nodes at the other ends of these packets, ascending
	Lost     bool    // the packet that ends it, or most that wait most of the time, do so for a timer, because they were lost before
	Ahead    int     // the other node of the packet that ends it
	own      int64   // ps in which the packet that ends it is known to be at the node
}

// Length returns the gap's duration in ps.
func (g Gap) Length() int64 { return g.To - g.From }

const (
	similar = 3   // a gap is similar to one that is not longer than so many times itself
	rare    = 4   // there may be one similar gap at other times for so many nodes
	equal   = 0.9 // share of the longest of gaps at a time from which on another may be what that waits for
	reached = 0.5 // the same share of a gap at a receiver that a packet has reached: others may wait behind it before and after
)

// Gaps returns the gaps of at least so many ps that are unlike the others: at other times few nodes have similar ones.
// Of gaps at the same time it is the one for which the others wait. They are in the order of their begins.
func Gaps(a *account.Account, least int64) []Gap {
	all, nodes := map[Phase][]Gap{}, map[int32]bool{}
	var candidates []Gap
	for where, list := range passages(a) {
		nodes[where.node] = true
		for _, g := range gapsAt(where, list, least/similar) {
			all[where.phase] = append(all[where.phase], g.Gap)
			if g.Length() >= least {
				candidates = append(candidates, g.waiting(a, list))
			}
		}
	}
	return Unlike(candidates, all, len(nodes))
}

// Unlike returns the candidates that are unlike the others, as Gaps does of all it finds. all are the candidates and those
// that may be similar to one of them, by phase, on so many nodes. It overwrites candidates.
func Unlike(candidates []Gap, all map[Phase][]Gap, nodes int) []Gap {
	slices.SortFunc(candidates, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Length(), a.Length()), cmp.Compare(a.From, b.From), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Node, b.Node))
	})
	var out []Gap
	for len(candidates) > 0 {
		longest := candidates[0]
		best := longest
		candidates = slices.DeleteFunc(candidates, func(c Gap) bool {
			if 2*overlap(longest, c) < c.Length() {
				return false
			}
			least := equal
			if c.blame() == mostBlame {
				least = reached
			}
			if float64(c.Length()) >= least*float64(longest.Length()) && c.blame() > best.blame() {
				best = c
			}
			return true
		})
		if alone(best, all[best.Phase], nodes/rare) {
			out = append(out, best)
		}
	}
	slices.SortFunc(out, func(a, b Gap) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Node, b.Node)) })
	return out
}

// mostBlame is that of a receiver that a packet has reached.
const mostBlame = 3

// blame ranks gaps at the same time by how certain it is that the others wait for them. A receiver that a packet has
// reached is certain, and so is one for which packets of several nodes wait: where a sender stops, packets of other
// nodes arrive. A sender that stops keeps packets to others too.
func (g Gap) blame() int {
	switch {
	case g.Phase == Arriving && 2*g.own >= g.Length():
		return mostBlame
	case g.Phase == Arriving && len(g.Others) > 1:
		return 2
	case g.Phase == Leaving:
		return 1
	}
	return 0
}

// found is a gap with the passage that ends it.
type found struct {
	Gap
	last int // index of the passage
}

// gapsAt returns the gaps of a crossing of at least so many ps. list are the passages by their ends. What is similar to the
// shortest passage is none: before the first packets of a burst there is nothing to pass.
func gapsAt(at crossing, list []passage, least int64) (out []found) {
	// earliest[i] is when the first of the passages begins that end with the i-th or later.
	earliest, shortest := make([]int64, len(list)), int64(math.MaxInt64/similar)
	for i := len(list) - 1; i >= 0; i-- {
		earliest[i] = list[i].from
		if i+1 < len(list) {
			earliest[i] = min(earliest[i], earliest[i+1])
		}
	}
	for _, p := range list {
		shortest = min(shortest, p.to-p.from)
	}
	least = max(least, similar*shortest, 1)
	for i, p := range list {
		from := earliest[i]
		if i > 0 {
			from = max(from, list[i-1].to)
		}
		if p.to-from >= least {
			out = append(out, found{Gap{Phase: at.phase, Node: int(at.node), From: from, To: p.to, own: p.to - max(p.own, from)}, i})
		}
	}
	return out
}

// overlap returns how long two gaps last together, in ps.
func overlap(a, b Gap) int64 { return max(0, min(a.To, b.To)-max(a.From, b.From)) }

// alone reports whether at most so many of a phase's gaps at other times are similar to g.
func alone(g Gap, of []Gap, most int) bool {
	n := 0
	for _, h := range of {
		// A packet that waits at the node itself is rarer than one that waits on its way.
		if overlap(g, h) == 0 && similar*h.Length() >= g.Length() && (g.blame() < mostBlame || similar*h.own >= g.own) {
			n++
		}
	}
	return n <= most
}

// waiting returns the gap with the packets that wait when it ends. list are the passages of its crossing by their ends.
func (g found) waiting(a *account.Account, list []passage) Gap {
	out := g.Gap
	out.Ahead = int(other(&a.Actors[list[g.last].packet], out.Phase))
	all, late := 0, 0 // packets that wait most of the time, and those of them that wait for a timer
	for i, p := range list[g.last:] {
		if p.from >= out.To {
			continue
		}
		out.Packets++
		if 2*(out.To-p.from) > out.Length() {
			all++
		}
		if 2*lost(a, p.packet, out.From, out.To) > out.Length() {
			late++
			out.Lost = out.Lost || i == 0 // it ends the gap
		}
		node := other(&a.Actors[p.packet], out.Phase)
		if k, ok := slices.BinarySearch(out.Others, node); !ok {
			out.Others = slices.Insert(out.Others, k, node)
		}
	}
	out.Lost = out.Lost || 2*late > all
	return out
}

// lost returns how long a packet waits for a timer between two instants, in ps, because it was lost or, in its turn, one
// of its message before it.
func lost(a *account.Account, packet waits.ID, from, to int64) (sum int64) {
	for _, p := range a.Of(packet) {
		if p.Begin, p.End = max(p.Begin, from), min(p.End, to); p.Begin >= p.End {
			continue
		}
		switch {
		case p.Resource == waits.Timer:
			sum += p.Length()
		case p.Resource == waits.Order && p.Holder != 0 && p.Holder < packet: // so that the search ends
			sum += lost(a, p.Holder, p.Begin, p.End)
		}
	}
	return sum
}

// other returns the node at the other end of a packet in a phase.
func other(x *waits.Actor, phase Phase) int32 {
	if phase == Leaving {
		return x.Peer
	}
	return x.Node
}
