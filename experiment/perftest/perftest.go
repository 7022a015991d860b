package perftest

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
)

// Bed is where tests run.
type Bed struct {
	Profile *platform.Profile
	Cable   bool // between the two cards; otherwise the platform's network
	Seed    uint64
}

// Measure runs a test on two nodes of its own.
func (b Bed) Measure(ctx context.Context, t Test) (r Result, err error) {
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
		return Result{Us: s / n * 1e6, LowUs: s / n * 1e6, HighUs: s / n * 1e6, PerSecond: n / s, MiBps: n * float64(x.Bytes) / s / (1 << 20)}
	}
	slices.Sort(x.times)
	at := func(k int) float64 { return sim.Duration(x.times[len(x.times)*k/4]).Us() / x.trips() }
	r := Result{Us: at(2), LowUs: at(1), HighUs: at(3)}
	r.PerSecond = 1e6 / r.Us
	r.MiBps = float64(x.Bytes) / r.Us * 1e6 / (1 << 20)
	return r
}
