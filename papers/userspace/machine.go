package userspace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// hardware holds the rows of the machine, read from a live pair. Most of them set a
// parameter, so that they only prove that the pair runs with it.
func (r *rows) hardware() {
	pci := func(b *testbed.Testbed) float64 { return float64(b.Nodes[0].Host.Spec().IOBus) / 1e6 }
	for _, x := range []struct {
		id, from string
		of       func(*testbed.Testbed) float64
	}{
		{"us-cpu", "cycle count", testbeds.CPUMHz},
		{"us-l2", "host", testbeds.L2KB},
		{"us-mem", "host", func(b *testbed.Testbed) float64 { return float64(b.Nodes[0].Host.Spec().MemoryMB) }},
		{"us-lanai-clk", "card", testbeds.CardMHz},
		// An engine moves a word per cycle.
		{"us-lanai-bit", "card", func(b *testbed.Testbed) float64 { return 8 * b.Nodes[0].NIC.Spec().NetDMAMBps / testbeds.CardMHz(b) }},
		{"us-ebus", "card", func(b *testbed.Testbed) float64 { return b.Nodes[0].NIC.Spec().SRAMBusMBps / 4 / testbeds.CardMHz(b) }},
		{"us-pcibw", "host", pci},
		{"us-pciw", "host", func(*testbed.Testbed) float64 { return 8 * host.WordBytes }},
		{"us-pciclk", "host", func(b *testbed.Testbed) float64 { return pci(b) / host.WordBytes }},
		{"us-link", "link", func(b *testbed.Testbed) float64 { return 8 * float64(b.Net.Spec().LinkRate) / 1e9 }},
		{"us-switch", "switch", func(b *testbed.Testbed) float64 { return b.Net.Spec().SwitchDelay.Us() }},
	} {
		r.of(x.id, x.from, on("vmmc", "", testbeds.Number(x.of)))
	}
	r.of("us-sram", "SRAM allocation", on("vmmc", "", testbeds.SRAMMB, func(s *testbed.Spec) { s.Monitor = "full" }))
	r.of("us-rawratio", "links", rawRatio)
	r.of("us-sockets", "streams of 1 MB by a kernel's TCP over both networks", kernelGain)
	r.of("us-nolanaihost", "messages of 4 B and 4 KB", byEngine([]int{4, 4096}, "vmmc"))
	r.of("us-dma-who", "a message of 4 KB", byEngine([]int{4096}, "bip", "pm", "vmmc"))
	r.of("us-dmaeng", "streams both ways", busyEngines(0))
	r.of("us-six-dma", "streams both ways", busyEngines(0, 1))
}

// busyEngines measures how many DMA engines of some cards work at the same time, at
// most, in streams both ways.
func busyEngines(cards ...int) test {
	return on("vmmc", "", func(b *testbed.Testbed) judge.Measured {
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
				add(i, d.End.Add(-rate.Time(d.Bytes)), d.End) // its shortest possible time
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
		return value(float64(most), "the most at the same time, in %d transfers", len(all))
	})
}

// rawRatio measures the rate of the pair's links relative to that of an Ethernet.
var rawRatio = number(func(x *study) judge.Measured {
	ethernet := judge.Must(platform.Load("sun-rpc"))
	return value(float64(x.place("vmmc").Network.LinkRate)/float64(ethernet.Network.LinkRate), "to the segment of the platform sun-rpc")
})

// kernelGain measures the bandwidth of a kernel's TCP over Myrinet relative to that over
// Ethernet.
var kernelGain = number(func(x *study) judge.Measured {
	over := func(network string) float64 {
		place := judge.Must(kernels.Place("das-wan", "tcp", network))
		return judge.Must(measure.Bandwidth(place, x.seed, measure.Unidirectional, 1<<20)).MBps
	}
	ethernet, myrinet := over("Ethernet"), over("Myrinet")
	return value(myrinet/ethernet, "%.1f against %.2f MB/s", myrinet, ethernet)
})

// byEngine tests that messages of some sizes come to a host's memory by the engine of
// its interface: the host copies nothing, and loads less from its
// card than the messages hold.
func byEngine(sizes []int, layers ...string) test {
	return each("a host DMA for each message at the receiver, less loaded from its card than the messages hold, nothing copied", layers, func(x *study, layer string) (bool, string) {
		var dmas, sent, loaded, copied uint64
		for _, n := range sizes {
			live(x, layer, func(b *testbed.Testbed) bool {
				b.OneMessage(n, nil)
				m := moves(b, 1)
				dmas, copied = dmas+m.dmas, copied+m.copied
				sent, loaded = sent+uint64(n), loaded+4*b.Nodes[1].Host.Stats().Loaded
				return true
			})
		}
		return dmas >= uint64(len(sizes)) && loaded < sent && copied == 0, fmt.Sprintf("%d host DMAs, %d B loaded, %d B copied", dmas, loaded, copied)
	})
}

