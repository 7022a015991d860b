package pm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// twoPrograms runs two programs of a process per node on three nodes, in slices
// of 10 ms, and returns the rig at their end. Each process exchanges messages
// with its neighbours and computes between. It also returns how many packets met
// an absent process before the first of the processes ended: from then on the
// other program has that node for itself.
func twoPrograms(t *testing.T, turns int, change testbed.Change) (r *testbed.Test, absent uint64) {
	r = testbed.New(t, "ppro", "pm", 3, 0, func(s *cluster.Spec) {
		s.Gang, s.Tags = true, 2
		s.Profile.Host.Quantum = 10 * sim.Millisecond
	}, change)
	second, err := r.Processes(1, 0)
	require.NoError(t, err)
	left := 0
	for program, procs := range [][]*testbed.Process{r.Procs, second} {
		for i, p := range procs {
			left++
			p.Node.Host.Go(fmt.Sprintf("tag%d/%d", program, i), host.Application, func(c *host.Context) {
				exchange(t, c, p, 1000*program, turns)
				if left == 6 {
					for i := range r.Nodes {
						absent += r.Count(i, "absent")
					}
				}
				left--
			})
		}
	}
	require.NoError(t, r.Engine.RunUntil(func() bool { return left == 0 }))
	require.NoError(t, r.Cluster.Rest(sim.Second))
	return r, absent
}

// exchange sends to the next node and receives from the one before, turn by
// turn; what it receives are its own program's messages in order.
func exchange(t *testing.T, c *host.Context, p *testbed.Process, first, turns int) {
	next, before := (p.Number+1)%3, (p.Number+2)%3
	for i := range turns {
		testbed.SendNumbers(t, c, p.Endpoint, next, first+3*i, 3)
		c.Spend(sim.Duration(50*(1+(i+p.Number)%3)) * sim.Microsecond)
		testbed.ReceiveNumbers(t, c, p.Endpoint, before, first+3*i, 3)
	}
}

// TestGang: under gang scheduling two programs use the interfaces in turns, and
// no packet ever meets another process's turn.
func TestGang(t *testing.T) {
	r, absent := twoPrograms(t, 300, func(*cluster.Spec) {})
	require.Zero(t, absent)
	for i, n := range r.Nodes {
		require.Greater(t, r.Count(i, "changes"), uint64(5))
		require.True(t, n.Layer.Quiet())
	}
	require.Zero(t, r.Lost())
	require.Zero(t, r.Net.InUse())
}

// TestNoGang: interfaces that change processes each at its own time, or without
// waiting for what is on its way, meet packets of the absent process; they are
// counted, rejected, and come again.
func TestNoGang(t *testing.T) {
	for _, change := range []testbed.Change{
		func(s *cluster.Spec) { s.Gang = false },
		func(s *cluster.Spec) { s.Profile.PM.Gang.Drain = sim.Microsecond },
	} {
		r, absent := twoPrograms(t, 300, change)
		require.NotZero(t, absent)
		var rejected uint64
		for i, n := range r.Nodes {
			rejected += r.Count(i, "rejected")
			require.True(t, n.Layer.Quiet())
		}
		require.NotZero(t, rejected, "there are buffers enough, so these have met an absent process")
		require.Zero(t, r.Lost())
	}
}

// TestTurns: the interface changes its process with what that has kept: two
// senders of one node whose packets were rejected both get theirs through.
func TestTurns(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, 0, buffers(2), func(s *cluster.Spec) {
		s.Gang, s.Tags = true, 2
		s.Profile.Host.Quantum = 10 * sim.Millisecond
	})
	second, err := r.Processes(1, 0)
	require.NoError(t, err)
	left := 0
	run := func(p *testbed.Process, f func(c *host.Context, ep comm.Endpoint)) {
		left++
		p.Node.Host.Go("program", host.Application, func(c *host.Context) {
			f(c, p.Endpoint)
			left--
		})
	}
	for tag, procs := range [][]*testbed.Process{r.Procs, second} {
		run(procs[0], func(c *host.Context, ep comm.Endpoint) { testbed.SendNumbers(t, c, ep, 1, 100*tag, 60) })
		run(procs[1], func(c *host.Context, ep comm.Endpoint) {
			c.Spend(25 * sim.Millisecond) // of CPU: three turns
			testbed.ReceiveNumbers(t, c, ep, 0, 100*tag, 60)
		})
	}
	require.NoError(t, r.Engine.RunUntil(func() bool { return left == 0 }))
	require.NoError(t, r.Cluster.Rest(sim.Second))
	require.NotZero(t, r.Count(1, "rejected"))
	require.Zero(t, r.Lost())
	require.True(t, r.Nodes[0].Layer.Quiet())
}

// TestLeftBehindInAShortTurn: what a process could not send in one time slice leaves after its
// end, though its last slice is over before the interface is its own again.
func TestLeftBehindInAShortTurn(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, 0, func(s *cluster.Spec) {
		s.Gang, s.Tags = true, 2
		s.Profile.Host.Quantum = 10 * sim.Millisecond
	})
	second, err := r.Processes(1, 0)
	require.NoError(t, err)
	var ended, came sim.Time
	r.Procs[0].Node.Host.Go("first", host.Application, func(c *host.Context) {
		ep := r.Procs[0].Endpoint
		at := ep.Buffer(mtu)
		c.Spend(9900 * sim.Microsecond)
		for range 60 {
			require.NoError(t, ep.Send(c, 1, at, mtu, message))
		}
		c.Spend(500 * sim.Microsecond)
		ended = c.Now()
	})
	second[0].Node.Host.Go("second", host.Application, func(c *host.Context) { c.Spend(sim.Second) })
	r.Procs[1].Node.Host.Go("first", host.Application, func(c *host.Context) {
		for range 60 {
			_, err := r.Procs[1].Endpoint.Receive(c, 0, 0, mtu)
			require.NoError(t, err)
		}
		came = c.Now()
	})
	require.NoError(t, r.Engine.RunUntil(func() bool { return came > 0 }))
	require.Greater(t, ended, sim.Time(20*sim.Millisecond))
	require.Less(t, came, sim.Time(40*sim.Millisecond))
}

// TestLeftBehind: what a process has sent leaves after its end, though another
// program has the CPU and the turns from then on.
func TestLeftBehind(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, 0, func(s *cluster.Spec) { s.Gang, s.Tags = true, 2 })
	second, err := r.Processes(1, 0)
	require.NoError(t, err)
	var sent, came sim.Time
	r.Procs[0].Node.Host.Go("first", host.Application, func(c *host.Context) {
		ep := r.Procs[0].Endpoint
		at := ep.Buffer(mtu)
		for range 60 {
			require.NoError(t, ep.Send(c, 1, at, mtu, message))
		}
		sent = c.Now()
	})
	second[0].Node.Host.Go("second", host.Application, func(c *host.Context) { c.Spend(sim.Second) })
	r.Procs[1].Node.Host.Go("first", host.Application, func(c *host.Context) {
		for range 60 {
			_, err := r.Procs[1].Endpoint.Receive(c, 0, 0, mtu)
			require.NoError(t, err)
		}
		came = c.Now()
	})
	require.NoError(t, r.Engine.RunUntil(func() bool { return came > 0 }))
	require.Less(t, sent, sim.Time(sim.Millisecond))
	require.Less(t, came, sim.Time(10*sim.Millisecond))
}
