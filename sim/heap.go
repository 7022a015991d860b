package sim

// node is an event and its place.
type node[E any] struct {
	// Order is by (at, seq). Invariant: no two nodes have the same seq.
	at         Time
	seq        uint64
	next, prev *node[E] // prev only in the sorted list
	event      E
}

// before reports whether n is the earlier event.
func (n *node[E]) before(o *node[E]) bool { return n.at < o.at || n.at == o.at && n.seq < o.seq }

// follow puts n behind p into the list.
func (n *node[E]) follow(p *node[E]) {
	next := p.next
	n.prev, n.next, p.next = p, next, n
	next.prev = n
}

// heap is a 4-ary heap: half as deep as a binary one, with the children of a node side by side. Invariant:
// h[(i-1)/4] is before h[i].
type heap[E any] []*node[E]

// push adds an event, which rises past those that it is before.
func (h *heap[E]) push(n *node[E]) {
	*h = append(*h, n)
	all := *h
	i := len(all) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !n.before(all[parent]) {
			break
		}
		all[i] = all[parent]
		i = parent
	}
	all[i] = n
}

// pop removes the least event. There has to be one. The last one takes its place and sinks past lesser
// children.
func (h *heap[E]) pop() *node[E] {
	all := *h
	least, n := all[0], len(all)-1
	last := all[n]
	all[n] = nil
	all = all[:n]
	*h = all
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		best := first
		for c := first + 1; c < min(first+4, n); c++ {
			if all[c].before(all[best]) {
				best = c
			}
		}
		if !all[best].before(last) {
			break
		}
		all[i] = all[best]
		i = best
	}
	if n > 0 {
		all[i] = last
	}
	return least
}
