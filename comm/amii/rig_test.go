package amii_test

import (
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/amii"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func requester(p *testbed.Process) *amii.Endpoint { return p.Endpoint.(*amii.Endpoint) }

// drain polls until all requests of a process are answered or returned.
func drain(c *host.Context, e comm.Requester) {
	for e.Outstanding() > 0 {
		e.Wait(c)
	}
}

// serve polls until another process has finished.
func serve(e comm.Requester, done *bool) func(*host.Context, *testbed.Process) {
	return func(c *host.Context, _ *testbed.Process) {
		nap := sim.Microsecond
		for !*done {
			if e.Poll(c) > 0 {
				nap = sim.Microsecond
			}
			c.Sleep(nap)
			nap = min(2*nap, 20*sim.Millisecond)
		}
	}
}

// stubborn lets requests be sent so often that losses at random do not return them.
func stubborn(s *cluster.Spec) {
	p, a := *s.Profile, *s.Profile.AMII
	a.Tries = 16
	p.AMII = &a
	s.Profile = &p
}

// count returns the sum of a counter over the nodes.
func count(r *testbed.Test, name string) (n uint64) {
	for i := range r.Nodes {
		n += r.Count(i, name)
	}
	return n
}

// stream sends messages of the given sizes from node 0 to node 1 whatever the
// network loses, and requires them to come as they went.
func stream(r *testbed.Test, seed uint64, sizes []int) {
	received, done := 0, false
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			out := p.Endpoint.Buffer(4096)
			for i, n := range sizes {
				p.Space.WriteAt(out, testbed.Pattern(seed+uint64(i), n))
				if err := p.Endpoint.Send(c, 1, out, n, trace.Meta{Kind: trace.Message}); err != nil {
					panic(err)
				}
			}
			drain(c, requester(p))
			done = true
		},
		func(c *host.Context, p *testbed.Process) {
			in := p.Space.Alloc(4096)
			for i, n := range sizes {
				got, err := p.Endpoint.Receive(c, 0, in, 4096)
				if err != nil {
					panic(err)
				}
				data := make([]byte, got.Bytes)
				p.Space.ReadAt(in, data)
				require.Equal(r.T, testbed.Pattern(seed+uint64(i), n), data, "message %d", i)
				received++
			}
			serve(requester(p), &done)(c, p)
		})
	require.Equal(r.T, len(sizes), received)
}

// roundTrip returns the mean time of a ping-pong of n bytes, µs.
func roundTrip(r *testbed.Test, n, rounds int) float64 {
	var took sim.Duration
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			out, in := p.Endpoint.Buffer(4096), p.Space.Alloc(4096)
			for i := range rounds + 2 {
				if i == 2 {
					took = -sim.Duration(c.Now())
				}
				must(p.Endpoint.Send(c, 1, out, n, trace.Meta{Kind: trace.Message}))
				_, err := p.Endpoint.Receive(c, 1, in, 4096)
				must(err)
			}
			took += sim.Duration(c.Now())
		},
		func(c *host.Context, p *testbed.Process) {
			out, in := p.Endpoint.Buffer(4096), p.Space.Alloc(4096)
			for range rounds + 2 {
				_, err := p.Endpoint.Receive(c, 0, in, 4096)
				must(err)
				must(p.Endpoint.Send(c, 0, out, n, trace.Meta{Kind: trace.Message}))
			}
		})
	return took.Us() / float64(rounds)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
