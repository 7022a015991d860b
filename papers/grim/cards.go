package grim

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// The test firmware of the measurements between cards.
const (
	bounceCycles = 30 // assumed: a packet is found whole, its buffer and route for the way back
	headerBytes  = 8  // assumed: route, type, checksum
	roundTrips   = 20 // round trips of a measurement
)

// pair is two cards of a machine on a cable, without a communication layer.
type pair struct {
	engine *sim.Engine
	net    *fabric.Net
	cards  [2]*ni.NIC
}

func (r *rows) pair(m machine) *pair {
	p := r.profile(m.name, m.overlay)
	spec := p.FabricSpec(2)
	spec.Shape = fabric.Cable
	x := &pair{engine: sim.New(r.seed)}
	x.net = judge.Must(fabric.New(x.engine, spec))
	card := p.NI
	card.BufferBytes, card.ReceiveBuffers = longest+headerBytes, 2
	for i := range x.cards {
		h := host.New(x.engine, fmt.Sprint("host", i), &p.Host, host.Uncontended{})
		rtc := judge.Must(clock.NewOscillator(clock.Spec{HzNum: p.Clock.Hz, HzDen: 1, WidthBits: p.Clock.WidthBits}))
		x.cards[i] = judge.Must(ni.New(x.engine, i, &card, h, x.net, rtc, ni.Uncontended{}))
	}
	return x
}

// longest is that of a packet: the MTU.
const longest = 64 * kb

// bouncer is firmware that sends back what has arrived, once it is whole.
type bouncer struct {
	ni.Bare
	nic         *ni.NIC
	net         *fabric.Net
	bytes, left int
	ended       sim.Time
	early       bool // a packet was seen before all of it had arrived
}

func (b *bouncer) Timer() { b.send() }

func (b *bouncer) Received(p *fabric.Packet) {
	b.early = b.early || b.nic.Now() < p.T5
	b.nic.Drop(p)
	b.nic.Spend(bounceCycles)
	if b.left--; b.left < 0 {
		b.ended = b.nic.Now()
		return
	}
	b.send()
}

func (b *bouncer) send() {
	p := b.net.NewPacket()
	p.Src, p.Dst = int32(b.nic.ID()), int32(1-b.nic.ID())
	p.Header.Meta.Kind = trace.Data
	p.WireBytes = b.bytes + headerBytes
	b.nic.Send(p, nil)
}

// oneWay returns half of the round trip of n bytes between cards, µs, and whether the firmware
// saw a packet before it was whole.
func (r *rows) oneWay(m machine, n int) (us float64, early bool) {
	type result struct {
		us    float64
		early bool
	}
	x := judge.Recall(r.known, func() result {
		p := r.pair(m)
		var ends [2]*bouncer
		for i, c := range p.cards {
			ends[i] = &bouncer{nic: c, net: p.net, bytes: n, left: roundTrips}
			c.Load(ends[i])
		}
		begin := sim.Time(sim.Millisecond)
		p.cards[0].SetTimer(begin)
		judge.Must(0, p.engine.Run(sim.Never))
		// The second card gets the first packet and ends.
		return result{ends[1].ended.Sub(begin).Us() / (2*roundTrips + 1), ends[0].early || ends[1].early}
	}, "one-way", m, n)
	return x.us, x.early
}

