package grim

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// face is a programming interface of GRIM.
type face string

const (
	active   face = "AM"
	physical face = "RM-P"
	virtual  face = "RM-V"
)

// roundTrip is one setting of the end-to-end measurements (grim §5.5, §5.6): messages back and
// forth between two idle nodes. Zero values are those of the platform.
type roundTrip struct {
	on       string
	face     face
	bytes    int
	mode     mode
	fragment int
	suppose  supposition
}

// mode is how the stages of a transfer overlap.
type mode string

const (
	final    mode = ""                  // as the study ends: both cut-throughs
	stored   mode = "store and forward" // one packet of any size up to the MTU
	pieces   mode = "fragments"         // stages overlap between fragments only
	receiver mode = "receiver cut-through"
	sender   mode = "sender cut-through"
	both     mode = "both cut-throughs"
	serial   mode = "no overlap in the firmware"
)

// supposition is what a counter-experiment changes.
type supposition string

const (
	fastHost    supposition = "the host injects twice as fast"
	fastWire    supposition = "the wire is twice as fast"
	fastDeposit supposition = "the deposit is twice as fast"
	freeAck     supposition = "an ACK takes the processor no time"
	channels8   supposition = "eight channels are scanned"
	allMisses   supposition = "the cache holds the pages of one fragment"
	oneBuffer   supposition = "so, and a card receives a packet when the one before is in host memory"
	freeLookup  supposition = "translations take no time"
	fastFetch   supposition = "prefetches take effect at once"
	p3Host      supposition = "the host and its slot are those of the Pentium III"
	oneByOne    supposition = "a card receives a packet when all of the one before is in host memory, without cut-through"
)

// set changes a platform as a counter-experiment does.
func (x supposition) set(p *platform.Profile) {
	g := p.GRIM
	switch x {
	case fastHost:
		h := &p.Host
		mmx, sse := *h.MMX, *h.SSE
		h.MMX, h.SSE = &mmx, &sse
		h.PIOWrite, h.PIOLine, mmx.Store, sse.Store = h.PIOWrite/2, h.PIOLine/2, mmx.Store/2, sse.Store/2
		p.NI.HostDMAToNIMBps *= 2
		h.IOBus *= 2
	case fastWire:
		p.NI.NetDMAMBps *= 2
		p.NI.SRAMBusMBps *= 2
		n := &p.Network
		n.LinkRate, n.SlackBytes, n.StopBytes, n.GoBytes = 2*n.LinkRate, 2*n.SlackBytes, 2*n.StopBytes, 2*n.GoBytes
	case fastDeposit:
		p.NI.HostDMAToHostMBps *= 2
		p.Host.IOBus *= 2
	case freeAck:
		g.Firmware.Answer = 0
	case channels8:
		g.Firmware.Detect += 7 * g.Firmware.Channel
	case freeLookup:
		g.Memory.Hit, g.Memory.Miss, g.Memory.Translate, g.Memory.Page = 0, 0, 0, 0
	case fastFetch:
		sse := *p.Host.SSE
		sse.Ahead, p.Host.SSE = 0, &sse
	case p3Host:
		other := loaded(p3L4)
		p.Host, p.TPIL, p.NI = other.Host, other.TPIL, other.NI
	case allMisses, oneBuffer:
		g.CachePages = (g.FragmentBytes-1)/host.PageBytes + 2
	}
	switch x {
	case oneBuffer:
		g.ReceiveBuffers = 1
	case oneByOne:
		g.ReceiveBuffers, g.ReceiverCutThrough = 1, false
	}
}

