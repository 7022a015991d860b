package causal

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Near says how near the packets of a class are to the critical path.
//
// Invariant: OnPath <= Within[0] <= Within[1] <= Within[2] <= Packets.
type Near struct {
	account.Class
	Packets int64
	// OnPath counts the packets that cannot be later by anything, Within those that cannot
	// be later by a thousandth, a hundredth and a tenth of the time.
	OnPath int64
	Within [3]int64
}

// uncounted is in place of the slack of an actor that does not count.
const uncounted = -1

// leasts returns the least slack of the pieces of each packet, by actor, in ps; that of others is uncounted.
func leasts(a *account.Account, slack []int64) []int64 {
	out := make([]int64, len(a.Actors))
	for id := range out {
		out[id] = uncounted
		// A packet without pieces has no slack.
		if a.Actors[id].Type.IsPacket() && a.First[id] < a.First[id+1] {
			out[id] = slices.Min(slack[a.First[id]:a.First[id+1]])
		}
	}
	return out
}

// near counts the packets of each class by their slack in ps: the least of their pieces, so that a packet is as near as its
// nearest piece. Those with the most packets on the path come first.
func near(c *account.Crowd, leasts []int64, length int64) []Near {
	out := make([]Near, len(c.Classes))
	for id, least := range leasts {
		if least == uncounted {
			continue
		}
		n := &out[c.ClassOf[id]]
		n.Packets++
		if least == 0 {
			n.OnPath++
		}
		// Each share includes those before it.
		for k, part := range []int64{1000, 100, 10} {
			if least <= length/part {
				n.Within[k]++
			}
		}
	}
	for i := range out {
		out[i].Class = c.Classes[i]
	}
	return nearest(out)
}

// nearest returns the classes of packets with one within a tenth.
func nearest(list []Near) []Near {
	list = slices.DeleteFunc(list, func(n Near) bool { return n.Class.Type > waits.Control || n.Within[2] == 0 })
	slices.SortStableFunc(list, func(a, b Near) int { return cmp.Compare(b.OnPath, a.OnPath) })
	return list
}
