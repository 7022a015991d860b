package fast

import "github.com/sigview/sigview/sim"

// Link has the next-free times of an interface. The zero value is idle.
type Link struct {
	out  sim.Time // when it can take the next message
	last sim.Time // when the last message that it has taken arrives
	in   sim.Time // when the last message from others was stored
}

// Ready returns when a sender that is ready at t finds room for a message among the slots.
func (l *Link) Ready(t sim.Time, c *Cost, slots int) sim.Time {
	return max(t, l.out.Add(-c.Gap*sim.Duration(slots)))
}

// Leave takes a message at t, the next one a gap later, and returns when the interface has taken it and when
// it arrives. Messages of an interface arrive in order.
func (l *Link) Leave(t sim.Time, gap sim.Duration, c *Cost) (taken, arrives sim.Time) {
	begin := max(t, l.out)
	l.out = begin.Add(gap)
	l.last = max(begin.Add(c.Latency), l.last)
	return l.out, l.last
}

// Land returns when a message that arrives at t is stored. Calls are in the order of t.
func (l *Link) Land(t sim.Time, c *Cost) sim.Time {
	if c.In > 0 {
		t = max(t, l.in.Add(c.In))
		l.in = t
	}
	if c.Turn > 0 {
		l.out = max(l.out, t.Add(c.Turn))
	}
	return t
}
