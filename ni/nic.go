package ni

import (
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
)

// NIC is one network interface card: processor, engines, queues and memory.
type NIC struct {
	id     int
	name   string
	spec   Spec
	engine *sim.Engine
	host   *host.Host
	net    *fabric.Net
	rtc    *clock.Oscillator
	free   Uncontended
	sram   SRAM

	program Program
	service Service
	probe   Probe

	// Main loop.
	cur       sim.Time // the processor's position within the handler that runs
	busyUntil sim.Time
	noticed   bool   // an event is scheduled at which the loop looks again
	served    source // last
	pending   uint32
	queues    [numSources]ring.Ring[event]
	requests  int // entries of the request queue that have not been taken up
	loopTime  sim.Duration
	poll      sim.Stream
	cycle     sim.Freq
	period    uint64       // of the processor, 2^-32 ps, rounded up; 0 when that would not be exact
	test      sim.Duration // one test of a source
	timers    [2]timer

	// H engine.
	hostSetup           sim.Duration
	toNI, toHost        sim.Rate
	hostBusy            bool
	hostActive          int
	hostFirst, hostLast *DMA
	sramBus             sim.Rate
	sramShared          bool

	queueRead, queueWrite sim.Duration // one access to queues in host memory

	// S and R engines.
	netRate   sim.Rate
	sending   bool
	brief     bool // the packet being sent is short
	awaited   bool // the program wants to know when the S engine is free
	sendQueue ring.Ring[outbound]
	receiving int
	buffers   int  // receive buffers that are free
	refused   bool // the network waits to be told of room
	flushing  bool // a forward reset is being handled

	stats Stats
}

// Stats counts what a card did.
type Stats struct {
	Busy        sim.Duration // processor time spent in handlers
	Handlers    [numSources]uint64
	HostDMAs    uint64
	HostQueued  uint64 // host DMAs that waited for the engine
	NetQueued   uint64 // packets that waited for the S engine
	Refused     uint64 // packet heads that found no receive buffer
	Flushed     uint64 // packets lost to forward resets
	RequestsMax int    // longest request queue
	Diagnostics Diagnostics
}

// Diagnostics are differences of true instants, which no firmware can see,
// summed over packets that carry a host request: those sent for the first time,
// and all that have arrived.
type Diagnostics struct {
	Sent         uint64
	FetchToStart sim.Duration // t3 - t2
	Arrived      uint64
	EndToArrival sim.Duration // t5 - t4
}

// New builds the card of one node. It fails when the spec is out of range or
// its fixed parts do not fit into SRAM.
func New(e *sim.Engine, id int, spec Spec, h *host.Host, net *fabric.Net, rtc *clock.Oscillator, free Uncontended) (*NIC, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	n := &NIC{
		id: id, name: fmt.Sprintf("node%d/ni", id), spec: spec,
		engine: e, host: h, net: net, rtc: rtc, free: free,
		sram:      SRAM{bytes: spec.SRAMBytes},
		cycle:     spec.clock(),
		hostSetup: sim.Microseconds(spec.HostDMASetupUs),
		toNI:      sim.MBps(spec.HostDMAToNIMBps),
		toHost:    sim.MBps(spec.HostDMAToHostMBps),
		netRate:   sim.MBps(spec.NetDMAMBps),
		sramBus:   sim.MBps(spec.SRAMBusMBps),
		buffers:   spec.ReceiveBuffers,

		queueRead: sim.Microseconds(spec.Queues.ReadNs / 1000), queueWrite: sim.Microseconds(spec.Queues.WriteNs / 1000),
	}
	if !free.SRAM {
		h.Pool().SetCapacity(host.SRAM, n.sramBus)
	}
	n.poll = e.Stream(n.name + "/poll")
	n.setPeriod()
	n.test = n.Duration(spec.Loop.TestCycles)
	n.loopTime = n.Duration(int(numSources) * spec.Loop.TestCycles)
	for _, r := range []struct {
		owner string
		bytes int
	}{
		{"control program", spec.FirmwareBytes},
		{"request queue", spec.RequestSlots * spec.RequestBytes},
		{"receive ring", spec.ReceiveBuffers * spec.BufferBytes},
	} {
		if err := n.sram.Reserve(r.owner, r.bytes); err != nil {
			return nil, err
		}
	}
	net.Attach(id, n)
	return n, nil
}

// Load installs the control program.
func (n *NIC) Load(p Program) { n.program = p }

// Serve installs the service for reserved packet kinds.
func (n *NIC) Serve(s Service) { n.service = s }

// Attach installs the probe.
func (n *NIC) Attach(p Probe) { n.probe = p }

// ID returns the node's number.
func (n *NIC) ID() int { return n.id }

// Spec returns the card's description.
func (n *NIC) Spec() *Spec { return &n.spec }

// Host returns the host that the card is plugged into.
func (n *NIC) Host() *host.Host { return n.host }

// Net returns the network that the card is attached to.
func (n *NIC) Net() *fabric.Net { return n.net }

// Engine returns the simulation engine.
func (n *NIC) Engine() *sim.Engine { return n.engine }

// SRAM returns the allocation table of the card's memory.
func (n *NIC) SRAM() *SRAM { return &n.sram }

// Stats returns the card's counters.
func (n *NIC) Stats() Stats { return n.stats }

// Free returns which resources are uncontended.
func (n *NIC) Free() Uncontended { return n.free }

// Now returns the cursor: where in time the running handler is.
func (n *NIC) Now() sim.Time { return n.cur }

// Spend makes the running handler pay cycles of the processor.
func (n *NIC) Spend(cycles int) { n.cur = n.cur.Add(n.Duration(cycles)) }

// SpendTime makes the running handler wait for d.
func (n *NIC) SpendTime(d sim.Duration) { n.cur = n.cur.Add(d) }

// ReadQueue makes the running handler pay for reading bytes of a request: nothing
// when queues lie in SRAM.
func (n *NIC) ReadQueue(bytes int) { n.SpendTime(n.acrossBus(bytes, n.queueRead)) }

// WriteQueue makes it pay for writing bytes that the host will read.
func (n *NIC) WriteQueue(bytes int) { n.SpendTime(n.acrossBus(bytes, n.queueWrite)) }

// acrossBus returns how long accesses to bytes of host memory take, of each.
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

// setPeriod finds a factor that gives the exact durations of short counts. It
// does for every clock of a few hundred megahertz; else divisions stay.
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
