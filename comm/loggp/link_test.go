package loggp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/sim"
)

// TestDirectionsShareAnInterface: a message in and another out take Both together, as long as
// there are more; one direction alone has its gap, and what comes late finds the interface free.
func TestDirectionsShareAnInterface(t *testing.T) {
	const n = 100
	c := &fast.Cost{Gap: 8, In: 4, Latency: 20, Both: 9}
	out := func(l *link, at sim.Time) (last sim.Time) {
		for range n {
			last, _ = l.leave(at, 1, c)
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
		sent, _ = l.leave(0, 1, c)
		stored = l.land(0, c)
	}
	require.EqualValues(t, n*9, stored)
	require.LessOrEqual(t, sent, stored)
	require.EqualValues(t, 5000, l.land(5000, c), "nothing is left to do")
	taken, arrives := l.leave(6000, 1, c)
	require.EqualValues(t, 6008, taken)
	require.EqualValues(t, 6020, arrives)

	c.Both = 0 // directions know nothing of each other
	l = link{}
	out(&l, 0)
	require.EqualValues(t, n*4, in(&l, 0))
}

// TestEachNodeOnItsOwn: messages to one node have its gap, those to several the interface's; a message waits only
// for those to its own node, and what is short does not overtake what is long.
func TestEachNodeOnItsOwn(t *testing.T) {
	c := &fast.Cost{Gap: 8, Spread: 2, Latency: 20}
	var l link
	arrives := func(to int, c *fast.Cost) (at sim.Time) {
		_, at = l.leave(0, to, c)
		return at
	}
	require.EqualValues(t, 20, arrives(1, c))
	require.EqualValues(t, 28, arrives(1, c))
	require.EqualValues(t, 36, arrives(1, c))
	require.EqualValues(t, 26, arrives(2, c), "three have left the interface before")
	require.EqualValues(t, 28, arrives(3, c))
	require.EqualValues(t, 36, arrives(1, &fast.Cost{Gap: 8, Spread: 2, Latency: 1}))

	l = link{}
	even := &fast.Cost{Gap: 8, Spread: 8, Latency: 20}
	require.EqualValues(t, 20, arrives(1, even))
	require.EqualValues(t, 28, arrives(2, even), "one message after another")
}
