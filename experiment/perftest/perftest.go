package perftest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Testbed says where tests run: on two nodes of a platform, by its network or by a cable.
type Testbed struct {
	Profile *platform.Profile
	Cable   bool // between the two cards; otherwise the platform's network
	Seed    uint64
}

// Measure runs a test on two nodes of its own.
func (b Testbed) Measure(ctx context.Context, t Test) (r Result, err error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if err := t.Validate(); err != nil {
		return r, err
	}
	p := *b.Profile
	if b.Cable {
		p.Network.Topology = fabric.Topology{Shape: fabric.Cable}
	}
	place, err := p.At("verbs")
	if err != nil {
		return r, err
	}
	c, err := cluster.New(cluster.Of(place, 2, b.Seed, monitor.Off))
	if err != nil {
		return r, err
	}
	defer c.Engine.Close()
	if t.Threads > int64(p.Host.CPUs) {
		return r, bounds.Wrong("threads", t.Threads, "at most host.cpus = %d of %s", p.Host.CPUs, p.Name)
	}
	x := &run{Test: t, engine: c.Engine, sending: int(t.Threads)}
	for i := range t.Threads {
		th := &thread{run: x}
		x.threads = append(x.threads, th)
		pairs := (t.Pairs + t.Threads - 1 - i) / t.Threads
		for side, n := range c.Nodes {
			th.random[side] = c.Engine.Stream(fmt.Sprintf("perftest/%d/%d", side, i))
			if err := th.open(side, n.Layer.(*verbs.Node), n.Frames, pairs); err != nil {
				return r, err
			}
		}
		if err := th.connect(pairs); err != nil {
			return r, err
		}
	}
	err = x.measure(c)
	if err == nil {
		err = x.err
	}
	if err != nil {
		return r, fmt.Errorf("%s of %d B: %w", t.Operation, t.Bytes, err)
	}
	return x.result(), nil
}

// measure runs the threads of both sides.
func (x *run) measure(c *cluster.Cluster) error {
	left := 0
	start := func(side int, program func(*host.Context)) {
		left++
		c.Nodes[side].Host.Go(fmt.Sprintf("perftest%d", side), host.Application, func(c *host.Context) {
			program(c)
			left--
		})
	}
	for _, t := range x.threads {
		switch {
		case x.Measure == Latency:
			start(0, func(c *host.Context) { t.bounce(c, 0) })
			start(1, func(c *host.Context) { t.bounce(c, 1) })
		case x.Swarm:
			start(0, func(c *host.Context) { t.swarm(c, 0) })
			start(1, func(c *host.Context) { t.swarm(c, 1) })
		default:
			start(0, t.stream)
			start(1, t.listen)
		}
	}
	return c.Engine.RunUntil(func() bool { return left == 0 })
}

// result sums up what was measured.
func (x *run) result() Result {
	if x.Measure == Bandwidth {
		s := x.end.Sub(x.begin).Us() / 1e6
		n, node := float64(x.Count), x.threads[0].ends[1].node
		if x.Swarm {
			n /= 2
		}
		return Result{PerSecond: n / s, MiBps: float64(n*float64(x.Bytes)) / s / (1 << 20), Lost: node.Stats().Lost, Cards: [2]verbs.Stats{x.threads[0].ends[0].node.Stats(), node.Stats()}}
	}
	var us []float64
	for _, d := range x.times {
		us = append(us, d.Us()/x.latencies())
	}
	slices.Sort(us)
	n := len(us)
	at := func(part float64) float64 { return us[min(n-1, int(part*float64(n)))] }
	mean, variance := us[0], 0.0
	if n > 1 {
		mean, variance = portable.MeanVariance(us, nil)
	}
	return Result{MinUs: us[0], MaxUs: us[n-1], TypicalUs: portable.Median(us), AverageUs: mean, DeviationUs: math.Sqrt(max(0, variance)), P99Us: at(0.99), P999Us: at(0.999)}
}