// network holds the rows of packets and flow control.
func (r *rows) network() {
	r.of("us-ber", "stream without faults", on("vmmc", "", hits))
	r.versus("us-crc", "errors of four bytes", checksum(4), "errors of one bit, which every checksum detects", checksum(1))
	r.versus("us-inorder", "packets as they arrive", order(false), "a packet damaged on the way", order(true))
	r.versus("us-stopgo", "receiver stalled for 200 ms", reset(200*sim.Millisecond), "receiver stalled for 45 ms", reset(45*sim.Millisecond))
}

// hits measures the bit error rate of a stream.
func hits(b *testbed.Testbed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Same(4096, 250), 0))
	s := b.Net.Stats()
	return value(float64(s.Hit)/float64(8*s.DeliveredBytes), "%d of %d packets hit", s.Hit, s.Delivered)
}

// checksum measures the width of the checksum in bits, from the share of errors that
// it misses: one in two to the power of the width. No layer runs above the network,
// because an undetected error could confuse it.
func checksum(burst int) test {
	return on("vmmc", "", func(b *testbed.Testbed) judge.Measured {
		spec := b.Place.FabricSpec(2)
		spec.Faults = fabric.Faults{ErrorPerByte: 3e-3, BurstBytes: burst}
		e := sim.New(b.Seed())
		net := judge.Must(fabric.New(e, spec))
		net.Attach(0, &sink{net})
		net.Attach(1, &sink{net})
		for range 300_000 {
			k := net.NewPacket()
			k.Src, k.Dst, k.WireBytes = 0, 1, len(k.Payload(128))+b.Place.VMMC.HeaderBytes
			net.Inject(k, e.Now(), spec.LinkRate)
			b.Keep(e.Run(e.Now().Add(2 * spec.LinkRate.Time(k.WireBytes))))
		}
		s := net.Stats()
		return value(portable.Log2(float64(s.Hit)/float64(s.Undetected)), "%d of %d errors not detected", s.Undetected, s.Hit)
	})
}

// sink is a card that accepts and discards every packet.
type sink struct{ net *fabric.Net }

func (s *sink) Accept(*fabric.Packet) bool { return true }
func (s *sink) Arrived(p *fabric.Packet)   { s.net.Free(p) }
func (s *sink) Sent(*fabric.Packet)        {}
func (s *sink) Reset()                     {}

// order tests that packets arrive at a card in the order in which the other card sends
// them. If hurt, one of them is damaged.
func order(hurt bool) test {
	const packets = 200
	wants := fmt.Sprintf("at least %d packets, all in order", packets)
	return on("vmmc", wants, func(b *testbed.Testbed) judge.Measured {
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
		return holds(outOfOrder == 0 && len(w.Packets) >= packets, "%d packets, %d out of order", len(w.Packets), outOfOrder)
	})
}

// reset measures the time from a receiver's stall to the forward reset, in ms.
func reset(stall sim.Duration) test {
	return on("vmmc", "", func(b *testbed.Testbed) judge.Measured {
		began := b.Engine.Now().Add(sim.Millisecond)
		b.Net.Stall(fabric.Stall{Node: 1, At: began, For: stall})
		ended := b.Start(b.Each(0, 1, testbed.Same(4096, 100), 0))
		whole := func() bool { return ended() && b.Nodes[0].VMMC.Unacknowledged() == 0 }
		b.Until(func() bool { return b.Net.Stats().Resets > 0 || whole() })
		first := b.Engine.Now()
		b.Until(whole)
		if b.Net.Stats().Resets == 0 {
			return value(math.NaN(), "no reset, and everything arrived")
		}
		return value(first.Sub(began).Us()/1000, "%d packets lost, and sent again", b.Net.Stats().ResetLost+b.Nodes[1].NIC.Stats().Flushed)
	})
}

