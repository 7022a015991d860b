package gauss_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/workloads/gauss"
)

type result struct {
	*gauss.Gauss
	*cluster.Cluster
	system *nx.System
}

// run executes an elimination.
func run(t *testing.T, s gauss.Spec, mode nx.Broadcast, faults fabric.Faults) result {
	t.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{Profile: p, Nodes: s.Nodes, Seed: s.Seed, Options: monitor.Options{Build: monitor.Off}, Faults: faults})
	require.NoError(t, err)
	g, err := gauss.New(s)
	require.NoError(t, err)
	system, err := c.Messages(nx.Spec{Broadcast: mode, EagerBytes: g.EagerBytes()})
	require.NoError(t, err)
	ended := false
	require.NoError(t, system.Start(g.Run, func() { ended = true }))
	defer c.Engine.Close()
	require.NoError(t, c.Engine.RunUntil(func() bool { return ended }))
	require.NoError(t, system.Err())
	return result{g, c, system}
}

var modes = []nx.Broadcast{nx.Separate, nx.Tree, nx.Firmware}

func TestVerified(t *testing.T) {
	for _, s := range []gauss.Spec{
		{Order: 2, Nodes: 2}, {Order: 9, Nodes: 3}, {Order: 64, Nodes: 8}, {Order: 100, Nodes: 16}, {Order: 64, Nodes: 64}, {Order: 130, Nodes: 64},
		{Order: 600, Nodes: 2}, {Order: 513, Nodes: 7},
	} {
		for _, mode := range modes {
			if testing.Short() && (s.Order > 128 || s.Nodes > 16 && mode != nx.Separate) {
				continue
			}
			t.Run(fmt.Sprintf("%d on %d, %v", s.Order, s.Nodes, mode), func(t *testing.T) {
				s.Seed = uint64(s.Order)
				r := run(t, s, mode, fabric.Faults{})
				c, err := r.Verify()
				require.NoError(t, err)
				require.Less(t, c.Residual, 10*c.Other+0.1, "against an independent solution")
				var short, eager uint64
				for i := range s.Nodes {
					x := r.system.Process(i).Stats()
					short += x.Short
					eager += x.Eager
					require.Zero(t, x.Long)
				}
				if mode != nx.Tree {
					// Everybody gets every row but the last. The rest are synchronizations.
					require.GreaterOrEqual(t, short+eager, uint64((s.Order-1)*(s.Nodes-1)))
				}
			})
		}
	}
}

func TestUnderFaults(t *testing.T) {
	for _, mode := range modes {
		r := run(t, gauss.Spec{Order: 200, Nodes: 8, Seed: 3}, mode, fabric.Faults{ErrorPerByte: 3e-6})
		_, err := r.Verify()
		require.NoError(t, err)
		var again uint64
		for _, n := range r.Nodes {
			again += n.VMMC.Stats().Retransmitted
		}
		require.NotZero(t, again)
	}
}

// TestVerifyNotices changes one element of the factors by a part in a million.
func TestVerifyNotices(t *testing.T) {
	const order = 48
	for _, row := range []int{0, 7, order - 1} {
		for _, column := range []int{0, order / 2, order - 1} {
			r := run(t, gauss.Spec{Order: order, Nodes: 4, Seed: 1}, nx.Separate, fabric.Faults{})
			r.Spoil(row, column, 1.000001)
			_, err := r.Verify()
			require.ErrorContains(t, err, "scaled residual", "row %d column %d", row, column)
		}
	}
	r := run(t, gauss.Spec{Order: order, Nodes: 4, Seed: 1}, nx.Separate, fabric.Faults{})
	r.Spoil(3, 3, math.NaN())
	_, err := r.Verify()
	require.ErrorContains(t, err, "scaled residual +Inf")
}

func TestRepeats(t *testing.T) {
	for _, mode := range modes {
		digest := func() string {
			r := run(t, gauss.Spec{Order: 96, Nodes: 6, Seed: 5}, mode, fabric.Faults{ErrorPerByte: 1e-6})
			return fmt.Sprintf("%x %v", r.Engine.Digest(), r.system.Process(3).Shares())
		}
		require.Equal(t, digest(), digest())
	}
}

// TestShares: the time of every node adds up, and is computing and messages.
func TestShares(t *testing.T) {
	r := run(t, gauss.Spec{Order: 256, Nodes: 4, Seed: 1}, nx.Separate, fabric.Faults{})
	took, ok := r.system.Elapsed()
	require.True(t, ok)
	for i := range 4 {
		s := r.system.Process(i).Shares()
		require.Equal(t, s.Elapsed, s.Sum())
		require.InDelta(t, took.Seconds(), s.Elapsed.Seconds(), 1e-3)
		for _, c := range []host.Category{host.Computing, host.Messaging, host.MessageWait} {
			require.Positive(t, s.Time[c], c.String())
		}
		require.Greater(t, s.Time[host.Computing], took/2)
		require.Less(t, s.Time[host.Messaging], took/5)
	}
	require.Less(t, took, sim.Second)
}

func TestSpec(t *testing.T) {
	for want, s := range map[string]gauss.Spec{
		"gauss.size is 1, want 2 to 8192":      {Order: 1, Nodes: 2},
		"gauss.size is 8193, want 2 to 8192":   {Order: 8193, Nodes: 2},
		"gauss.nodes is 9, want 2 to size = 8": {Order: 8, Nodes: 9},
		"gauss.nodes is 1, want 2 to size = 8": {Order: 8, Nodes: 1},
	} {
		_, err := gauss.New(s)
		require.ErrorContains(t, err, want)
	}
	g, err := gauss.New(gauss.Spec{Order: 8, Nodes: 2})
	require.NoError(t, err)
	_, err = g.Verify()
	require.ErrorContains(t, err, "node 0 has not run")
}
