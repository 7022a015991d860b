package amii_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestBothWays: processes that all send with full windows serve one another
// while they wait for credits; messages that nobody asked for yet keep their order.
func TestBothWays(t *testing.T) {
	const nodes, messages = 4, 60
	r := testbed.New(t, "ppro", "amii", nodes, 4096)
	finished := 0
	programs := make([]func(*host.Context, *testbed.Process), nodes)
	for k := range programs {
		programs[k] = func(c *host.Context, p *testbed.Process) {
			e := requester(p)
			out, in := e.Buffer(4), e.Buffer(4)
			for i := range messages {
				for d := 1; d < nodes; d++ {
					p.Space.Store32(out, uint32(i))
					must(e.Send(c, (k+d)%nodes, out, 4, trace.Meta{Kind: trace.Message}))
				}
			}
			next := [nodes]uint32{}
			for range messages * (nodes - 1) {
				got, err := e.Receive(c, comm.Anyone, in, 4)
				must(err)
				require.Equal(t, next[got.From], p.Space.Load32(in))
				next[got.From]++
			}
			drain(c, e)
			for finished++; finished < nodes; {
				e.Poll(c)
				c.Spend(10_000_000)
			}
		}
	}
	r.Go(programs...)
	require.Zero(t, r.Lost())
	require.Zero(t, count(r, "no room"))
	require.Zero(t, count(r, "repeated"))
	emptied(r)
}

// TestMessageTooLong: a message that a receive has no room for is not lost.
func TestMessageTooLong(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	done := false
	r.Go(func(c *host.Context, p *testbed.Process) {
		out := p.Endpoint.Buffer(100)
		must(p.Endpoint.Send(c, 1, out, 100, trace.Meta{Kind: trace.Message}))
		must(p.Endpoint.Send(c, 1, out, 10, trace.Meta{Kind: trace.Message}))
		drain(c, requester(p))
		done = true
	}, func(c *host.Context, p *testbed.Process) {
		in := p.Space.Alloc(100)
		_, err := p.Endpoint.Receive(c, 0, in, 50)
		require.ErrorContains(t, err, "a message of 100 B of node 0, want at most the 50 B")
		for _, n := range []int{100, 10} {
			got, err := p.Endpoint.Receive(c, 0, in, 100)
			must(err)
			require.Equal(t, n, got.Bytes)
		}
		serve(requester(p), &done)(c, p)
	})
	require.True(t, done)
}

// timed returns how long node 0 takes for calls of f, µs each.
func timed(r *testbed.Test, calls int, f func(c *host.Context, e comm.Requester)) float64 {
	took, done := 0.0, false
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		begin := c.Now()
		for range calls {
			f(c, e)
		}
		took = c.Now().Sub(begin).Us()
		drain(c, e)
		done = true
	}, serve(requester(r.Procs[1]), &done))
	return took / float64(calls)
}

// TestCosts: a send occupies the CPU for the copy that is kept and for the
// stores of all its bytes, so overhead grows with size at less than the rate of
// either; nothing of it is known beforehand but that.
func TestCosts(t *testing.T) {
	send := func(n int) float64 {
		r := testbed.New(t, "ppro", "amii", 2, 4096)
		from := r.Procs[0].Endpoint.Buffer(4096)
		return timed(r, 8, func(c *host.Context, e comm.Requester) {
			must(e.Send(c, 1, from, n, trace.Meta{Kind: trace.Message}))
		})
	}
	none, page := send(0), send(4096)
	rate := 4096 / (page - none) // MB/s
	require.Less(t, rate, 80.0, "combined stores")
	require.Greater(t, rate, 1/(1/70.0+1/80.0), "with a copy that misses")

	oneWay := roundTrip(testbed.New(t, "ppro", "amii", 2, 4096), 0, 20) / 2
	require.Greater(t, oneWay, none)
	t.Logf("o_s %.2f µs, %.2f µs for 4 KB; RTT/2 %.2f µs", none, page, oneWay)
}
