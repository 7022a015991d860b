package ni_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	us = sim.Microsecond
	ns = sim.Nanosecond
	// Of the card below.
	cycle    = 10 * ns
	test     = 2 * cycle
	loopTime = 8 * test // eight sources
	check    = 16 * cycle
)

// card is a spec with round numbers: a cycle is 10 ns, a byte on the wire
// 10 ns, a byte of a host DMA at least 10 ns.
func card() ni.Spec {
	return ni.Spec{
		ClockHz: 100e6, SRAMBytes: 1 << 20, FirmwareBytes: 1 << 16,
		SRAMBusMBps: 200, NetDMAMBps: 100,
		HostDMASetupUs: 1, HostDMAToNIMBps: 100, HostDMAToHostMBps: 50,
		RequestSlots: 16, RequestBytes: 128, ReceiveBuffers: 4, BufferBytes: 4200,
		Queues: ni.Queues{Place: "sram", UnitBytes: 4},
		Loop: ni.Loop{
			TestCycles: 2, HostStartCycles: 5, NetStartCycles: 7,
			InlineChecks: true, CheckEveryCycles: 16, BriefBytes: 256, ClockFirst: true,
		},
	}
}

// rig is two cards on a cable, each with a program that notes its calls.
type rig struct {
	engine *sim.Engine
	net    *fabric.Net
	hosts  [2]*host.Host
	nics   [2]*ni.NIC
	progs  [2]*program
}

// setup changes what newRig builds.
type setup struct {
	card    func(*ni.Spec)
	free    ni.Uncontended
	network func(*fabric.Spec)
	host    func(*host.Spec)
	seed    uint64
}

func newRig(t *testing.T, s setup) *rig {
	t.Helper()
	net := fabric.Spec{
		Topology: fabric.Topology{Shape: fabric.Cable, Nodes: 2}, LinkRate: sim.MBps(100), WireDelay: 10 * ns,
		SlackBytes: 80, StopBytes: 56, GoBytes: 32, BlockLimit: 50 * sim.Millisecond,
	}
	if s.network != nil {
		s.network(&net)
	}
	r := &rig{engine: sim.New(s.seed)}
	var err error
	r.net, err = fabric.New(r.engine, net)
	require.NoError(t, err)
	spec := card()
	if s.card != nil {
		s.card(&spec)
	}
	for i := range r.nics {
		fast := sim.MBps(1e5)
		machine := host.Spec{
			CPUs: 1, Clock: sim.Hz(100e6), CacheLine: 32, L2KB: 512,
			Ops:    host.Ops{Flop: 10 * ns, Int: 10 * ns, Load: 10 * ns, Store: 10 * ns},
			MemBus: fast, MemRead: fast, MemWrite: fast, CopyHit: fast, CopyMiss: fast, IOBus: fast, IOBurst: 0,
			PIOWrite: 100 * ns, PIOLine: 400 * ns, PIORead: 200 * ns, PollNotice: 100 * ns,
		}
		if s.host != nil {
			s.host(&machine)
		}
		r.hosts[i] = host.New(r.engine, []string{"a", "b"}[i], &machine, host.Uncontended{})
		rtc, err := clock.NewOscillator(clock.Spec{HzNum: 100e6, HzDen: 1, WidthBits: 32})
		require.NoError(t, err)
		r.nics[i], err = ni.New(r.engine, i, &spec, r.hosts[i], r.net, rtc, s.free)
		require.NoError(t, err)
		r.progs[i] = &program{nic: r.nics[i], ready: true, release: true}
		r.nics[i].Load(r.progs[i])
	}
	return r
}

// at runs f on the engine at a time.
func (r *rig) at(t sim.Time, f func()) { r.engine.At(t, call(f), 0, 0) }

type call func()

func (f call) Act(uint32, uint64) { f() }

func (r *rig) run(t *testing.T) {
	t.Helper()
	require.NoError(t, r.engine.Run(sim.Never))
}

// packet makes one of n wire bytes from node from to the other one.
func (r *rig) packet(from int, kind trace.Kind, n int) *fabric.Packet {
	p := r.net.NewPacket()
	p.Src, p.Dst = int32(from), int32(1-from)
	p.Header.Meta.Kind = kind
	p.WireBytes = n
	return p
}

// inject puts a packet on the wire without the sender's card: its tail is in
// the other card's memory at the given time.
func (r *rig) inject(from int, kind trace.Kind, n int, arrives sim.Time) {
	start := arrives.Add(-10*ns - sim.MBps(100).Time(n))
	r.at(start, func() { r.net.Inject(r.packet(from, kind, n), start, sim.MBps(100)) })
}

