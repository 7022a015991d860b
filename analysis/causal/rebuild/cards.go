package rebuild

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// A card of pipelines serves several packets at a time. No processor stamps one after the other: each stage of a
// packet's way is a place of its own, where it may wait behind the packet before it.

// stage is one of the stages of cards.
type stage struct {
	resource func(*packet) waits.Resource
	from, to func(*packet) int64 // ps
}

var stages = [numStages]stage{
	{(*packet).fetchedBy, func(p *packet) int64 { return p.take }, func(p *packet) int64 { return p.t2 }},
	{func(*packet) waits.Resource { return waits.Pipeline }, func(p *packet) int64 { return p.t2 }, func(p *packet) int64 { return p.t3 }},
	{func(*packet) waits.Resource { return waits.HostDMA }, func(p *packet) int64 { return p.t5 }, func(p *packet) int64 { return p.t6 }},
}

// fetchedBy returns what a card has the data of a packet from: of one that came with its request from its own pipeline. What others
// get with the request is fetched as an entry of the request queue.
func (p *packet) fetchedBy() waits.Resource {
	switch {
	case p.inline:
		return waits.Pipeline
	case p.entry:
		return waits.Request
	}
	return waits.HostDMA
}

// pipelines finds where packets waited in the cards of all nodes, and for whom.
func (b *builder) pipelines() {
	inline := map[trace.Kind]int{} // bytes that come with a request, at the most, by kind
	for _, p := range b.packets {
		if p.inline {
			inline[p.kind] = max(inline[p.kind], p.size)
		}
	}
	for _, p := range b.packets {
		p.entry = !p.inline && p.size <= inline[p.kind]
	}
	for i := range b.nodes {
		n := &b.nodes[i]
		queued(n.sent)
		states(n)
		for k := range stages {
			list := n.sent
			if k == depositing {
				list = n.received
			}
			pass(k, slices.Clone(list))
		}
		b.arrive(n.received)
	}
}

// pass finds how long the packets of a node wait at a stage.
func pass(k int, all []*packet) {
	x := stages[k]
	slices.SortStableFunc(all, func(p, q *packet) int { return cmp.Compare(x.to(p), x.to(q)) })
	alone := quickest(all, (*packet).bytes, x.from, x.to)
	longest := int64(0) // for a size of which too few are known
	for _, t := range alone {
		longest = max(longest, t)
	}
	last, by := int64(0), waits.ID(0)
	for _, p := range all {
		from, to := x.from(p), x.to(p)
		p.spells[k] = spell{from, by}
		t, known := alone[p.size]
		if !known {
			t = longest
		}
		if t > 0 && !p.lost {
			p.spells[k].begin = max(from, min(last, to-t))
			if to-from > heldUp*t {
				p.spells[k].begin = to - t
			}
		}
		last, by = max(last, to), p.id
	}
}

// heldUp is how many times the usual time a packet takes at a stage, from which on it was held up, by whatever.
const heldUp = 10

// card writes a packet between cards.
func (b *builder) card(p *packet) {
	s := scribe{log: b.log}
	s.begin(p.actor(), p.t1)
	b.requested(&s, p)
	for k, x := range stages {
		node := p.sender
		if k == depositing {
			b.crossed(&s, p)
			node = p.receiver
		}
		s.wait(x.resource(p), node, p.spells[k].begin, p.spells[k].by)
		if k == depositing {
			s.serve(waits.Cache, node, min(s.at+p.states[1], x.to(p)))
		}
		s.serve(x.resource(p), node, x.to(p))
	}
	s.end()
}
