package vmmc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// TestReroute: a dead link, of the way of the packets or of their
// acknowledgements, costs the silence of two timeouts and loses nothing; routes of
// others stay as they are.
func TestReroute(t *testing.T) {
	for _, c := range []struct {
		b        fabric.Break
		unused   [2]int // a route by the same link
		rerouted uint64
	}{
		{fabric.Break{From: 0, To: 8, At: sim.Time(ms)}, [2]int{1, 4}, 1},
		{fabric.Break{From: 8, To: 0, At: sim.Time(ms)}, [2]int{5, 8}, 1},
		{fabric.Break{From: 4, To: 8}, [2]int{5, 0}, 0}, // of nobody's way
	} {
		r := newRig(t, setup{nodes: 9, seed: 3, faults: fabric.Faults{Breaks: []fabric.Break{c.b}}})
		unused := r.Net.Route(c.unused[0], c.unused[1])
		r.stream(0, 8, 100)
		r.finish()
		account(r)
		require.Equal(t, c.rerouted, r.sum(func(s vmmc.Stats) uint64 { return s.Rerouted }))
		require.Equal(t, c.rerouted > 0, r.Net.Stats().Severed > 0)
		require.Equal(t, 2*c.rerouted, r.sum(func(s vmmc.Stats) uint64 { return s.Timeouts }))
		require.Equal(t, unused, r.Net.Route(c.unused[0], c.unused[1]))
	}
}

// TestRerouteBothWays: both ends of a pair that sends in both directions look for
// routes, and for another pair of the same link its own node does.
func TestRerouteBothWays(t *testing.T) {
	r := newRig(t, setup{nodes: 9, seed: 3, faults: fabric.Faults{Breaks: []fabric.Break{{From: 0, To: 8, At: sim.Time(ms)}}}})
	r.stream(0, 8, 100)
	r.stream(8, 0, 100)
	r.stream(1, 8, 100)
	r.stream(2, 3, 100)
	r.finish()
	account(r)
	require.EqualValues(t, 2, r.sum(func(s vmmc.Stats) uint64 { return s.Rerouted }))
	require.NotZero(t, r.Nodes[1].VMMC.Stats().Rerouted)
	require.Zero(t, r.Nodes[2].VMMC.Stats().Timeouts)
}

// TestNoRouteLeft: a link is given up where no route is left, or where the
// control program looks for none.
func TestNoRouteLeft(t *testing.T) {
	for _, breaks := range []int{4, 1} {
		faults := fabric.Faults{}
		for i := range breaks {
			faults.Breaks = append(faults.Breaks, fabric.Break{From: 0, To: 4 + i})
		}
		r := newRig(t, setup{nodes: 9, seed: 3, faults: faults, profile: func(p *platform.Profile) {
			if breaks == 1 {
				p.VMMC.RerouteAfter = 0
			}
		}})
		r.stream(0, 4, 1)
		require.NoError(t, r.Engine.Run(sim.Never))
		require.EqualValues(t, 1, r.Nodes[0].VMMC.Stats().GivenUp)
		require.Zero(t, r.Nodes[0].VMMC.Stats().Rerouted)
		require.Equal(t, 1, r.Nodes[0].VMMC.Unacknowledged())
	}
}
