package ni

import (
	"math/bits"

	"github.com/sigview/sigview/sim"
)

// Now returns the cursor: where in time the running handler is.
func (n *NIC) Now() sim.Time { return n.cur }

// Spend makes the running handler pay cycles of the processor.
func (n *NIC) Spend(cycles int) { n.cur = n.cur.Add(n.Duration(cycles)) }

// SpendTime makes the running handler wait for d.
func (n *NIC) SpendTime(d sim.Duration) { n.cur = n.cur.Add(d) }

// ReadQueue makes the running handler pay for reading bytes of a request. It costs nothing
// when queues lie in SRAM.
func (n *NIC) ReadQueue(bytes int) { n.SpendTime(n.acrossBus(bytes, n.queueRead)) }

// WriteQueue makes the running handler pay for writing bytes that the host will
// read.
func (n *NIC) WriteQueue(bytes int) { n.SpendTime(n.acrossBus(bytes, n.queueWrite)) }

// acrossBus returns how long accesses to bytes of host memory take; each takes
// as long as each says.
func (n *NIC) acrossBus(bytes int, each sim.Duration) sim.Duration {
	if n.spec.Queues.InSRAM() {
		return 0
	}
	return sim.Duration((bytes+n.spec.Queues.UnitBytes-1)/n.spec.Queues.UnitBytes) * each
}

// Duration returns how long a number of processor cycles takes.
func (n *NIC) Duration(cycles int) sim.Duration {
	if cycles < shortCycles && n.period != 0 {
		return sim.Duration(uint64(cycles) * n.period >> 32)
	}
	return n.cycle.Cycles(uint64(cycles))
}

// shortCycles bounds the cycle counts for which a multiplication replaces the
// exact division.
const shortCycles = 1 << 12

// setPeriod finds a factor that gives the exact durations of short counts. There
// is one for every clock of a few hundred megahertz; for others divisions stay.
func (n *NIC) setPeriod() {
	second := uint64(sim.Second)
	num, rest := bits.Div64(second>>32, second<<32, n.spec.ClockHz)
	if rest != 0 {
		num++
	}
	if num > (1<<63)/shortCycles {
		return
	}
	for c := range uint64(shortCycles) {
		if sim.Duration(c*num>>32) != n.cycle.Cycles(c) {
			return
		}
	}
	n.period = num
}

// Ticks returns the real-time clock's count at t, all bits: what the firmware
// knows after unwrapping the register.
func (n *NIC) Ticks(t sim.Time) uint64 { return n.rtc.Ticks(int64(t)) }

// Stall stops the processor for d, as a fault.
func (n *NIC) Stall(d sim.Duration) {
	n.busyUntil = max(n.busyUntil, n.engine.Now()).Add(d)
}
