package sockets_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// rig is a cluster with sockets and programs on it.
type rig struct {
	t    testing.TB
	c    *cluster.Cluster
	net  *sockets.Net
	left int
}

func newRig(t testing.TB, nodes int, seed uint64, spec sockets.Spec, faults fabric.Faults) *rig {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	return newRigOn(t, cluster.Spec{Profile: p, Nodes: nodes, Seed: seed, Options: monitor.Options{Build: monitor.Off}, Faults: faults}, spec)
}

func newRigOn(t testing.TB, built cluster.Spec, spec sockets.Spec) *rig {
	c, err := cluster.New(built)
	require.NoError(t, err)
	t.Cleanup(c.Engine.Close)
	n, err := c.Sockets(spec)
	require.NoError(t, err)
	return &rig{t: t, c: c, net: n}
}

// program starts a process on a node.
func (r *rig) program(node int, f func(x *host.Context, s *sockets.Stack)) {
	r.left++
	s := r.net.Stack(node)
	s.Host().Go(fmt.Sprintf("program on node %d", node), host.Application, func(x *host.Context) {
		f(x, s)
		r.left--
	})
}

// run runs until all programs have ended; a run that takes too long or that is
// stuck is an error.
func (r *rig) run(limit sim.Duration) error {
	end := r.c.Engine.Now().Add(limit)
	for r.left > 0 {
		if !r.c.Engine.Step() {
			return r.c.Engine.RunUntil(func() bool { return r.left == 0 })
		}
		if r.c.Engine.Now() > end {
			return fmt.Errorf("%d programs have not ended after %v", r.left, limit)
		}
	}
	return nil
}

// pair connects node 0 to node 1 and runs a program on each end.
func (r *rig) pair(near, far func(x *host.Context, c *sockets.Conn)) {
	r.program(1, func(x *host.Context, s *sockets.Stack) {
		l, err := s.Listen(7, sockets.Events{})
		require.NoError(r.t, err)
		c, err := l.Accept(x)
		require.NoError(r.t, err)
		far(x, c)
	})
	r.program(0, func(x *host.Context, s *sockets.Stack) {
		x.Spend(sim.Microsecond) // the other one listens first
		c, err := s.Dial(x, 1, 7)
		require.NoError(r.t, err)
		near(x, c)
	})
}
