package microbench

import (
	"fmt"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// NoiseSpec describes disturbances of programs that measure. A period of 0 means
// none.
type NoiseSpec struct {
	TickPeriod sim.Duration // between timer interrupts; nodes are not in step
	TickCost   sim.Duration // CPU time of one
	MissPeriod sim.Duration // mean time between delays by cold caches, which come independently
	MissCost   sim.Duration // mean of such a delay, which is exponential too
}

// Validate reports the first field that is out of range.
func (s NoiseSpec) Validate() error {
	for _, x := range []struct {
		name         string
		period, cost sim.Duration
	}{{"Tick", s.TickPeriod, s.TickCost}, {"Miss", s.MissPeriod, s.MissCost}} {
		switch {
		case x.period < 0 || x.period > maxSpin:
			return fmt.Errorf("microbench: %sPeriod is %v, want 0 to %v", x.name, x.period, maxSpin)
		case x.cost < 0 || x.period > 0 && x.cost > x.period/2:
			return fmt.Errorf("microbench: %sCost is %v, want at most half of a period of %v", x.name, x.cost, x.period)
		}
	}
	return nil
}

// Noise takes the CPU from programs at times, so that samples vary as on real
// computers.
type Noise struct {
	spec    NoiseSpec
	hosts   []*host.Host
	stopped bool
}

// NewNoise returns noise for hosts; every host and source has its own random
// stream.
func NewNoise(hosts []*host.Host, spec NoiseSpec) (*Noise, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	return &Noise{spec: spec, hosts: hosts}, nil
}

// Start starts the noise.
func (n *Noise) Start() {
	n.stopped = false
	for _, h := range n.hosts {
		if n.spec.TickPeriod > 0 {
			n.disturb(h, "ticks", n.tick)
		}
		if n.spec.MissPeriod > 0 {
			n.disturb(h, "misses", n.miss)
		}
	}
}

// Stop ends the noise with the next disturbance of each source.
func (n *Noise) Stop() { n.stopped = true }

// disturb starts a source on a host.
func (n *Noise) disturb(h *host.Host, name string, source func(*host.Context, *sim.Stream)) {
	draw := h.Engine().Stream(h.Name() + "/noise/" + name)
	h.Go(name, host.Handler, func(c *host.Context) { source(c, &draw) })
}

// tick disturbs at equal intervals.
func (n *Noise) tick(c *host.Context, draw *sim.Stream) {
	next := c.Now().Add(draw.Upto(n.spec.TickPeriod))
	for {
		next = next.Add(n.spec.TickPeriod)
		c.Sleep(max(1, next.Sub(c.Now())))
		if n.stopped {
			return
		}
		c.Spend(n.spec.TickCost)
	}
}

// miss disturbs at independent times.
func (n *Noise) miss(c *host.Context, draw *sim.Stream) {
	for {
		c.Sleep(1 + exponential(draw, n.spec.MissPeriod))
		if n.stopped {
			return
		}
		c.Spend(exponential(draw, n.spec.MissCost))
	}
}

// exponential draws a duration of that mean.
func exponential(draw *sim.Stream, mean sim.Duration) sim.Duration {
	return sim.Duration(-portable.Log1p(-draw.Float64()) * float64(mean))
}