// links adds the rows of links and of transfers between cards (grim §5.3.1, Figure 5.5).
func (r *rows) links() {
	san1280, m2000 := machine{p3L9, "SAN-1280 links"}, of(p3L9)
	for id, m := range map[string]machine{"grim-link-san1280": of(p3L4), "grim-link-m2000": m2000} {
		r.Of(id, "link", measure(func() judge.Measured {
			return judge.Measured{Value: float64(r.profile(m.name, m.overlay).Network.LinkRate) / 1e6}
		}))
	}
	between := func(m machine) func(int) float64 {
		return func(n int) float64 {
			us, _ := r.oneWay(m, n)
			return us
		}
	}
	for id, m := range map[string]machine{"grim-l4-san": of(p3L4), "grim-l9-san1280": san1280, "grim-l9-m2000": m2000} {
		r.Of(id, "round trips of cards", measure(func() judge.Measured { return judge.Value(highest(between(m)), "%d round trips a size", roundTrips) }))
	}
	r.Of("grim-san-n12", "round trips of cards", measure(func() judge.Measured {
		a, b, c := half(between(of(p3L4))), half(between(san1280)), half(between(m2000))
		return judge.Value(min(a, b, c), "%.0f B with LANai 4, %.0f and %.0f with LANai 9 at SAN-1280 and Myrinet-2000", a, b, c)
	}), "the least of the three")
	r.Of("grim-san-detect", "round trips of 64 KB", measure(func() judge.Measured {
		_, early := r.oneWay(of(p3L4), longest)
		return judge.States(!early, "no packet is handled before its last word has arrived", "early: %t", early)
	}))
}

// highest returns the highest rate of a transfer at any power of two up to 64 KB, MB/s.
func highest(us func(bytes int) float64) (mbps float64) {
	for n := 16; n <= longest; n *= 2 {
		mbps = max(mbps, float64(n)/us(n))
	}
	return mbps
}

// half returns the least multiple of 8 B that has half of the highest rate.
func half(us func(bytes int) float64) float64 {
	most := highest(us)
	n := 8
	for float64(n)/us(n) < most/2 {
		n += 8
	}
	return float64(n)
}

// ejector is firmware that starts transfers into host memory one by one.
type ejector struct {
	ni.Bare
	nic   *ni.NIC
	dma   ni.DMA
	began sim.Time
	took  sim.Duration // all transfers so far
	left  int
}

func (e *ejector) Timer() {
	e.nic.HostDMA(&e.dma)
	e.began = e.nic.Now() // the engine is programmed
}
func (e *ejector) Transferred(*ni.DMA) { e.took += e.nic.Engine().Now().Sub(e.began) }
func (e *ejector) HostDone(_ *ni.DMA, at sim.Time) {
	if e.left--; e.left > 0 {
		e.nic.SetTimer(at.Add(10 * sim.Microsecond))
	}
}

// eject returns the mean time of a transfer of n bytes into host memory, µs, from the start of
// the engine.
func (r *rows) eject(name string) func(n int) float64 {
	return func(n int) float64 {
		return judge.Recall(r.known, func() float64 {
			p := r.pair(of(name))
			const transfers = 50 // their set-up varies
			e := &ejector{nic: p.cards[0], dma: ni.DMA{Dir: ni.ToHost, Bytes: n}, left: transfers}
			e.nic.Load(e)
			e.nic.SetTimer(sim.Time(sim.Microsecond))
			judge.Must(0, p.engine.Run(sim.Never))
			return e.took.Us() / transfers
		}, "eject", name, n)
	}
}

// ejection adds the rows of transfers into host memory (grim §5.4.1).
func (r *rows) ejection() {
	const what = "transfers by the card"
	top := func(id string, names ...string) {
		r.Of(id, what, measure(func() judge.Measured {
			var note string
			var sum float64
			for _, name := range names {
				v := highest(r.eject(name))
				sum += v
				note += fmt.Sprintf("%s %.1f ", name, v)
			}
			return judge.Value(sum/float64(len(names)), "%s", note)
		}))
	}
	top("grim-p3-eject-l4l9", p3L4, p3L9)
	top("grim-p3-eject-pmc", p3PMC)
	top("grim-p4-eject-l4", p4L4)
	top("grim-p4-eject-l9", p4L9)
	r.Of("grim-pmc-ratio", what, measure(func() judge.Measured {
		return judge.Value(highest(r.eject(p3PMC))/highest(r.eject(p3L4)), "rates with and without the bridge")
	}))
	r.Of("grim-eject-n12", what, measure(func() judge.Measured {
		var note string
		var sum float64
		names := []string{p3L4, p3L9, p4L4, p4L9}
		for _, name := range names {
			v := half(r.eject(name))
			sum += v
			note += fmt.Sprintf("%s %.0f B ", name, v)
		}
		return judge.Value(sum/float64(len(names)), "%s", note)
	}), "mean of the cards")
}