// set changes a platform to the setting.
func (t roundTrip) set(p *platform.Profile) {
	g := *p.GRIM
	p.GRIM = &g
	t.suppose.set(p)
	g.VirtualDeposits = t.face == virtual
	if t.mode != final {
		g.SenderCutThrough, g.ReceiverCutThrough = t.mode == sender || t.mode == both, t.mode == receiver || t.mode == both
		g.Overlap = g.Overlap && t.mode != serial
	}
	if t.mode == stored {
		t.fragment = g.MTUBytes
	}
	if t.fragment == 0 {
		return
	}
	g.FragmentBytes = t.fragment
	g.SegmentBytes = min(g.SegmentBytes, max(64, t.fragment/4)) // four segments at most per fragment of the test
	g.ReceiveBuffers = max(2, min(16, 262144/t.fragment))
	g.ChannelBytes = max(2*(t.fragment+g.HeaderBytes), min(g.ChannelBytes, 98304))
}

// us measures half of a round trip, µs. A round before the measured ones fills caches and tables.
func (r *rows) us(s *judge.Session, t roundTrip) float64 {
	return judge.Recall(r.known, func() float64 {
		return testbeds.Use(s, t.spec(r.seed), t.measure)
	}, "trip", fmt.Sprintf("%+v", t))
}

// spec describes the testbed of the round trips.
func (t roundTrip) spec(seed uint64) testbed.Spec {
	return testbed.Spec{Platform: t.on, Layer: "grim", Seed: seed, Monitor: "off", Cold: true, Silent: true, Bytes: t.bytes, Profile: t.set}
}

// mbps returns the bandwidth that follows from us, MB/s.
func (r *rows) mbps(s *judge.Session, t roundTrip) float64 { return float64(t.bytes) / r.us(s, t) }

// rounds returns the number of measured round trips, fewer for long messages.
func (t roundTrip) rounds() int { return max(2, min(40, 200000/max(1, t.bytes))) }

func (t roundTrip) measure(b *testbed.Testbed) float64 {
	if t.face == active {
		return b.Pair(0, 1, t.bytes).PingPong(t.bytes, t.rounds()).RTT.Us() / 2
	}
	return t.remoteMemory(b)
}

// remoteMemory deposits blocks whose last byte both sides poll.
func (t roundTrip) remoteMemory(b *testbed.Testbed) (us float64) {
	ports, err := deposit.Open(b.Deposits(), "rm", 0)
	if !b.Keep(err) {
		return 0
	}
	var arrived [2]int
	var watches [2]host.Watch
	var exports [2]deposit.Export
	var from [2]host.Addr
	for i, p := range ports {
		from[i] = p.Space().Alloc(int64(t.bytes))
		exports[i], err = p.Export(p.Space().Alloc(int64(t.bytes)), t.bytes, nil)
		b.Keep(err)
		if !b.OK() {
			return 0
		}
		exports[i].OnWrite(func(a deposit.Arrival) {
			if a.Last {
				arrived[i]++
				watches[i].Fire()
			}
		})
	}
	side := func(i int) func(*host.Context) {
		return func(c *host.Context) {
			to, err := ports[i].Import(exports[1-i])
			b.Keep(err)
			seen := 0
			send := func() {
				b.Keep(ports[i].Send(c, from[i], to, 0, t.bytes, trace.Meta{Kind: trace.Data}, false))
			}
			receive := func() {
				for seen++; arrived[i] < seen && b.OK(); {
					ports[i].Wait(c, &watches[i], "a block")
				}
			}
			if took := t.alternate(b, c, i == 0, send, receive); i == 0 {
				us = took
			}
		}
	}
	b.Play(side(0), side(1))
	return us
}

// alternate sends and receives in turn. It returns half of the mean round trip without the
// first one.
func (t roundTrip) alternate(b *testbed.Testbed, c *host.Context, first bool, send, receive func()) float64 {
	begin := c.Now()
	for k := 0; k <= t.rounds() && b.OK(); k++ {
		if k == 1 {
			begin = c.Now()
		}
		if first {
			send()
		}
		receive()
		if !first {
			send()
		}
	}
	return c.Now().Sub(begin).Us() / float64(2*t.rounds())
}

// middle returns the median.
func middle(v []float64) float64 { slices.Sort(v); return portable.Median(v) }

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}