// transfers holds the rows of transfers between host and card.
func (r *rows) transfers() {
	page, fetch, back := dma("4 KB to the card", ni.ToNI, 4096), dma("1 MB to the card", ni.ToNI, 1<<20), dma("1 MB to the host", ni.ToHost, 1<<20)
	loaded := pio("loads", func(c *host.Context) { c.PIORead(pioWords) })
	stored := pio("stores", func(c *host.Context) { c.PIOWrite(pioWords, host.Words) })
	combined := pio("combined stores", func(c *host.Context) { c.PIOWrite(pioWords, host.Combining) })
	r.of("us-fig2-dmamax", "DMA of 1 MB, started by the card", number(func(x *study) judge.Measured { return value(fetch.mb(x), "%s", fetch.name) }))
	r.changed("us-fig2-page", "DMA of 4 KB and of 1 MB", faster(page, closeTo, fetch), "DMA that takes ten times as long to start")
	r.changed("us-fig2-n2h", "DMA of 1 MB both ways", faster(fetch, 1, back), "DMA to the host as fast as from it")
	r.changed("us-fig2-rdwr", "1 KB by programmed I/O", faster(stored, 1, loaded), fastLoads)
	r.changed("us-fig2-wc", "1 KB by programmed I/O", faster(combined, greatly, stored), stores)
	r.changed("us-fig2-init", "DMA of 32 B to 1 MB both ways, started by the card and by the host", initiators, "a host that starts and ends transfers at no cost")
	r.changed("us-solid-line", "loads against DMA to the host", crossover, fastLoads)
	r.changed("us-membus", "a host that reads 8 MB of memory while pages arrive", interference, "a memory bus at a hundred times the rate")
	r.versus("us-pk-fig9c", "gain of both ways over one at 4 KB: VMMC-2 with one message in progress and with eight", gains(unchanged, manyAtOnce),
		"with eight and with sixteen", gains(manyAtOnce, "VMMC-2 with sixteen messages in progress"))
	r.versus("us-or-vmmc", "computing while messages arrive", receiver(false), "messages with notification", receiver(true))
}

const (
	closeTo = 0.9 // of a plateau
	greatly = 2   // times as fast
)

// rate is the rate of a transfer, MB/s.
type rate struct {
	name string
	mb   func(*study) float64
}

func rateOf(name string, f func(*testbed.Testbed) float64) rate {
	return rate{name, func(x *study) float64 { return live(x, "vmmc", f) }}
}

// faster tests that a rate is more than another, times a factor.
func faster(a rate, times float64, b rate) test {
	return test{fmt.Sprintf("%s: more than %g × the rate of %s", a.name, times, b.name), func(x *study) judge.Measured {
		mbA, mbB := a.mb(x), b.mb(x)
		return holds(mbA > times*mbB, "%s %.1f MB/s, %s %.1f", a.name, mbA, b.name, mbB)
	}}
}

// engine is VMMC-2's control program with a timer that starts one more transfer.
type engine struct {
	ni.Program
	nic   *ni.NIC
	dma   ni.DMA
	began sim.Time
	took  sim.Duration // all transfers so far
	left  int
}

func (e *engine) Timer()              { e.nic.HostDMA(&e.dma); e.began = e.nic.Now() }
func (e *engine) Transferred(*ni.DMA) { e.took += e.nic.Engine().Now().Sub(e.began) }
func (e *engine) HostDone(_ *ni.DMA, at sim.Time) {
	if e.left--; e.left > 0 {
		e.nic.SetTimer(at.Add(10 * sim.Microsecond))
	}
}

// transfers are those of one measurement. Their set-up varies.
const transfers = 100

// dma returns the rate of transfers one by one, each from the start command to its
// end.
func dma(name string, dir ni.Direction, n int) rate {
	return rateOf(name, func(b *testbed.Testbed) float64 {
		node := b.Nodes[0]
		e := &engine{Program: node.VMMC, nic: node.NIC, dma: ni.DMA{Dir: dir, Bytes: n}, left: transfers}
		e.nic.Load(e)
		e.nic.SetTimer(b.Engine.Now().Add(sim.Microsecond))
		b.Rest(10 * sim.Second)
		if e.left > 0 {
			b.Fail("%d of %d transfers of %d B have not ended", e.left, transfers, n)
		}
		return float64(n*transfers) / e.took.Us()
	})
}

// programmed is a transfer that the host starts, and whose end an interrupt reports.
type programmed struct {
	ni.DMA
	driver *host.Context
	done   bool
	ended  host.Watch
}

func (d *programmed) Transferred(*ni.DMA)        { d.driver.Interrupt() }
func (d *programmed) HostDone(*ni.DMA, sim.Time) {}

// programWords are stored to start a transfer: address, address on the card, length and
// control.
const programWords = 4

// byHost returns the rate of transfers one by one that the host starts, each from the
// first store to the driver's notice of its end.
func byHost(dir ni.Direction, n int) rate {
	return rateOf("", func(b *testbed.Testbed) float64 {
		node, d := b.Nodes[0], &programmed{DMA: ni.DMA{Dir: dir, Bytes: n}}
		d.Owner = d
		d.driver = node.Host.Go("driver", host.Handler, func(c *host.Context) {
			for {
				c.WaitInterrupt("the end of a transfer")
				d.done = true
				d.ended.Fire()
			}
		})
		var took sim.Duration
		b.Play(func(c *host.Context) {
			for range transfers {
				c.Sleep(10 * sim.Microsecond)
				began := c.Now()
				c.PIOWrite(programWords, host.Words)
				d.done = false
				for node.NIC.HostStarts(&d.DMA); !d.done; {
					c.Spin(&d.ended, "the end of a transfer")
				}
				took += c.Now().Sub(began)
			}
		})
		return float64(n*transfers) / took.Us()
	})
}

