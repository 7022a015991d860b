package monitor

import (
	"math/bits"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// measured is a Net latency with its error bound.
type measured struct {
	ticks   int64
	latency sim.Duration
	bound   sim.Duration
}

// latency maps both registers of a packet to global time and feeds the
// estimator.
func (c *GlobalClock) latency(p *fabric.Packet, t3, t5 uint64) (measured, bool) {
	from := int(p.Src)
	latency, bound := c.converter.Latency(from, t3, t5)
	if bound == clock.Unbounded {
		return measured{}, false
	}
	c.nic.Spend(c.cost.Observe)
	if c.converter.Observes(from) {
		c.converter.Observe(from, t3, t5, latency, int64(p.WireBytes/4))
	}
	return measured{
		ticks:   (latency + 1<<(clock.FracBits-1)) >> clock.FracBits,
		latency: c.duration(latency),
		bound:   c.duration(bound),
	}, true
}

// convert maps a node's register to global time; ticks may have more bits than the
// register. Both results are in subticks.
func (c *GlobalClock) convert(node int, ticks uint64) (global, bound int64) {
	return c.converter.Convert(node, uint64(uint32(ticks)))
}

// Global returns the node's global time now, in subticks. It models a host that
// reads table and register on an unloaded interface.
func (c *GlobalClock) Global() int64 {
	global, _ := c.convert(c.nic.ID(), c.nic.Ticks(c.nic.Engine().Now()))
	return global
}

// nanoseconds converts a distance in subticks, rounded to the nearest.
func (c *GlobalClock) nanoseconds(subticks int64) int64 {
	if subticks < 0 {
		return -c.nanoseconds(-subticks)
	}
	hi, lo := bits.Mul64(uint64(subticks), c.protocol.HzDen*1_000_000_000)
	per := c.protocol.HzNum << clock.FracBits
	lo, carry := bits.Add64(lo, per/2, 0)
	q, _ := bits.Div64(hi+carry, lo, per)
	return int64(q)
}

// duration converts subticks of the nominal clock.
func (c *GlobalClock) duration(subticks int64) sim.Duration {
	return sim.Duration(float64(subticks) * c.subtick)
}

func (t *Truth) add(m measured, really sim.Duration) {
	err := max(m.latency-really, really-m.latency)
	t.Conversions++
	if err <= m.bound {
		t.Covered++
	}
	t.ErrorMax = max(t.ErrorMax, err)
	t.BoundSum = t.BoundSum.Plus(m.bound)
}

// Truth compares the measured Net with the true one. Firmware cannot observe
// it; the model uses it to check the bound of the clock error.
type Truth struct {
	Conversions uint64
	Covered     uint64 // true error within the reported bound
	ErrorMax    sim.Duration
	BoundSum    sim.Duration
}
