package gam_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Measurements by requests (logp §3): a signature point is the cost of each of
// count requests with a pause behind each, until the last is issued.
type burst struct {
	nodes   int
	from    []int // requesters
	to      []int // a requester goes through these, from its own number on
	own     bool  // or has the one of its own number
	count   int
	pause   sim.Duration
	bytes   int // of a store; 0: a request
	repeats int
	settle  bool // wait for the reply of each
	changes []testbed.Change
}

// cost is the time per request, µs, on average over the requesters.
func (b burst) cost(t *testing.T, platform string) (us float64) {
	r := testbed.New(t, platform, "gam", b.nodes, 4096, b.changes...)
	done, left := false, len(b.from)
	programs := make([]func(*host.Context, *testbed.Process), b.nodes)
	for _, n := range b.to {
		programs[n] = serve(&done)
	}
	for i, n := range b.from {
		programs[n] = func(c *host.Context, p *testbed.Process) {
			q := requester(p)
			size := max(b.bytes, 1)
			a := p.Endpoint.Buffer(size)
			at := r.Procs[b.to[0]].Space.Alloc(int64(size))
			next := i
			for rep := range b.repeats + 1 {
				begin := c.Now()
				for range b.count {
					to := b.to[next%len(b.to)]
					if !b.own {
						next++
					}
					for o := 0; o < max(b.bytes, 1); o += 4096 {
						if b.bytes > 0 {
							must(q.Store(c, to, a+host.Addr(o), at+host.Addr(o), min(4096, b.bytes-o), 0, [4]uint32{}))
						} else {
							must(q.Request(c, to, 0, [4]uint32{}))
						}
					}
					c.Spend(b.pause)
					for b.settle && q.Outstanding() > 0 {
						q.Wait(c)
					}
				}
				if rep > 0 { // the first warms the caches
					us += c.Now().Sub(begin).Us() / float64(b.count*b.repeats*len(b.from))
				}
				for q.Outstanding() > 0 {
					q.Wait(c)
				}
			}
			if left--; left == 0 {
				finish(c, p, &done, b.to...)
			}
		}
	}
	r.Go(programs...)
	return us
}

// asymptote is the cost of one more request among many.
func (b burst) asymptote(t *testing.T, platform string) float64 {
	few, many := b, b
	few.count, many.count = 100, 300
	return (300*many.cost(t, platform) - 100*few.cost(t, platform)) / 200
}

func pair(count int) burst {
	return burst{nodes: 2, from: []int{0}, to: []int{1}, count: count, repeats: 6}
}

func (b burst) paused(us float64) burst { b.pause = sim.Microseconds(us); return b }

func (b burst) store(n int) burst { b.bytes = n; return b }

// parameters are LogP's, µs.
type parameters struct{ os, or, g, l, rtt float64 }

func measure(t *testing.T, platform string, changes ...testbed.Change) (p parameters) {
	b := pair(2)
	b.changes = changes
	p.os = b.cost(t, platform)
	b.count, b.settle = 1, true
	p.rtt = b.cost(t, platform)
	b.repeats, b.settle = 1, false
	p.g = b.asymptote(t, platform)
	p.or = b.paused(30).asymptote(t, platform) - 30 - p.os
	p.l = p.rtt/2 - p.os - p.or
	return p
}

// bulk is T(n): a store and its reply, in pieces that follow one another, µs.
func bulk(t *testing.T, platform string, n int) float64 {
	b := pair(1).store(n)
	b.settle, b.repeats = true, 3
	return b.cost(t, platform)
}

// distances returns the shortest and the longest round trip from the first of
// 16 nodes, µs.
func distances(t *testing.T, platform string) (lo, hi float64) {
	for to := 1; to < 16; to++ {
		rtt := burst{nodes: 16, from: []int{0}, to: []int{to}, count: 1, repeats: 4, settle: true}.cost(t, platform)
		if to == 1 || rtt < lo {
			lo = rtt
		}
		hi = max(hi, rtt)
	}
	return lo, hi
}

func numbers(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// The monitor runs on every machine that the layer is native to, and costs the overhead and the
// interface's time.
func TestUnderTheMonitor(t *testing.T) {
	for _, platform := range platforms {
		cost := func(build monitor.Build) (us float64) {
			r := testbed.New(t, platform, "gam", 2, 4096, func(s *cluster.Spec) {
				s.Build, s.Kinds = build, []trace.Kind{trace.Request, trace.Reply}
			})
			require.NoError(t, r.Warm())
			r.Record()
			done := false
			r.Go(func(c *host.Context, p *testbed.Process) {
				begin := c.Now()
				for range 100 {
					must(requester(p).Request(c, 1, 0, [4]uint32{}))
					for requester(p).Outstanding() > 0 {
						requester(p).Wait(c)
					}
				}
				us = c.Now().Sub(begin).Us() / 100
				finish(c, p, &done, 1)
			}, serve(&done))
			if s, err := r.Histograms(); s != nil {
				require.NoError(t, err)
			}
			return us
		}
		require.Greater(t, cost(monitor.Full), cost(monitor.Off)+1, platform)
	}
}
