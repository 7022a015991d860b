package ni

import (
	"math/bits"

	"github.com/sigview/sigview/sim"
)

// Now returns the cursor, the time within the running handler.
func (n *NIC) Now() sim.Time { return n.cur }

// Began returns when the running handler began.
func (n *NIC) Began() sim.Time { return n.began }

// Spend advances the running handler by processor cycles.
func (n *NIC) Spend(cycles int) {
	if cycles >= n.short {
		n.spendLong(cycles)
		return
	}
	n.cur += sim.Time(uint64(cycles) * n.period >> 32)
}

//go:noinline
func (n *NIC) spendLong(cycles int) { n.cur = n.cur.Add(n.exactly(cycles)) }

// SpendTime advances the running handler by d.
func (n *NIC) SpendTime(d sim.Duration) { n.cur = n.cur.Add(d) }

// ReadQueue spends the time to read bytes of a request, none if queues are in SRAM.
func (n *NIC) ReadQueue(bytes int) { n.SpendTime(n.acrossBus(bytes, n.queueRead)) }

// WriteQueue spends the time to write bytes that the host will read.
func (n *NIC) WriteQueue(bytes int) { n.SpendTime(n.acrossBus(bytes, n.queueWrite)) }

// acrossBus returns the time of accesses to bytes of host memory; each is the
// time of one access.
func (n *NIC) acrossBus(bytes int, each sim.Duration) sim.Duration {
	if n.spec.Queues.InSRAM() {
		return 0
	}
	return sim.Duration((bytes+n.spec.Queues.UnitBytes-1)/n.spec.Queues.UnitBytes) * each
}

// Duration returns how long a number of processor cycles takes.
func (n *NIC) Duration(cycles int) sim.Duration {
	if cycles < n.short {
		return sim.Duration(uint64(cycles) * n.period >> 32)
	}
	return n.exactly(cycles)
}

// exactly is the duration of any count.
//
//go:noinline
func (n *NIC) exactly(cycles int) sim.Duration { return n.cycle.Cycles(uint64(cycles)) }

// shortCycles bounds the cycle counts for which a multiplication replaces the
// exact division.
const shortCycles = 1 << 12

// setPeriod finds a factor that gives the exact durations of short counts. One
// exists for every clock of a few hundred megahertz; others use divisions.
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
	n.period, n.short = num, shortCycles
}

// Ticks returns the real-time clock's full count at t, as the firmware knows it
// after unwrapping the register.
func (n *NIC) Ticks(t sim.Time) uint64 { return n.rtc.Ticks(int64(t)) }

// Stall stops the processor for d, as a fault.
func (n *NIC) Stall(d sim.Duration) {
	n.settled()
	n.busyUntil = max(n.busyUntil, n.engine.Now()).Add(d)
	n.plan()
}
