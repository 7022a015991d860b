package userspace

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// hardware holds the rows of the machine, read off a live pair. Most of them set
// a parameter and prove nothing but that the pair runs with it.
func (r *rows) hardware() {
	pci := func(b *testbed.Bed) float64 { return float64(b.Nodes[0].Host.Spec().IOBus) / 1e6 }
	for _, x := range []struct {
		id, from string
		of       func(*testbed.Bed) float64
	}{
		{"us-cpu", "cycle count", beds.CPUMHz},
		{"us-l2", "host", beds.L2KB},
		{"us-lanai-clk", "card", beds.CardMHz},
		// An engine moves a word per cycle.
		{"us-lanai-bit", "card", func(b *testbed.Bed) float64 { return 8 * b.Nodes[0].NIC.Spec().NetDMAMBps / beds.CardMHz(b) }},
		{"us-ebus", "card", func(b *testbed.Bed) float64 { return b.Nodes[0].NIC.Spec().SRAMBusMBps / 4 / beds.CardMHz(b) }},
		{"us-pcibw", "host", pci},
		{"us-pciw", "host", func(*testbed.Bed) float64 { return 8 * host.WordBytes }},
		{"us-pciclk", "host", func(b *testbed.Bed) float64 { return pci(b) / host.WordBytes }},
		{"us-link", "link", func(b *testbed.Bed) float64 { return 8 * float64(b.Net.Spec().LinkRate) / 1e9 }},
		{"us-switch", "switch", func(b *testbed.Bed) float64 { return b.Net.Spec().SwitchDelay.Us() }},
	} {
		r.of(x.id, x.from, on("vmmc", "", beds.Number(x.of)))
	}
	r.of("us-sram", "SRAM allocation", number(func(x *study) judge.Measured {
		return live(x, "vmmc", beds.SRAMMB, func(s *testbed.Spec) { s.Monitor = "full" })
	}))
	r.of("us-dmaeng", "streams both ways", busyEngines(0))
	r.of("us-six-dma", "streams both ways", busyEngines(0, 1))
}

// busyEngines is how many DMA engines of some cards work at the same time at
// most in streams both ways.
func busyEngines(cards ...int) test {
	return on("vmmc", "", func(b *testbed.Bed) judge.Measured {
		w := b.Watch()
		b.Run(b.Each(0, 1, testbed.Same(64<<10, 20), 0), b.Each(1, 0, testbed.Same(64<<10, 20), 0))
		var all []testbed.Interval
		add := func(card int, from, to sim.Time) {
			if slices.Contains(cards, card) {
				all = append(all, testbed.Interval{From: from, To: to})
			}
		}
		for i, n := range b.Nodes {
			rate := sim.MBps(max(n.NIC.Spec().HostDMAToNIMBps, n.NIC.Spec().HostDMAToHostMBps))
			for _, d := range w.DMAs[i] {
				add(i, d.End.Add(-rate.Time(d.Bytes)), d.End) // at least so long
			}
		}
		for _, p := range w.Packets {
			add(p.Src, p.T3, p.T4)
			add(p.Dst, p.T3.Add(p.T5.Sub(p.T4)), p.T5)
		}
		most := 0
		for _, x := range all {
			at := 0
			for _, y := range all {
				if y.From <= x.From && x.From < y.To {
					at++
				}
			}
			most = max(most, at)
		}
		return value(float64(most), "at the same time at most, in %d transfers", len(all))
	})
}

// network holds the rows of packets and flow control.
func (r *rows) network() {
	r.of("us-ber", "stream without faults", on("vmmc", "", hits))
	r.versus("us-crc", "errors of four bytes", checksum(4), "errors of one bit, which every checksum shows", checksum(1))
	r.versus("us-inorder", "packets as they arrive", order(false), "a packet damaged on the way", order(true))
	r.versus("us-stopgo", "receiver stalled for 200 ms", reset(200*sim.Millisecond), "receiver stalled for 45 ms", reset(45*sim.Millisecond))
}

// hits is the share of bits in error of a stream.
func hits(b *testbed.Bed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Same(4096, 250), 0))
	s := b.Net.Stats()
	return value(float64(s.Hit)/float64(8*s.DeliveredBytes), "%d of %d packets hit", s.Hit, s.Delivered)
}

// checksum measures the width of a checksum that misses as many errors as are
// missed: one in two to the power of its width. Packets cross a network without a
// protocol above it, because an error that is not seen could confuse one.
func checksum(burst int) test {
	return on("vmmc", "", func(b *testbed.Bed) judge.Measured {
		spec := b.Place.FabricSpec(2)
		spec.Faults = fabric.Faults{ErrorPerByte: 3e-3, BurstBytes: burst}
		e := sim.New(b.Seed())
		net, err := fabric.New(e, spec)
		if !b.Keep(err) {
			return judge.Measured{}
		}
		net.Attach(0, &sink{net})
		net.Attach(1, &sink{net})
		for range 300_000 {
			k := net.NewPacket()
			k.Src, k.Dst, k.WireBytes = 0, 1, len(k.Payload(128))+b.Place.VMMC.HeaderBytes
			net.Inject(k, e.Now(), spec.LinkRate)
			if !b.Keep(e.Run(e.Now().Add(2 * spec.LinkRate.Time(k.WireBytes)))) {
				break
			}
		}
		s := net.Stats()
		return value(math.Log2(float64(s.Hit)/float64(s.Undetected)), "%d of %d errors not seen", s.Undetected, s.Hit)
	})
}

// sink is a card that takes every packet and forgets it.
type sink struct{ net *fabric.Net }

func (s *sink) Accept(*fabric.Packet) bool { return true }
func (s *sink) Arrived(p *fabric.Packet)   { s.net.Free(p) }
func (s *sink) Sent(*fabric.Packet)        {}
func (s *sink) Reset()                     {}

// order tests that packets reach a card in the order in which the other one sends
// them. One of them may be damaged.
func order(hurt bool) test {
	const packets = 200
	wants := fmt.Sprintf("at least %d packets, each next in order", packets)
	return on("vmmc", wants, func(b *testbed.Bed) judge.Measured {
		if hurt {
			b.Hurt(50)
		}
		w := b.Watch()
		b.Run(b.Each(0, 1, testbed.Mixed(packets), 0))
		outOfOrder := 0
		for i, p := range w.Packets {
			if i > 0 && p.Seq != w.Packets[i-1].Seq+1 {
				outOfOrder++
			}
		}
		return holds(outOfOrder == 0 && len(w.Packets) >= packets, "%d packets, %d not next in order", len(w.Packets), outOfOrder)
	})
}

// reset is the time from a receiver's stall to the forward reset, in ms.
func reset(stall sim.Duration) test {
	return on("vmmc", "", func(b *testbed.Bed) judge.Measured {
		began, first := b.Engine.Now().Add(sim.Millisecond), sim.Never
		b.Net.Stall(fabric.Stall{Node: 1, At: began, For: stall})
		ended := b.Start(b.Each(0, 1, testbed.Same(4096, 100), 0))
		b.Until(func() bool {
			if first == sim.Never && b.Net.Stats().Resets > 0 {
				first = b.Engine.Now()
			}
			return ended() && b.Nodes[0].VMMC.Unacknowledged() == 0
		})
		if first == sim.Never {
			return value(math.NaN(), "no reset, and everything arrived")
		}
		return value(first.Sub(began).Us()/1000, "%d packets lost, and sent again", b.Net.Stats().ResetLost+b.Nodes[1].NIC.Stats().Flushed)
	})
}
