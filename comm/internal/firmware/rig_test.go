package firmware

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
)

// spec has round numbers: a cycle of the card is 10 ns, a byte on the wire and
// of a host DMA 10 ns.
func spec() Spec {
	return Spec{
		PacketBytes: 1024, HeaderBytes: 16, ControlBytes: 16,
		RequestSlots: 4, RequestBytes: 128, SendPackets: 2, ReceiveBuffers: 4,
		Cycles: Cycles{TakeRequest: 20, InlineData: 10, BuildHeader: 15, Injected: 5, Demultiplex: 8, Accept: 12, Delivered: 6, Control: 9},
	}
}

// rig is two cards on a cable, each with a layer that deposits into a region.
type rig struct {
	engine *sim.Engine
	net    *fabric.Net
	frames host.Frames
	ends   [2]*end
}

// end is one node and the layer on it.
type end struct {
	Plain
	program *Program
	host    *host.Host
	space   *host.Space
	region  host.Addr
	way     Action
	closed  bool // takes up no requests
	log     []string
	landed  []landing
	kept    []*fabric.Packet
	lost    []Loss
	control int
	timer   func()
}

// landing is a packet where the host sees it.
type landing struct {
	at     sim.Time
	offset uint64
	data   string
	first  bool
}

func (x *end) Allows(*Request) bool { return !x.closed }

func (x *end) Outgoing(r *Request, p *fabric.Packet, offset int) {
	p.Header.Words[1] = uint64(offset)
	x.log = append(x.log, "outgoing")
}

func (x *end) Timer() {
	if x.timer != nil {
		x.timer()
	}
}

func (x *end) Fetched(*Request)  { x.log = append(x.log, "fetched") }
func (x *end) Injected(*Request) { x.log = append(x.log, "injected") }

func (x *end) Arrived(p *fabric.Packet) Target {
	if !p.Header.Meta.Kind.CarriesRequest() {
		x.control++
		return Target{}
	}
	return Target{Action: x.way, Space: x.space, At: x.region + host.Addr(p.Header.Words[1])}
}

func (x *end) Landed(p *fabric.Packet) {
	x.landed = append(x.landed, landing{
		x.program.Now(), p.Header.Words[1], string(p.Data()), p.Header.Flags&ni.FlagFirst != 0,
	})
	if x.way == Keep {
		x.kept = append(x.kept, p)
	}
}

func (x *end) Lost(_ *fabric.Packet, why Loss) { x.lost = append(x.lost, why) }

// newRig builds both ends; change alters the specification and the card.
func newRig(t *testing.T, change func(*Spec, *ni.Spec)) *rig {
	t.Helper()
	r := &rig{engine: sim.New(1)}
	var err error
	r.net, err = fabric.New(r.engine, fabric.Spec{
		Topology: fabric.Topology{Shape: fabric.Cable, Nodes: 2}, LinkRate: sim.MBps(100), WireDelay: 10 * ns,
		SlackBytes: 80, StopBytes: 56, GoBytes: 32, BlockLimit: 50 * sim.Millisecond,
	})
	require.NoError(t, err)
	s := spec()
	card := ni.Spec{
		ClockHz: 100e6, SRAMBytes: 1 << 20, SRAMBusMBps: 200, NetDMAMBps: 100,
		HostDMASetupUs: 1, HostDMAToNIMBps: 100, HostDMAToHostMBps: 100,
		Queues: ni.Queues{Place: "sram", UnitBytes: 4},
		Loop:   ni.Loop{TestCycles: 1, HostStartCycles: 1, NetStartCycles: 1, CheckEveryCycles: 16},
	}
	card = (&Section{s}).Shape(card, 2)
	if change != nil {
		change(&s, &card)
	}
	for i := range r.ends {
		fast := sim.MBps(1e5)
		x := &end{way: Deposit, space: host.NewSpace("end", &r.frames)}
		x.region = x.space.Alloc(1 << 16)
		x.host = host.New(r.engine, "h", &host.Spec{
			CPUs: 1, Clock: sim.Hz(100e6), CacheLine: 32, L2KB: 512,
			Ops:    host.Ops{Flop: 10 * ns, Int: 10 * ns, Load: 10 * ns, Store: 10 * ns},
			MemBus: fast, MemRead: fast, MemWrite: fast, CopyHit: fast, CopyMiss: fast, IOBus: fast,
			PIOWrite: 100 * ns, PIOLine: 400 * ns, PIORead: 200 * ns, PollNotice: 100 * ns,
		}, host.Uncontended{})
		rtc, err := clock.NewOscillator(clock.Spec{HzNum: 100e6, HzDen: 1, WidthBits: 32})
		require.NoError(t, err)
		nic, err := ni.New(r.engine, i, &card, x.host, r.net, rtc, ni.Uncontended{})
		require.NoError(t, err)
		x.program, err = load(nic, s, "test", x)
		require.NoError(t, err)
		r.ends[i] = x
	}
	return r
}

// run runs f as a program of an end until nothing is left to do.
func (r *rig) run(t *testing.T, end int, f func(c *host.Context)) {
	t.Helper()
	done := false
	r.ends[end].host.Go("p", host.Application, func(c *host.Context) {
		f(c)
		done = true
	})
	require.NoError(t, r.engine.Run(sim.Never))
	require.True(t, done)
}

// message is a request of n bytes from end 0 to end 1, with the text's bytes
// over and over.
func (x *end) message(n int, inline bool, text string) *Request {
	at := x.space.Alloc(int64(max(n, 1)))
	data := make([]byte, n)
	for i := range data {
		data[i] = text[i%len(text)]
	}
	x.space.WriteAt(at, data)
	r := x.program.NewRequest()
	r.To, r.Bytes, r.Meta.Kind, r.Inline, r.Space, r.From, r.Descriptor = 1, n, trace.Message, inline, x.space, at, 4
	return r
}
