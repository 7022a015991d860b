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

// near counts the packets of each class by their slack: the least of their pieces. Those
// with the most packets on the path come first.
func near(c *account.Crowd, slack []int64, length int64) []Near {
	out := make([]Near, len(c.Classes))
	for id := range c.Actors {
		// A packet without pieces has no slack.
		if !c.Actors[id].Type.IsPacket() || c.First[id] == c.First[id+1] {
			continue
		}
		n := &out[c.ClassOf[id]]
		n.Packets++
		// The packet is as near as its nearest piece; 0 is on the path.
		least := slices.Min(slack[c.First[id]:c.First[id+1]])
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
	// Classes of packets only, and of these the ones with a packet within a tenth.
	out = slices.DeleteFunc(out, func(n Near) bool { return n.Class.Type > waits.Control || n.Within[2] == 0 })
	slices.SortStableFunc(out, func(a, b Near) int { return cmp.Compare(b.OnPath, a.OnPath) })
	return out
}
