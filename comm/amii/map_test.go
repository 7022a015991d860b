package amii_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// across sends messages from node 0 to node 4, of another leaf switch, and
// requires them to come in order, each once.
func across(r *testbed.Test, messages int) {
	done, next := false, uint32(0)
	r.Procs[4].Endpoint.(comm.Requester).Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
		require.Equal(r.T, next, q.Args[0])
		next++
		return q.Args
	})
	r.Go(func(c *host.Context, p *testbed.Process) {
		for i := range uint32(messages) {
			must(requester(p).Request(c, 4, 1, [4]uint32{i}))
		}
		drain(c, requester(p))
		done = true
	}, nil, nil, nil, serve(requester(r.Procs[4]), &done))
	require.EqualValues(r.T, messages, next)
	require.Zero(r.T, r.Lost())
}

// TestMap: a dead link, of the way of the requests or of the replies, has the
// network mapped once; routes that nobody uses are replaced, too.
func TestMap(t *testing.T) {
	for _, b := range []fabric.Break{{From: 0, To: 4, At: 300_000_000}, {From: 4, To: 0, At: 300_000_000}, {From: 8, To: 6}} {
		r := testbed.New(t, "ppro", "amii", 9, 64, func(s *cluster.Spec) { s.Faults.Breaks = []fabric.Break{b} })
		other := (b.From + 1) % 8
		unused := r.Net.Route(other, 8) // by the link that dies, and not used
		across(r, 200)
		if b.From == 8 {
			require.Zero(t, count(r, "mapped"), "nobody has missed the link")
			require.Zero(t, count(r, "timeouts"))
			require.Zero(t, r.Net.Stats().Severed)
			continue
		}
		require.EqualValues(t, 1, count(r, "mapped"))
		require.EqualValues(t, 2, count(r, "timeouts"))
		require.NotZero(t, r.Net.Stats().Severed)
		require.NotEqual(t, unused, r.Net.Route(other, 8))
		links := r.Net.Links()
		require.Greater(t, r.Engine.Now().Sub(b.At), 60*sim.Millisecond+50*sim.Microsecond*sim.Duration(1+links))
	}
}

// TestSleeperIsNoDeadLink: a peer that polls late is probed, not mapped around.
func TestSleeperIsNoDeadLink(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 9, 64)
	r.Go(func(c *host.Context, p *testbed.Process) {
		must(p.Endpoint.Send(c, 4, p.Endpoint.Buffer(64), 64, trace.Meta{Kind: trace.Message}))
		drain(c, requester(p))
	}, nil, nil, nil, func(c *host.Context, p *testbed.Process) {
		c.Sleep(300 * sim.Millisecond)
		_, err := p.Endpoint.Receive(c, 0, p.Space.Alloc(64), 64)
		must(err)
		for range 100 {
			requester(p).Poll(c)
			c.Sleep(5 * sim.Millisecond)
		}
	})
	require.NotZero(t, count(r, "timeouts"))
	require.Zero(t, count(r, "mapped"))
}

// TestApart: where no route is left, requests return to their sender.
func TestApart(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 9, 64, func(s *cluster.Spec) {
		for i := range 4 {
			s.Faults.Breaks = append(s.Faults.Breaks, fabric.Break{From: 0, To: 4 + i})
		}
	})
	done := false
	r.Go(func(c *host.Context, p *testbed.Process) {
		must(requester(p).Request(c, 4, 1, [4]uint32{}))
		drain(c, requester(p))
		require.Error(t, requester(p).Request(c, 4, 1, [4]uint32{}))
		done = true
	}, nil, nil, nil, serve(requester(r.Procs[4]), &done))
	require.EqualValues(t, 1, r.Lost())
}
