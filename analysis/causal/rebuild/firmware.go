package rebuild

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sigview/sigview/trace"
)

// stamp collects the stamps of every node.
func (b *builder) stamp() {
	at := func(node int, s stamp) {
		n := b.node(node)
		n.stamps = append(n.stamps, s)
	}
	for _, p := range b.packets {
		at(p.sender, stamp{p.t2, p, fetched})
		at(p.sender, stamp{p.t4, p, left})
		at(p.receiver, stamp{p.t5, p, arrived})
		at(p.receiver, stamp{p.t6, p, delivered})
	}
	for i := range b.nodes {
		slices.SortStableFunc(b.nodes[i].stamps, func(x, y stamp) int { return cmp.Compare(x.at, y.at) })
	}
}

// handlers finds how long handlers take. The shortest time between two arrivals is that of
// one handler, by the size of the first.
func (b *builder) handlers() {
	b.handler = map[int]int64{}
	arrivals := map[int][]int64{}
	for n := range b.nodes {
		all := b.nodes[n].stamps
		for i := 1; i < len(all); i++ {
			if x, y := all[i-1], all[i]; x.sort == arrived && y.sort == arrived {
				arrivals[x.packet.size()] = append(arrivals[x.packet.size()], y.at-x.at)
			}
		}
	}
	for class, all := range arrivals {
		b.handler[class] = low(all)
		b.longest = max(b.longest, b.handler[class])
	}
}

// low returns the value below which a twentieth of all lie.
func low(all []int64) int64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/20]
}

// each calls f for the parts of a time in which the processor of a node works for another
// packet than self, as far as stamps show: until the next stamp, but no longer than a
// handler takes. An arrival is stamped in the middle of its handler, other instants at its
// begin.
func (b *builder) each(node int, from, to int64, self *packet, f func(p *packet, from, to int64)) {
	all := b.nodes[node].stamps
	i := sort.Search(len(all), func(i int) bool { return all[i].at > from-b.longest })
	for ; i < len(all) && b.begun(all[i]) < to; i++ {
		end := min(to, b.begun(all[i])+b.handler[all[i].packet.size()])
		if i+1 < len(all) {
			end = min(end, max(all[i].at, b.begun(all[i+1])))
		}
		if begin := max(from, b.begun(all[i])); end > begin && all[i].packet != self {
			f(all[i].packet, begin, end)
			from = end
		}
	}
}

// latest returns the packet for which the processor of a node was last stamped before a
// time, nil if it was never.
func (b *builder) latest(node int, at int64) *packet {
	all := b.nodes[node].stamps
	i := sort.Search(len(all), func(i int) bool { return all[i].at >= at })
	if i == 0 {
		return nil
	}
	return all[i-1].packet
}

// begun returns when the handler of a stamp began.
func (b *builder) begun(s stamp) int64 {
	if s.sort == arrived {
		return s.at - b.handler[s.packet.size()]/2
	}
	return s.at
}

// accesses finds when the programs of each node have used the I/O bus themselves: to post
// a request, or to read the clock for a step.
func (b *builder) accesses(steps []trace.StepRow) {
	at := func(node int, t int64) {
		n := b.node(node)
		n.posts = append(n.posts, t)
	}
	for _, p := range b.packets {
		at(p.sender, p.t1)
	}
	for i := range steps {
		at(int(steps[i].Node), ns*steps[i].BeginNs)
	}
	for i := range b.nodes {
		slices.Sort(b.nodes[i].posts)
	}
}

// accessed returns how often a program of a node has used the I/O bus between two times.
func (b *builder) accessed(node int, from, to int64) int64 {
	i, _ := slices.BinarySearch(b.nodes[node].posts, from)
	j, _ := slices.BinarySearch(b.nodes[node].posts, to)
	return int64(j - i)
}

// quiet reports whether no record shows that the processor of a node, or a program, did
// anything for others than p between two times.
func (b *builder) quiet(node int, from, to int64, p *packet) bool {
	quiet := b.accessed(node, from, to) == 0
	b.each(node, from, to, p, func(*packet, int64, int64) { quiet = false })
	return quiet
}