// noted is one call of a program, service or probe.
type noted struct {
	what string
	look sim.Time // engine time
	at   sim.Time // the cursor on entry
	seen sim.Time // the observation time that came with it
	arg  uint64
}

// program is a control program that does what a test tells it to.
type program struct {
	nic     *ni.NIC
	ready   bool
	release bool // give receive buffers back at once
	held    []*fabric.Packet
	cycles  map[string]int // that a handler spends, after do
	do      map[string]func()
	log     []noted
	moved   []noted // Transferred
	flushes int
	dmas    []*ni.DMA
}

func (p *program) note(what string, seen sim.Time, arg uint64) {
	p.log = append(p.log, noted{what, p.nic.Engine().Now(), p.nic.Now(), seen, arg})
	if f := p.do[what]; f != nil {
		f()
	}
	p.nic.Spend(p.cycles[what])
}

func (p *program) on(what string, f func()) {
	if p.do == nil {
		p.do = map[string]func(){}
	}
	p.do[what] = f
}

func (p *program) takes(what string, cycles int) {
	if p.cycles == nil {
		p.cycles = map[string]int{}
	}
	p.cycles[what] = cycles
}

// calls returns the names of what was called, in order.
func (p *program) calls() (out []string) {
	for _, n := range p.log {
		out = append(out, n.what)
	}
	return out
}

func (p *program) first(t *testing.T, what string) noted {
	t.Helper()
	for _, n := range p.log {
		if n.what == what {
			return n
		}
	}
	require.Failf(t, "not called", "%s; calls were %v", what, p.calls())
	return noted{}
}

func (p *program) Ready() bool { return p.ready }
func (p *program) Request()    { p.note("request", 0, 0) }
func (p *program) HostDone(d *ni.DMA, at sim.Time) {
	p.dmas = append(p.dmas, d)
	p.note("hostdone", at, d.Arg)
}

func (p *program) Received(k *fabric.Packet) {
	what := "received"
	if !k.Header.Meta.Kind.CarriesRequest() {
		what = "control"
	}
	p.note(what, 0, uint64(k.Header.Seq))
	if !p.release {
		p.held = append(p.held, k)
		return
	}
	p.drop(k)
}

func (p *program) drop(k *fabric.Packet) {
	p.nic.Net().Free(k)
	p.nic.Release()
}

func (p *program) Demultiplex(*fabric.Packet)     { p.nic.Spend(p.cycles["demultiplex"]) }
func (p *program) Sent(r *ni.Record, at sim.Time) { p.note("sent", at, r.Arg) }
func (p *program) SendIdle()                      { p.note("sendidle", 0, 0) }
func (p *program) Timer()                         { p.note("timer", 0, 0) }
func (p *program) Flush() int {
	p.flushes++
	n := len(p.held)
	for _, k := range p.held {
		p.drop(k)
	}
	p.held = nil
	return n
}

func (p *program) Transferred(d *ni.DMA) {
	p.moved = append(p.moved, noted{what: "moved", look: p.nic.Engine().Now(), arg: d.Arg})
}

// clockService takes clock queries.
type clockService struct {
	*program
	injecting []sim.Time
}

func (s *clockService) Serves(k trace.Kind) bool { return k == trace.ClockQuery }
func (s *clockService) Arrived(p *fabric.Packet, at sim.Time) {
	s.note("service", at, uint64(p.Header.Seq))
}
func (s *clockService) Injecting(*fabric.Packet) { s.injecting = append(s.injecting, s.nic.Now()) }
func (s *clockService) Due()                     { s.note("due", 0, 0) }

// probe has pieces of deferred work.
type probe struct {
	*program
	pieces    int
	each      int // cycles of a piece
	injecting int
	idle      []sim.Time
}

func (p *probe) Requested(*ni.Record, sim.Time)           {}
func (p *probe) Fetched(*ni.Record, sim.Time)             {}
func (p *probe) Injecting(_ *ni.Record, k *fabric.Packet) { p.injecting++ }
func (p *probe) Injected(*ni.Record, sim.Time)            {}
func (p *probe) Arriving(*fabric.Packet)                  {}
func (p *probe) Delivered(*fabric.Packet, sim.Time)       {}
func (p *probe) Deferred() bool                           { return p.pieces > 0 }
func (p *probe) Private() bool                            { return false }
func (p *probe) Words() (descriptor, header int)          { return 0, 0 }
func (p *probe) Idle() bool {
	if p.pieces == 0 {
		return false
	}
	p.pieces--
	p.idle = append(p.idle, p.nic.Engine().Now())
	p.note("idle", 0, 0)
	p.nic.Spend(p.each)
	return true
}
