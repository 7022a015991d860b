package rebuild

import (
	"cmp"
	"slices"
)

// A card that does not have the state of a packet's queue pair fetches it from host memory, before it takes up a request and before
// it deposits a packet. Both take longer by the same time then.

const (
	// briefest is the least time in ps that a fetch over the bus of a host takes.
	briefest = 100 * ns
	// sameTenths is by how many tenths of the time fetches differ at the most.
	sameTenths = 1
)

// delay is by how much a stage of a packet takes longer than usual while it is alone there, in ps.
type delay struct {
	packet *packet
	t      int64
}

// delays returns the delays of packets between two instants, which the shortest of a size has not.
func delays(all []*packet, size, from, to func(*packet) int64) (out []delay) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(p, q *packet) int { return cmp.Compare(to(p), to(q)) })
	least, last := map[int64]int64{}, int64(0)
	for _, p := range all {
		if t, known := least[size(p)]; !known || to(p)-from(p) < t {
			least[size(p)] = to(p) - from(p)
		}
	}
	for _, p := range all {
		if from(p) >= last && !p.lost {
			out = append(out, delay{p, to(p) - from(p) - least[size(p)]})
		}
		last = max(last, to(p))
	}
	return out
}

// usualDelay returns the median of the delays that may be fetches, 0 if there are too few or they differ.
func usualDelay(all []delay) int64 {
	var list []int64
	for _, x := range all {
		if x.t >= briefest {
			list = append(list, x.t)
		}
	}
	if len(list) < enoughQuiet {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// same reports whether two times in ps are about the same.
func same(s, t int64) bool { return 10*max(s, t) <= (10+sameTenths)*min(s, t) }

// states finds for which packets a node's card has fetched the state of their queue pairs.
func states(n *node) {
	asked := delays(n.sent, func(*packet) int64 { return 0 }, func(p *packet) int64 { return p.t1 }, func(p *packet) int64 { return p.take })
	x := stages[depositing]
	came := delays(n.received, func(p *packet) int64 { return int64(p.size) }, x.from, x.to)
	t, u := usualDelay(asked), usualDelay(came)
	if t == 0 || u == 0 || !same(t, u) {
		return
	}
	for side, list := range [...][]delay{asked, came} {
		for _, d := range list {
			if same(d.t, t) {
				d.packet.states[side] = d.t
			}
		}
	}
}
