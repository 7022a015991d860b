package capture

import (
	"cmp"
	"slices"
)

// mostAlike is how many packets that look the same are in memory.
const mostAlike = 1 << 16

// sides returns packets that look the same by end, in the order of time, and how many doubles are left out. Packets
// without a number are doubles if one capture has all of the other's so many times, close together.
func sides(group []observation) (by [2][]observation, doubles [2]int64) {
	slices.SortStableFunc(group, func(a, b observation) int { return cmp.Compare(a.end, b.end) })
	n := 0
	for n < len(group) && group[n].end == 0 {
		n++
	}
	by = [2][]observation{group[:n], group[n:]}
	for e := range by {
		few, many := len(by[1-e]), len(by[e])
		if few == 0 || many <= few || many%few != 0 {
			continue
		}
		times, close := many/few, true
		for i := 0; i < many; i += times {
			close = close && by[e][i+times-1].first-by[e][i].first <= doubleNs
		}
		if !close {
			continue
		}
		for i := range few {
			by[e][i] = by[e][i*times]
		}
		by[e], doubles[e] = by[e][:few], int64(many-few)
	}
	return by, doubles
}
