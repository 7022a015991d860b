package rebuild

import (
	"maps"
	"slices"
)

// paces are how many times as long as those of others the processors, or send engines, of some interfaces take, by node. Others have no
// entry.
type paces map[int]float64

const (
	pacedNodes = 3   // nodes that are compared, at the least
	pacedFrom  = 1.1 // times the usual time from which on one is slow
)

// paced returns how long the processor of a node takes for what others take t for, both in ps.
func (b *builder) paced(node int, t int64) int64 {
	if pace, slow := b.paces[node]; slow {
		return int64(float64(t) * pace)
	}
	return t
}

// slower returns those of some times by node that are longer than the lower median of all.
func slower(times map[int]float64) paces {
	if len(times) < pacedNodes {
		return nil
	}
	list := slices.Sorted(maps.Values(times))
	usual, out := list[(len(list)-1)/2], paces{}
	for node, t := range times {
		if usual > 0 && t >= pacedFrom*usual {
			out[node] = t / usual
		}
	}
	return out
}

// ticks finds the processors that are slow by the least time that each takes to start a free engine for a packet in its memory:
// a few instructions, in which nothing is in its way.
func (b *builder) ticks() paces {
	least := map[int]float64{}
	for i := range b.nodes {
		var all []int64
		free := int64(0)
		for _, p := range b.nodes[i].sent {
			if !p.inline && free <= p.t2 {
				all = append(all, p.t3-p.t2)
			}
			free = max(free, p.t4)
		}
		if len(all) >= enoughQuiet {
			least[i] = float64(low(all))
		}
	}
	return slower(least)
}

// insertions finds the send engines that are slow by the least time that each takes for packets of a size.
func (b *builder) insertions() paces {
	sizes := map[int]map[int][]int64{} // ps, by size and node
	for _, p := range b.packets {
		if sizes[p.size] == nil {
			sizes[p.size] = map[int][]int64{}
		}
		sizes[p.size][p.sender] = append(sizes[p.size][p.sender], p.t4-p.t3)
	}
	took, usual := map[int]float64{}, map[int]float64{}
	for _, nodes := range sizes {
		least := map[int]int64{}
		for node, list := range nodes {
			if len(list) >= enoughQuiet {
				least[node] = slices.Min(list)
			}
		}
		if len(least) < pacedNodes {
			continue
		}
		list := slices.Sorted(maps.Values(least))
		for node, t := range least {
			took[node] += float64(t) // whole, so that the order of sums does not matter
			usual[node] += float64(list[(len(list)-1)/2])
		}
	}
	for node := range took {
		took[node] /= usual[node]
	}
	return slower(took)
}

// longer returns how much longer a packet is on its way than others because its sender's engine is slow, in ps.
func (b *builder) longer(p *packet) int64 {
	if pace, slow := b.inserts[p.sender]; slow && !p.lost && b.paces[p.sender] == 0 {
		return int64(float64(p.t4-p.t3) * (1 - 1/pace))
	}
	return 0
}
