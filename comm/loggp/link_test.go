package loggp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/fast"
	"github.com/sigview/sigview/sim"
)

// TestDirectionsShareAnInterface: a message in and another out take Both together, as long as
// there are more; one direction alone has its gap, and what comes late finds the interface free.
func TestDirectionsShareAnInterface(t *testing.T) {
	const n = 100
	c := &fast.Cost{Gap: 8, In: 4, Latency: 20, Both: 9}
	out := func(l *link, at sim.Time) (last sim.Time) {
		for range n {
			last, _ = l.leave(at, c)
		}
		return last
	}
	in := func(l *link, at sim.Time) (last sim.Time) {
		for range n {
			last = l.land(at, c)
		}
		return last
	}
	require.EqualValues(t, n*8, out(&link{}, 0), "out alone")
	require.EqualValues(t, n*4, in(&link{}, 0), "in alone")

	var l link
	var sent, stored sim.Time
	for range n {
		sent, _ = l.leave(0, c)
		stored = l.land(0, c)
	}
	require.EqualValues(t, n*9, stored)
	require.LessOrEqual(t, sent, stored)
	require.EqualValues(t, 5000, l.land(5000, c), "nothing is left to do")
	taken, arrives := l.leave(6000, c)
	require.EqualValues(t, 6008, taken)
	require.EqualValues(t, 6020, arrives)

	c.Both = 0 // directions know nothing of each other
	l = link{}
	out(&l, 0)
	require.EqualValues(t, n*4, in(&l, 0))
}
