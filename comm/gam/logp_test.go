package gam_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/layertest"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
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
}

// cost is the time per request, µs, on average over the requesters.
func (b burst) cost(t *testing.T, platform string) (us float64) {
	r := layertest.New(t, platform, "gam", b.nodes, 4096)
	done, left := false, len(b.from)
	programs := make([]func(*host.Context, *layertest.Proc), b.nodes)
	for _, n := range b.to {
		programs[n] = serve(&done)
	}
	for i, n := range b.from {
		programs[n] = func(c *host.Context, p *layertest.Proc) {
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
	few.count, many.count = 300, 900
	return (900*many.cost(t, platform) - 300*few.cost(t, platform)) / 600
}

func pair(count int) burst {
	return burst{nodes: 2, from: []int{0}, to: []int{1}, count: count, repeats: 20}
}

func (b burst) paused(us float64) burst { b.pause = sim.Microseconds(us); return b }

func (b burst) store(n int) burst { b.bytes = n; return b }

// parameters are LogP's, µs.
type parameters struct{ os, or, g, l, rtt float64 }

func measure(t *testing.T, platform string) (p parameters) {
	p.os = (pair(1).cost(t, platform) + pair(2).cost(t, platform) + pair(4).cost(t, platform)) / 3
	one := pair(1)
	one.settle = true
	p.rtt = one.cost(t, platform)
	one = pair(0)
	one.repeats = 1
	p.g = one.asymptote(t, platform)
	p.or = one.paused(30).asymptote(t, platform) - 30 - p.os
	p.l = p.rtt/2 - p.os - p.or
	return p
}

// bulk is T(n): a store and its reply, in pieces that follow one another, µs.
func bulk(t *testing.T, platform string, n int) float64 {
	b := pair(1).store(n)
	b.settle, b.repeats = true, 3
	return b.cost(t, platform)
}

// intercept is T0 of the line through T(n) by least squares.
func intercept(t *testing.T, platform string, sizes []int) float64 {
	var n, x, y, xx, xy float64
	for _, size := range sizes {
		v, us := float64(size), bulk(t, platform, size)
		n, x, y, xx, xy = n+1, x+v, y+us, xx+v*v, xy+v*us
	}
	return (y*xx - x*xy) / (n*xx - x*x)
}

// distances returns the shortest and the longest round trip from the first of
// 16 nodes, µs.
func distances(t *testing.T, platform string) (lo, hi float64) {
	for to := 1; to < 16; to++ {
		rtt := burst{nodes: 16, from: []int{0}, to: []int{to}, count: 1, repeats: 20, settle: true}.cost(t, platform)
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

func TestLogPPrint(t *testing.T) {
	list := os.Getenv("GAM_LOGP")
	if list == "" {
		t.Skip("prints figures for GAM_LOGP=platform,...")
	}
	for _, platform := range strings.Split(list, ",") {
		p := measure(t, platform)
		fmt.Printf("%-10s os %.2f or %.2f g %.2f L %.2f RTT %.2f idle %.2f RTT/os %.1f\n", platform, p.os, p.or, p.g, p.l, p.rtt, p.g-p.os-p.or, p.rtt/p.os)
		lo, hi := distances(t, platform)
		fmt.Printf("   RTT %.2f to %.2f (%.1f %%)\n   M:", lo, hi, 100*(hi-lo)/hi)
		for _, m := range []int{1, 2, 4, 8, 10, 12, 14, 16, 18, 20, 24, 32, 64, 128, 256} {
			fmt.Printf(" %d:%.2f", m, pair(m).cost(t, platform))
		}
		fmt.Printf("\n   D:")
		for _, d := range []float64{0, 1, 2, 4, 6, 8, 10, 12, 16} {
			b := pair(0).paused(d)
			b.repeats = 1
			fmt.Printf(" %g:%.2f", d, b.asymptote(t, platform))
		}
		many := burst{nodes: 16, from: []int{0}, to: numbers(1, 16), repeats: 1}
		allPairs := burst{nodes: 16, from: numbers(0, 8), to: numbers(8, 16), own: true, repeats: 1}
		fmt.Printf("\n   1-to-15 %.2f (%.2f)  all pairs %.2f  K-to-1", many.asymptote(t, platform), many.asymptote(t, platform)/p.g, allPairs.asymptote(t, platform))
		for _, k := range []int{3, 7, 15} {
			b := burst{nodes: 16, from: numbers(1, k+1), to: []int{0}, repeats: 1}
			fmt.Printf(" %d:%.2f", k, b.asymptote(t, platform)/p.g)
		}
		fmt.Printf("\n   store 8 B: os %.2f g %.2f; os(n)", pair(2).store(8).cost(t, platform), func() float64 { b := pair(0).store(8); b.repeats = 1; return b.asymptote(t, platform) }())
		for _, n := range []int{8, 256, 1024, 2048, 4096} {
			fmt.Printf(" %d:%.1f", n, pair(2).store(n).cost(t, platform))
		}
		fmt.Printf("\n   2 KB D:")
		for _, d := range []float64{0, 10, 20, 40, 80} {
			b := pair(0).store(2048).paused(d)
			b.repeats = 1
			fmt.Printf(" %g:%.1f", d, b.asymptote(t, platform)-d)
		}
		fmt.Printf("\n   T(n)")
		var sizes []int
		for n := 8; n <= 1<<17; n *= 2 {
			sizes = append(sizes, n)
			fmt.Printf(" %d:%.1f", n, bulk(t, platform, n))
		}
		for i := 9; i < len(sizes); i++ {
			fmt.Printf("\n   T0 up to %d: %.0f us", sizes[i], intercept(t, platform, sizes[:i+1]))
		}
		fmt.Println()
	}
}

// The monitor runs on every machine that the layer is native to, and costs the overhead and the
// interface's time.
func TestUnderTheMonitor(t *testing.T) {
	for _, platform := range platforms {
		cost := func(build monitor.Build) (us float64) {
			r := layertest.New(t, platform, "gam", 2, 4096, func(s *cluster.Spec) {
				s.Build, s.Kinds = build, []trace.Kind{trace.Request, trace.Reply}
			})
			require.NoError(t, r.Warm())
			r.Record()
			done := false
			r.Go(func(c *host.Context, p *layertest.Proc) {
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
