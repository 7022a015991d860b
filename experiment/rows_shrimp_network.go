package experiment

import (
	"math"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
)

// network holds the rows of links, switch and flow control.
func (r *rows) network() {
	r.live("us-link", "link", "ppro", func(b *bed) (judge.Measured, error) {
		return value(8*float64(b.Net.Spec().LinkRate)/1e9, ""), nil
	})
	r.live("us-switch", "switch", "ppro", func(b *bed) (judge.Measured, error) {
		return value(b.Net.Spec().SwitchDelay.Us(), ""), nil
	})
	r.live("us-ber", "stream without faults", "ppro", func(b *bed) (judge.Measured, error) {
		err := b.run(b.each(0, 1, same(4096, 250), 0))
		s := b.Net.Stats()
		return value(float64(s.Hit)/float64(8*s.DeliveredBytes), "%d of %d packets hit", s.Hit, s.Delivered), err
	})
	r.versus("us-crc", "errors of four bytes", r.checksum(4), "errors of one bit, which every check sum shows", r.checksum(1))
	r.versus("us-inorder", "packets as they arrive", r.order(false), "a packet lost on the way", r.order(true))
	r.versus("us-stopgo", "receiver stalled for 200 ms", r.reset(200*sim.Millisecond), "receiver stalled for 45 ms", r.reset(45*sim.Millisecond))
}

// checksum is the width of a check sum that misses errors as often as
// observed: one in two to the power of its width. Packets cross the network
// without a protocol above it, which an error that is not seen could confuse.
func (r *rows) checksum(burst int) judge.Measure {
	return plain(func() (judge.Measured, error) {
		p, err := platform.Load("ppro")
		if err != nil {
			return judge.Measured{}, err
		}
		spec := p.FabricSpec(2)
		spec.Faults = fabric.Faults{ErrorPerByte: 3e-3, BurstBytes: burst}
		e := sim.New(r.seed)
		net, err := fabric.New(e, spec)
		if err != nil {
			return judge.Measured{}, err
		}
		net.Attach(0, &sink{net})
		net.Attach(1, &sink{net})
		for range 300_000 {
			k := net.NewPacket()
			k.Src, k.Dst, k.WireBytes = 0, 1, len(k.Payload(128))+p.VMMC.HeaderBytes
			net.Inject(k, e.Now(), spec.LinkRate)
			if err := e.Run(e.Now().Add(2 * spec.LinkRate.Time(k.WireBytes))); err != nil {
				return judge.Measured{}, err
			}
		}
		s := net.Stats()
		return value(math.Log2(float64(s.Hit)/float64(s.Undetected)), "%d of %d errors not seen", s.Undetected, s.Hit), nil
	})
}

// sink is a card that takes every packet and forgets it.
type sink struct{ net *fabric.Net }

// Accept implements fabric.Port.
func (s *sink) Accept(*fabric.Packet) bool { return true }

// Arrived implements fabric.Port.
func (s *sink) Arrived(p *fabric.Packet) { s.net.Free(p) }

// Sent implements fabric.Port.
func (s *sink) Sent(*fabric.Packet) {}

// Reset implements fabric.Port.
func (s *sink) Reset() {}

// order tells whether packets reach a card in the order in which the other
// one sent them.
func (r *rows) order(lose bool) judge.Measure {
	return plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{platform: "ppro", build: BuildOff})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		sent := 0
		if lose {
			b.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind.CarriesRequest() {
					sent++
				}
				return sent == 50
			})
		}
		w := b.watch()
		if err := b.run(b.each(0, 1, mixed(200), 0)); err != nil {
			return judge.Measured{}, err
		}
		swaps := 0
		for i, p := range w.packets {
			if i > 0 && p.seq != w.packets[i-1].seq+1 {
				swaps++
			}
		}
		return holds(swaps == 0 && len(w.packets) >= 200, "%d packets, %d not next in order", len(w.packets), swaps), nil
	})
}

// mixed returns count messages of lengths from a word to a page.
func mixed(count int) []int {
	sizes := make([]int, count)
	for i := range sizes {
		sizes[i] = []int{4, 64, 1024, 4096, 256}[i%5]
	}
	return sizes
}

// reset is the time from a receiver's stall to the forward reset, in ms.
func (r *rows) reset(stall sim.Duration) judge.Measure {
	return plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{platform: "ppro", build: BuildOff})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		began := b.Engine.Now().Add(sim.Millisecond)
		b.Net.Stall(fabric.Stall{Node: 1, At: began, For: stall})
		program := b.each(0, 1, same(4096, 100), 0)
		ended := false
		first := sim.Never
		b.Nodes[0].Host.Go("row", host.Application, func(c *host.Context) { program.run(c); ended = true })
		if err := b.Engine.RunUntil(func() bool {
			if first == sim.Never && b.Net.Stats().Resets > 0 {
				first = b.Engine.Now()
			}
			return ended && b.Nodes[0].VMMC.Unacknowledged() == 0
		}); err != nil {
			return judge.Measured{}, err
		}
		if first == sim.Never {
			return value(math.NaN(), "no reset, and everything arrived"), nil
		}
		return value(first.Sub(began).Us()/1000, "%d packets lost, and sent again", b.Net.Stats().ResetLost+b.Nodes[1].NIC.Stats().Flushed), nil
	})
}