// initiators measures the longest transfer, of 32 B to 4 KB, up to which DMA started by
// the card is considerably faster both ways than DMA started by the host, in bytes. It is
// 0 if a shorter one is not, or if the two are not alike at 1 MB.
var initiators = number(func(x *study) judge.Measured {
	ok, said := true, []string{}
	for _, dir := range []ni.Direction{ni.ToNI, ni.ToHost} {
		for _, n := range []int{32, 128, 512, 1024, 4096, 1 << 20} {
			card, host := dma("", dir, n).mb(x), byHost(dir, n).mb(x)
			if n <= 4096 {
				ok = ok && card >= considerably*host
			} else {
				ok = ok && host > closeTo*card
			}
			said = append(said, fmt.Sprintf("%d B: %.1f against %.1f MB/s", n, card, host))
		}
	}
	longest := 0.0
	if ok {
		longest = 4096
	}
	return value(longest, "at least ×%g up to 4 KB, less than ×%.2f at 1 MB; to the card and back: %s", considerably, 1/closeTo, strings.Join(said, ", "))
})

// pioWords is the length of a measurement of programmed I/O.
const pioWords = 256

// pio returns the rate of a host's programmed I/O.
func pio(name string, do func(*host.Context)) rate {
	return rateOf(name, func(b *testbed.Testbed) float64 { return 4 * pioWords / b.Time(0, do).Us() })
}

// crossover is the longest block that the host loads from the card in no more
// time than the card's DMA takes to bring it, in bytes.
var crossover = number(func(x *study) (m judge.Measured) {
	for n := 4; n <= 256; n += 4 {
		us := float64(n) / dma("", ni.ToHost, n).mb(x)
		load := live(x, "vmmc", func(b *testbed.Testbed) float64 { return b.Nodes[0].Host.PIOReadTime(n / 4).Us() })
		if load > us {
			return value(float64(n-4), "%d B: %.2f µs by loads, %.2f µs by DMA", n, load, us)
		}
	}
	x.Fail("loads beat DMA up to 256 B")
	return
})

// noticed is the least increase of a host's time, in per cent, that counts as a
// slowdown.
const noticed = 5

// interference tests that arriving messages slow a host that reads its memory. Both
// use the memory bus.
var interference = test{fmt.Sprintf("at least %d %% slower", noticed), func(x *study) judge.Measured {
	us := func(messages int) float64 {
		return live(x, "vmmc", func(b *testbed.Testbed) (us float64) {
			b.Run(b.Each(0, 1, testbed.Same(host.PageBytes, messages), 0), testbed.On(1, func(c *host.Context) {
				began := c.Now()
				c.MemRead(8 << 20)
				us = c.Now().Sub(began).Us()
			}))
			return us
		})
	}
	alone := us(0)
	slower := 100 * (us(400)/alone - 1)
	return holds(slower >= noticed, "%.1f ms, and %.1f %% more while messages arrive", alone/1000, slower)
}}

// gains tests that the gain of traffic both ways over one way depends on how many
// messages the control program has in progress.
func gains(one, more change) test {
	return test{fmt.Sprintf("the first gain at least %g times the second", considerably), func(x *study) judge.Measured {
		gain := func(c change) float64 {
			mb := func(program string) float64 {
				return judge.Must(measure.Bandwidth(x.with(c).place("vmmc"), x.seed, program, 4096)).MBps
			}
			return mb(measure.Simultaneous) / mb(measure.Unidirectional)
		}
		a, b := gain(one), gain(more)
		return holds(a >= considerably*b, "×%.2f against ×%.2f", a, b)
	}}
}

// receiver measures how long the arrival of a message delays a computing host, µs.
func receiver(notify bool) test {
	return on("vmmc", "", func(b *testbed.Testbed) judge.Measured {
		const messages = 100
		to := b.Interrupting(0, 1, func(*host.Context) {})
		taken := testbeds.Taken(b, 1, 20*sim.Millisecond, testbed.On(0, func(c *host.Context) {
			for i := range messages {
				b.Depositor(0).Deposit(c, to, []int{4, 64, 1024, 4096}[i%4], notify)
				c.Sleep(100 * sim.Microsecond)
			}
		}))
		if got := b.Nodes[1].VMMC.Stats().Delivered; got != messages {
			b.Fail("%d of %d messages arrived", got, messages)
		}
		return value(taken.Us()/messages, "per message of 4 B to 4 KB")
	})
}
