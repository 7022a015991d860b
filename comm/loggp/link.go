package loggp

import (
	"github.com/sigview/sigview/fast"
	"github.com/sigview/sigview/sim"
)

// link is an interface whose directions share what is in it: a processor, engines, a bus. Of the
// time for a message in both directions each takes a share, as their gaps are, in the order in
// which they come.
type link struct {
	fast.Link
	free sim.Time // when what is shared is free
}

// leave is Leave.
func (l *link) leave(t sim.Time, c *fast.Cost) (taken, arrives sim.Time) {
	begin := max(t, l.free)
	l.free = begin.Add(share(c, c.Gap))
	return l.Leave(begin, c)
}

// land is Land.
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
