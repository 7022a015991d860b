package peers

import (
	"maps"
	"slices"
)

// way is how packets go from a link into the network to a node.
type way struct {
	from site
	to   int32
}

func (x way) into() site { return site{into(x.to), x.to} }

// trip is a way as one of its ends is judged by it.
type trip struct {
	way
	end site
}

// nearly is the share of a ratio from which on another is about the same.
const nearly = 0.8

// light is the part of the time on the way most used over a link from which on another one counts.
const light = 10

// ways are the times of packets in the network, in ps, by size and way.
type ways map[int32]map[way]sum

func (w ways) add(at way, size int32, ps int64) {
	if w[size] == nil {
		w[size] = map[way]sum{}
	}
	x := w[size][at]
	w[size][at] = sum{total: x.total + ps, count: x.count + 1}
}

// ratios compares the links of nodes, out and in. A link is as slow as the middle one of its ways: if one way of several is
// slow, the other end is. only are links with one way, whose other end has no other either: the node there.
func (w ways) ratios() (out map[site]float64, only map[site]int32) {
	nameless := w.nameless()
	did, usual := map[trip]int64{}, map[trip]int64{}
	for _, all := range w {
		middle := middleOf(all, -1)
		if middle == 0 {
			continue
		}
		senders, receivers := map[int32]bool{}, map[int32]bool{}
		for at := range all {
			senders[at.from.node], receivers[at.to] = true, true
		}
		for _, node := range nameless { // one whose link is slow both ways may have most ways
			if without := middleOf(all, node); without > 0 {
				middle = min(middle, without)
			}
		}
		for at, x := range all {
			nodes := [2]int{len(senders), len(receivers)}
			for i, end := range [2]site{at.from, at.into()} {
				if nodes[i] > 1 { // packets that all go to one node do not tell whether its link is slow
					did[trip{at, end}] += x.total
					usual[trip{at, end}] += int64(middle * float64(x.count)) // whole, so that the order of sums does not matter
				}
			}
		}
	}
	ends, most, count := map[site][]float64{}, map[site]int64{}, map[site]int{}
	for at := range did {
		most[at.end] = max(most[at.end], usual[at])
	}
	for at, total := range did {
		count[at.end]++
		if nameless == nil || light*usual[at] >= most[at.end] { // what is on a way for a moment differs as clocks do
			ends[at.end] = append(ends[at.end], float64(total)/float64(max(usual[at], 1)))
		}
	}
	out, only = map[site]float64{}, map[site]int32{}
	for end, list := range ends {
		out[end] = lowerMedian(list)
	}
	for at := range did {
		switch from, to := at.from, at.into(); {
		case count[from] == 1 && count[to] == 1:
			only[from], only[to] = to.node, from.node
		// Where the other end has more ways, which are half as slow or more, it is that one: ways have packets of different sizes.
		case count[from] == 1 && 2*out[to] >= out[from]:
			delete(out, from)
		case count[to] == 1 && 2*out[from] >= out[to]:
			delete(out, to)
		}
	}
	return out, only
}

// middleOf returns the median time of packets of a size in ps, but for those from or to a node; 0 if there are too few ways.
func middleOf(all map[way]sum, but int32) float64 {
	var means []float64
	for at, x := range all {
		if at.from.node != but && at.to != but {
			means = append(means, x.mean())
		}
	}
	if len(means) < slowNodes {
		return 0
	}
	return lowerMedian(means)
}

// nameless names links out by their nodes in a log that has them all by who receives: one that is rebuilt from records. It returns
// the nodes of such a log, nil of others.
func (w ways) nameless() (nodes []int32) {
	known := map[int32]bool{}
	for _, all := range w {
		for at := range all {
			if at.from.Instance != at.to {
				return nil
			}
			known[at.to], known[at.from.node] = true, true
		}
	}
	for size, all := range w {
		named := map[way]sum{}
		for at, x := range all {
			at.from.Place = outOf(at.from.node)
			named[at] = x
		}
		w[size] = named
	}
	return slices.Collect(maps.Keys(known))
}
