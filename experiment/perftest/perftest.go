package perftest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/verbs"
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
	x := &run{Test: t, engine: c.Engine}
	for i, n := range c.Nodes {
		if err := x.open(i, n.Layer.(*verbs.Node), n.Frames); err != nil {
			return r, err
		}
	}
	x.connect()
	if t.Measure == Bandwidth {
		err = c.Run(x.stream, x.listen)
	} else {
		err = c.Run(func(c *host.Context) { x.bounce(c, 0) }, func(c *host.Context) { x.bounce(c, 1) })
	}
	if err == nil {
		err = x.err
	}
	if err != nil {
		return r, fmt.Errorf("%s of %d B: %w", t.Operation, t.Bytes, err)
	}
	return x.result(), nil
}

// result sums up what was measured.
func (x *run) result() Result {
	if x.Measure == Bandwidth {
		s := x.end.Sub(x.begin).Us() / 1e6
		n := float64(x.Count)
		return Result{PerSecond: n / s, MiBps: float64(n*float64(x.Bytes)) / s / (1 << 20), Lost: x.ends[1].node.Stats().Lost}
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
