package vmmc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// TestSwampedPort: seven nodes swamp the port of node 0. A message of one of them to
// another node comes long before the others' end if senders are throttled, because it
// passes the requests that wait. All messages arrive in order, and those to node 0 in
// about the same time.
func TestSwampedPort(t *testing.T) {
	run := func(paced bool) (bystander, all sim.Time, r *rig) {
		r = newRig(t, setup{nodes: 8, paced: paced, profile: func(p *platform.Profile) { p.NI.ReceiveBuffers = 16 }})
		for from := 1; from < 7; from++ {
			r.stream(from, 0, 60)
		}
		r.program(7, func(c *host.Context) {
			for i := range 60 {
				r.send(c, 7, 0, 31*i%1000, 97*i%20000, 1+37*i%3000, false)
				if i == 40 {
					r.send(c, 7, 1, 0, 0, 512, false)
				}
			}
		})
		r.finish()
		account(r)
		from := r.procs[0].live
		return r.procs[1].live[0], from[len(from)-1], r
	}
	late, before, r := run(false)
	require.Empty(t, r.Nodes[7].VMMC.Swamped())
	early, after, r := run(true)
	require.Less(t, early, late*3/4)
	require.InEpsilon(t, float64(before), float64(after), 0.05)
	for from := 1; from < 8; from++ {
		found := r.Nodes[from].VMMC.Swamped()
		require.Len(t, found, 1)
		require.Equal(t, 0, found[0].Peer)
		require.Positive(t, found[0].Cuts)
		require.Less(t, found[0].Least, 16)
	}
	require.Empty(t, r.Nodes[0].VMMC.Swamped())
}

// TestThrottleEnds: a sender gets its whole window back once the others have ended.
func TestThrottleEnds(t *testing.T) {
	r := newRig(t, setup{nodes: 8, paced: true, profile: func(p *platform.Profile) { p.NI.ReceiveBuffers = 16 }})
	whole := vmmc.Limit(r.Nodes[1].VMMC, 0)
	for from := 1; from < 7; from++ {
		r.stream(from, 0, 30)
	}
	r.stream(7, 0, 600)
	least := whole
	for r.Engine.Step() {
		least = min(least, vmmc.Limit(r.Nodes[7].VMMC, 0))
	}
	r.finish()
	require.Less(t, least, whole/2)
	require.Equal(t, whole, vmmc.Limit(r.Nodes[7].VMMC, 0))
}
