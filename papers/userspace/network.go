package userspace

import (
	"math"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// network holds the rows of links, switch and flow control.
func (r *rows) network() {
	r.Of("us-link", "link", r.bed(testbed.Spec{}, beds.Number(func(b *testbed.Bed) float64 { return 8 * float64(b.Net.Spec().LinkRate) / 1e9 })))
	r.Of("us-switch", "switch", r.bed(testbed.Spec{}, beds.Number(func(b *testbed.Bed) float64 { return b.Net.Spec().SwitchDelay.Us() })))
	r.Of("us-ber", "stream without faults", r.bed(testbed.Spec{}, hits))
	r.Versus("us-crc", "errors of four bytes", r.bed(bare, checksum(4)), "errors of one bit, which every checksum shows", r.bed(bare, checksum(1)))
	r.Versus("us-inorder", "packets as they arrive", r.bed(bare, order(false)), "a packet lost on the way", r.bed(bare, order(true)))
	r.Versus("us-stopgo", "receiver stalled for 200 ms", r.bed(bare, reset(200*sim.Millisecond)), "receiver stalled for 45 ms", r.bed(bare, reset(45*sim.Millisecond)))
}

// hits is the share of bits in error of a stream.
func hits(b *testbed.Bed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Same(4096, 250), 0))
	s := b.Net.Stats()
	return value(float64(s.Hit)/float64(8*s.DeliveredBytes), "%d of %d packets hit", s.Hit, s.Delivered)
}

// checksum is the width of a checksum that misses errors as often as observed:
// one in two to the power of its width. Packets cross a network of their own
// without a protocol above it, which an error that is not seen could confuse.
func checksum(burst int) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
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
	}
}

// sink is a card that takes every packet and forgets it.
type sink struct{ net *fabric.Net }

func (s *sink) Accept(*fabric.Packet) bool { return true }
func (s *sink) Arrived(p *fabric.Packet)   { s.net.Free(p) }
func (s *sink) Sent(*fabric.Packet)        {}
func (s *sink) Reset()                     {}

// order tells whether packets reach a card in the order in which the other
// one sent them.
func order(lose bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		sent := 0
		if lose {
			b.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind.CarriesRequest() {
					sent++
				}
				return sent == 50
			})
		}
		w := b.Watch()
		b.Run(b.Each(0, 1, testbed.Mixed(200), 0))
		swaps := 0
		for i, p := range w.Packets {
			if i > 0 && p.Seq != w.Packets[i-1].Seq+1 {
				swaps++
			}
		}
		return holds(swaps == 0 && len(w.Packets) >= 200, "%d packets, %d not next in order", len(w.Packets), swaps)
	}
}

// reset is the time from a receiver's stall to the forward reset, in ms.
func reset(stall sim.Duration) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
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
	}
}
