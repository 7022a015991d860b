package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

func requester(p *testbed.Process) comm.Requester { return p.Endpoint.(comm.Requester) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// drain polls until all calls of a process are answered or have failed.
func drain(c *host.Context, e comm.Requester) {
	for e.Outstanding() > 0 {
		e.Wait(c)
	}
}

// callee serves calls until there have been n.
func callee(n int) func(*host.Context, *testbed.Process) {
	return func(c *host.Context, p *testbed.Process) {
		served := 0
		requester(p).Handle(1, func(*host.Context, comm.Call) [4]uint32 { served++; return [4]uint32{} })
		for served < n {
			requester(p).Wait(c)
		}
	}
}

// cost is the time per message of m calls with a delay after each, µs (logp,
// section 3.2): replies that are due then are not timed.
func cost(t testbed.T, m int, delay float64) float64 {
	r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
	us := 0.0
	r.Go(func(c *host.Context, p *testbed.Process) {
		begin := c.Now()
		for range m {
			must(requester(p).Request(c, 1, 1, [4]uint32{}))
			c.Spend(sim.Microseconds(delay))
		}
		us = c.Now().Sub(begin).Us() / float64(m)
		drain(c, requester(p))
	}, callee(m))
	return us
}

// asymptote is the cost of a message of a long burst, without its beginning.
func asymptote(t testbed.T, delay float64) float64 {
	const short, long = 100, 400
	return (cost(t, long, delay)*long - cost(t, short, delay)*short) / (long - short)
}

// roundTrip is the time of a call until its reply is handled, µs.
func roundTrip(t testbed.T) float64 {
	const rounds = 20
	r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
	us := 0.0
	r.Go(func(c *host.Context, p *testbed.Process) {
		begin := c.Now()
		for range rounds {
			must(requester(p).Request(c, 1, 1, [4]uint32{}))
			requester(p).Wait(c)
		}
		us = c.Now().Sub(begin).Us() / rounds
	}, callee(rounds))
	return us
}

// TestSignature: the gap is the sum of the overheads, and the first delay lifts
// it: the processor never idles (logp, section 5, Figure 13). All of it follows from
// what the software costs; neither gap nor overhead is a parameter.
func TestSignature(t *testing.T) {
	send := cost(t, 1, 0)
	g := asymptote(t, 0)
	var receive float64
	for _, delay := range []float64{20, 50, 200, 1000} {
		lifted := asymptote(t, delay)
		require.InDelta(t, delay, lifted-g, 0.02*g, "a delay of %v µs lifts the gap of %.1f µs by itself", delay, g)
		receive = lifted - delay - send
	}
	require.InEpsilon(t, send+receive, g, 0.02)
	require.Greater(t, receive, 100.0)
	rtt := roundTrip(t)
	latency := rtt/2 - send - receive
	require.Greater(t, latency, 98.0, "a frame is on the wire for as long")
	require.Less(t, latency, g)
	t.Logf("o_s %.0f, o_r %.0f, g %.0f, L %.0f, RTT %.0f µs", send, receive, g, latency, rtt)
}

// TestManyToOne: calls of several nodes share one callee's CPU.
func TestManyToOne(t *testing.T) {
	const callers, messages = 3, 200
	r := testbed.New(t, "sun-rpc", "rpc", callers+1, 1400)
	us := [callers]float64{}
	programs := []func(*host.Context, *testbed.Process){callee(callers * messages)}
	for k := range callers {
		programs = append(programs, func(c *host.Context, p *testbed.Process) {
			begin := c.Now()
			for range messages {
				must(requester(p).Request(c, 0, 1, [4]uint32{}))
			}
			us[k] = c.Now().Sub(begin).Us() / messages
			drain(c, requester(p))
		})
	}
	r.Go(programs...)
	g := asymptote(t, 0)
	for _, each := range us {
		require.InEpsilon(t, callers*g, each, 0.2)
	}
	require.Zero(t, r.Lost())
}

// TestSlowCalleeIdles is the other side of TestSignature: with a procedure that takes long the
// caller idles, and a delay shorter than that is free.
func TestSlowCalleeIdles(t *testing.T) {
	slow := func(delay float64) float64 {
		const calls = 200
		r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
		us, served := 0.0, 0
		r.Go(func(c *host.Context, p *testbed.Process) {
			begin := c.Now()
			for range calls {
				must(requester(p).Request(c, 1, 1, [4]uint32{}))
				c.Spend(sim.Microseconds(delay))
			}
			us = c.Now().Sub(begin).Us() / calls
			drain(c, requester(p))
		}, func(c *host.Context, p *testbed.Process) {
			requester(p).Handle(1, func(c *host.Context, _ comm.Call) [4]uint32 {
				served++
				c.Spend(400 * sim.Microsecond)
				return [4]uint32{}
			})
			for served < calls {
				requester(p).Wait(c)
			}
		})
		return us
	}
	require.InEpsilon(t, slow(0), slow(100), 0.03)
}
