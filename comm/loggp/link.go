package loggp

import (
	"cmp"

	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/sim"
)

// link is an interface whose two directions share its parts: a processor, engines, a bus. A message
// in each direction takes a share of their time, in proportion to its gap, in the order of their
// arrival. An interface that serves each node on its own delays a message only behind those to the
// same node.
type link struct {
	fast.Link
	free  sim.Time   // when what is shared is free
	ready []sim.Time // when the next message to each node can leave
	last  []sim.Time // when the last one to each node arrives
}

// leave takes a message to a node at a time and returns when the interface has it and when it
// arrives, as fast.Link.Leave does.
func (l *link) leave(t sim.Time, to int, c *fast.Cost) (taken, arrives sim.Time) {
	begin, gap := max(t, l.free), cmp.Or(c.Spread, c.Gap)
	l.free = begin.Add(share(c, gap))
	taken, arrives = l.Leave(begin, gap, c)
	if gap == c.Gap {
		return taken, arrives
	}
	for len(l.ready) <= to {
		l.ready, l.last = append(l.ready, 0), append(l.last, 0)
	}
	begin = max(taken.Add(-gap), l.ready[to])
	l.ready[to] = begin.Add(c.Gap)
	l.last[to] = max(arrives, begin.Add(c.Latency), l.last[to])
	return l.ready[to], l.last[to]
}

// land returns when an arriving message is stored, as fast.Link.Land does.
func (l *link) land(t sim.Time, c *fast.Cost) sim.Time {
	l.free = max(t, l.free.Add(share(c, c.In)))
	return l.Land(l.free, c)
}

func share(c *fast.Cost, gap sim.Duration) sim.Duration {
	if c.In == 0 || c.Both == 0 {
		return 0
	}
	return sim.Duration(float64(c.Both) * float64(gap) / float64(c.Gap+c.In))
}
