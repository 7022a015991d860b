package modern

import (
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// bus adds the rows of PCIe.
func (r *rows) bus() {
	r.field("rd-mmio-rtt", "cx7", func(p *platform.Profile) float64 { return 1000 * p.Host.PCIe.Read.Us() })
	r.field("rd-tlp-hdr", "cx7", func(p *platform.Profile) float64 { return float64(p.Host.PCIe.HeaderBytes) })
	r.Of("rd-pcie-add", "writes of 2 B with and without the way over PCIe", judge.Run(func(s *judge.Session) judge.Measured {
		us := r.us(s, card{name: "cx7"}, perftest.Write, 2) - r.us(s, card{name: "cx7", overlay: "a write over PCIe takes no time"}, perftest.Write, 2)
		return judge.Value(1000*us, "the doorbell's way and the data's")
	}))
	r.Of("rd-pcie-rate", "rates of eight lanes", judge.Run(func(*judge.Session) judge.Measured {
		var d judge.Deviation
		// 2.5, 5, 8, 16 and 32 Gb/s of a lane, 8 of 10 or 128 of 130 bits, and 57.9 of 63.0 Gb/s for packets.
		for generation, gbps := range []float64{2.5 * 8 / 10, 5 * 8. / 10, 8 * 128. / 130, 16 * 128. / 130, 32 * 128. / 130} {
			p := host.PCIe{Generation: generation + 1, Lanes: 8}
			d.Add(float64(p.Rate())*8/1e9, 8*gbps*57.9/63.0)
		}
		return judge.All(d.Within("rates of five generations", "the formula", 0.5))
	}))
}

// field adds the row of a number of a profile.
func (r *rows) field(id, on string, of func(*platform.Profile) float64) {
	r.Of(id, "the profile "+on, judge.Run(func(*judge.Session) judge.Measured { return judge.Value(of(r.profile(on, "")), "") }))
}

// packets adds the rows of entries, windows and timers.
func (r *rows) packets() {
	r.field("rd-wqe-rc", "cx6-hdr", func(p *platform.Profile) float64 { return float64(p.Verbs.EntryBytes) })
	r.field("rd-rto", "cx5-ex", func(p *platform.Profile) float64 {
		return (4096 * sim.Nanosecond << p.Verbs.Timeout).Us() / 1000
	})
	r.field("rd-rxpool", "cx5-ex", func(p *platform.Profile) float64 {
		shape := p.Verbs.Shape(p.NI, 0)
		return float64(shape.ReceiveBuffers * shape.BufferBytes)
	})
	// step returns the most bytes of a write before what fetching takes is added.
	step := func(s *judge.Session, on card) float64 {
		in, out := int64(2), int64(512)
		base := r.us(s, on, perftest.Write, out)
		low := r.us(s, on, perftest.Write, in)
		for out-in > 1 {
			if n := (in + out) / 2; r.us(s, on, perftest.Write, n) < (low+base)/2 {
				in = n
			} else {
				out = n
			}
		}
		return float64(in)
	}
	r.Of("rd-inline-max", "writes of 2 to 512 B", judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Value(step(s, card{name: "cx6-hdr"}), "")
	}), "the longest write that the latency of a fetch is not added to")
	r.Of("rd-wqe-inline", "writes of 2 to 512 B", judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Value(step(s, card{name: "cx6-hdr"}), "%g if BlueFlame has 64 B", step(s, card{name: "cx6-hdr", overlay: "BlueFlame has 64 B"}))
	}), "the longest write in an entry that the CPU stores into the card")
	r.Of("rd-window", "reads of 8 B whose data is 100 µs away", judge.Run(func(s *judge.Session) judge.Measured {
		far := card{name: "cx6-hdr", overlay: "a read over PCIe takes 100 µs"}
		us := r.us(s, far, perftest.Read, 8)
		return judge.Value(float64(us*r.rate(s, far, deep(perftest.Read, 8))), "%.4g µs each", us)
	}), "rate × latency")
}

// network adds the rows of switches.
func (r *rows) network() {
	r.Of("rd-switch-sx", "writes of 2 B through a switch and through a cable", judge.Run(func(s *judge.Session) judge.Measured {
		us := r.us(s, card{name: "mlx4", switched: true}, perftest.Write, 2) - r.us(s, card{name: "mlx4"}, perftest.Write, 2)
		return judge.Value(1000*us, "")
	}))
	r.field("rd-headroom", "cx5-roce", func(p *platform.Profile) float64 { return float64(p.Network.Buffer.Headroom) / 1000 })
	r.Of("rd-dcqcn-paper", "the profile cx7", judge.Run(func(*judge.Session) judge.Measured {
		d := r.profile("cx7", "").Verbs.DCQCN
		return judge.States(d.CNPGap == 50*sim.Microsecond && d.AlphaTimer == 55*sim.Microsecond && d.RiseBytes == 10e6 && d.Stages == 5 && d.Gain == 1./256,
			"gap of notices, timer of alpha, bytes, F, g", "%g µs, %g µs, %d B, %d, %g", d.CNPGap.Us(), d.AlphaTimer.Us(), d.RiseBytes, d.Stages, d.Gain)
	}))
	r.Of("rd-dcqcn-sim", "the profile cx7", judge.Run(func(*judge.Session) judge.Measured {
		p := r.profile("cx7", "")
		d, e := p.Verbs.DCQCN, p.Network.Buffer.ECN
		const faster = 4 // than the published line
		return judge.States(d.CutGap == 4*sim.Microsecond && d.RiseTimer == 900*sim.Microsecond && 2*d.Additive == d.Hyper && e.Min == faster*400e3 && e.Max == faster*1600e3 && e.Share == 0.2,
			"gap of cuts, timer, rises, marks", "%g µs, %g µs, %d and %d B/s, %d to %d B, %g", d.CutGap.Us(), d.RiseTimer.Us(), d.Additive, d.Hyper, e.Min, e.Max, e.Share)
	}))
}
