package host

import (
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/sim"
)

// Work counts the operations of a piece of a program.
type Work struct {
	Flops  int64 // floating-point operations
	Ints   int64 // integer operations
	Loads  int64 // loads that hit the cache
	Stores int64 // stores that hit the cache
	Read   int64 // bytes read over the memory bus: misses
	Write  int64 // bytes written over the memory bus
	Cycles int64 // additional CPU cycles
	Time   sim.Duration
}

// quiet is the rate in bytes/s below which the memory traffic of computing is
// neglected: it is about 1 % of a bus. At higher rates, rounding a rate to whole
// bytes changes a time by less than 1 ppm.
const quiet sim.Rate = 1_000_000

// Alone returns the time of w on an otherwise idle host.
func (h *Host) Alone(w Work) sim.Duration {
	s := h.spec
	d := w.Time + sim.Duration(w.Flops)*s.Ops.Flop + sim.Duration(w.Ints)*s.Ops.Int +
		sim.Duration(w.Loads)*s.Ops.Load + sim.Duration(w.Stores)*s.Ops.Store
	if w.Cycles > 0 {
		d += s.Clock.Cycles(uint64(w.Cycles))
	}
	if w.Read > 0 {
		d += s.MemRead.Time(int(w.Read))
	}
	if w.Write > 0 {
		d += s.MemWrite.Time(int(w.Write))
	}
	return d
}

// Compute spends the time of w: its CPU time with its memory traffic spread
// evenly over it. If the bus is contended, all of w slows down. It takes half the time of a process that Quicken has made quick.
func (c *Context) Compute(w Work) {
	if w.Flops|w.Ints|w.Loads|w.Stores|w.Read|w.Write|w.Cycles|int64(w.Time) < 0 {
		panic(fmt.Sprintf("host: %v: %s computes %+v", c.host, c.Name(), w))
	}
	alone := c.host.Alone(w)
	if c.quick {
		alone = (alone + 1) / 2
	}
	c.occupy(alone, w.Read+c.host.written(w.Write), OnMemBus)
}

// occupy keeps the CPU for d while bytes move through the capacities of uses.
// It takes longer if other flows compete for these.
func (c *Context) occupy(d sim.Duration, bytes int64, uses uint32) {
	rate := rateOf(bytes, d)
	if rate < quiet {
		c.Spend(d)
		return
	}
	c.transfer(bytes, rate, uses)
}

// rateOf returns the rate at which bytes take d, rounded up.
func rateOf(bytes int64, d sim.Duration) sim.Rate {
	if bytes <= 0 || d <= 0 {
		return 0
	}
	return scale(sim.Rate(sim.Second), bytes, int64(d))
}

// scale returns r·n/d rounded up, at most Infinite.
func scale(r sim.Rate, n, d int64) sim.Rate {
	hi, lo := bits.Mul64(uint64(r), uint64(n))
	if hi >= uint64(d) {
		return sim.Infinite
	}
	q, rest := bits.Div64(hi, lo, uint64(d))
	if rest != 0 {
		q++
	}
	return sim.Rate(min(q, uint64(sim.Infinite)))
}

// PIOReadTime returns how long loading words from the device takes on an idle bus.
func (h *Host) PIOReadTime(words int) sim.Duration {
	return sim.Duration(words) * h.spec.PIORead
}

// PIORead loads words from the device; the CPU stalls for each.
func (c *Context) PIORead(words int) {
	c.host.stats.Loaded += uint64(words)
	c.pio(c.host.PIOReadTime(words))
}

// pio keeps the CPU and the I/O bus for d, or longer when DMA uses the bus too.
func (c *Context) pio(d sim.Duration) {
	if d > 0 {
		c.occupy(d, max(1, bytesIn(c.host.spec.IOBus, d)), OnIOBus)
	}
}

// bytesIn returns how many whole bytes pass at rate r in d.
func bytesIn(r sim.Rate, d sim.Duration) int64 {
	hi, lo := bits.Mul64(uint64(r), uint64(d))
	q, _ := bits.Div64(hi, lo, uint64(sim.Second))
	return int64(q)
}
