package measure

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestPlantedParameters: on platforms with random costs, which the measurement
// knows nothing of, the extraction finds what stands in the machine: the
// processor's times by a clock around single calls, the gap by counting a long
// stream at the receiver, the latency from a lone round trip.
func TestPlantedParameters(t *testing.T) {
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := randomMachine(t, rand.New(rand.NewPCG(seed, 0)))
			truth := inside(t, p)
			place, err := p.At("gam")
			require.NoError(t, err)
			got, err := New(t.Context(), place, 1).FindSignature(Asked{})
			require.NoError(t, err)
			for _, c := range []struct {
				name string
				want float64
				of   float64 // what it comes from: o_r and L are differences
				got  logp.Estimate
			}{
				{"o_s", truth.os, truth.os, got.Os}, {"g", truth.g, truth.g, got.G}, {"RTT", truth.rtt, truth.rtt, got.RTT},
				{"o_r", truth.or, truth.os + truth.or, got.Or}, {"L", truth.rtt/2 - truth.os - truth.or, truth.rtt / 2, got.L},
			} {
				require.True(t, c.got.OK(), "%s: %s", c.name, c.got.Reason)
				require.InDelta(t, c.want, c.got.Value, 0.02*c.of, "%s of %+v in a machine of %+v", c.name, got.Params, truth)
			}
		})
	}
}

// interior is what the parts of a machine take, µs.
type interior struct{ os, or, g, rtt float64 }

// randomMachine is a card of Active Messages with costs of its own.
func randomMachine(t *testing.T, draw *rand.Rand) *platform.Profile {
	p, err := platform.Load("myrinet")
	require.NoError(t, err)
	between := func(lo, hi float64) float64 { return lo + float64(draw.Float64()*(hi-lo)) }
	p.Host.PIOWrite = sim.Microseconds(between(50, 400) / 1000)
	p.Host.PIORead = sim.Microseconds(between(50, 400) / 1000)
	p.NI.ClockHz = uint64(between(20, 60)) * 1e6
	g := p.GAM
	g.Host.Request = sim.Microseconds(between(0.5, 2))
	g.Host.Receive = sim.Microseconds(between(0.5, 2))
	g.Cycles.AcceptRequest = int(between(100, 200))
	g.Cycles.SendReply = int(between(100, 200))
	g.Cycles.SendRequest = int(between(20, 60))
	p.Network.LinkRate = sim.MBps(between(20, 80))
	return p
}

// inside measures a machine from within.
func inside(t *testing.T, p *platform.Profile) (m interior) {
	c, err := cluster.New(cluster.Spec{
		Profile: p, Layer: "gam", Nodes: 2, Seed: 7, Options: monitor.Options{Build: monitor.Off}, Tags: 1,
		Kinds: []trace.Kind{trace.Data},
	})
	require.NoError(t, err)
	defer c.Engine.Close()
	procs, err := c.Processes(0, 64)
	require.NoError(t, err)
	ask, answer := procs[0].Endpoint.(comm.Requester), procs[1].Endpoint.(comm.Requester)
	const calm, lone, stream = 500 * sim.Microsecond, 40, 600
	served, first, last := 0, sim.Time(0), sim.Time(0)
	answer.Handle(1, func(x *host.Context, _ comm.Call) [4]uint32 {
		served++
		if served == 3*lone+stream/2 {
			first = x.Now()
		}
		last = x.Now()
		return [4]uint32{}
	})
	clock := func(x *host.Context, sum *float64, f func()) {
		began := x.Now()
		f()
		*sum += x.Now().Sub(began).Us()
	}
	require.NoError(t, c.Run(
		func(x *host.Context) {
			for range lone { // a request alone, and one that also handles a reply that lies there
				clock(x, &m.os, func() { _ = ask.Request(x, 1, 1, [4]uint32{}) })
				x.Sleep(calm)
				clock(x, &m.or, func() { _ = ask.Request(x, 1, 1, [4]uint32{}) })
				x.Sleep(calm)
				ask.Poll(x)
				x.Sleep(calm)
			}
			for range lone {
				clock(x, &m.rtt, func() {
					_ = ask.Request(x, 1, 1, [4]uint32{})
					for ask.Outstanding() > 0 {
						ask.Wait(x)
					}
				})
				x.Sleep(calm)
			}
			for range stream {
				_ = ask.Request(x, 1, 1, [4]uint32{})
			}
			for ask.Outstanding() > 0 {
				ask.Wait(x)
			}
		},
		func(x *host.Context) {
			for served < 3*lone+stream {
				answer.Wait(x)
			}
		}))
	m.os, m.or, m.rtt = m.os/lone, (m.or-m.os)/lone, m.rtt/lone
	m.g = last.Sub(first).Us() / (stream / 2)
	return m
}
