package userspace

import (
	"fmt"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// transfers holds the rows of what moves data between host and card.
func (r *rows) transfers() {
	page, fetch, back := dma("4 KB to the card", ni.ToNI, 4096), dma("1 MB to the card", ni.ToNI, 1<<20), dma("1 MB to the host", ni.ToHost, 1<<20)
	loaded := pio("loads", func(c *host.Context) { c.PIORead(pioWords) })
	stored := pio("stores", func(c *host.Context) { c.PIOWrite(pioWords, false) })
	combined := pio("combined stores", func(c *host.Context) { c.PIOWrite(pioWords, true) })
	r.of("us-fig2-dmamax", "DMA of 1 MB, started by the card", number(func(x *study) judge.Measured { return value(fetch.mb(x), "%s", fetch.name) }))
	r.changed("us-fig2-page", "DMA of 4 KB and of 1 MB", faster(page, closeTo, fetch), "DMA that takes ten times as long to start")
	r.changed("us-fig2-n2h", "DMA of 1 MB both ways", faster(fetch, 1, back), "DMA to the host as fast as from it")
	r.changed("us-fig2-rdwr", "1 KB by programmed I/O", faster(stored, 1, loaded), fastLoads)
	r.changed("us-fig2-wc", "1 KB by programmed I/O", faster(combined, greatly, stored), stores)
	r.changed("us-solid-line", "loads against DMA to the host", crossover, fastLoads)
	r.changed("us-membus", "a host that reads 8 MB of memory while pages arrive", interference, "a memory bus of a hundred times the rate")
	r.versus("us-pk-fig9c", "gain of both ways over one at 4 KB: VMMC-2 with one message in progress and with eight", gains(unchanged, manyAtOnce),
		"with eight and with sixteen", gains(manyAtOnce, "VMMC-2 with sixteen messages in progress"))
	r.versus("us-or-vmmc", "computing while messages arrive", receiver(false), "messages with notification", receiver(true))
}

const (
	closeTo = 0.9 // of a plateau
	greatly = 2   // times as fast
)

// rate is that of a transfer, MB/s.
type rate struct {
	name string
	mb   func(*study) float64
}

func rateOf(name string, f func(*testbed.Bed) float64) rate {
	return rate{name, func(x *study) float64 { return live(x, "vmmc", f) }}
}

// faster tests that a rate is more than some times another.
func faster(a rate, times float64, b rate) test {
	return test{fmt.Sprintf("%s at over %g times the rate of %s", a.name, times, b.name), func(x *study) judge.Measured {
		mbA, mbB := a.mb(x), b.mb(x)
		return holds(mbA > times*mbB, "%s %.1f MB/s, %s %.1f", a.name, mbA, b.name, mbB)
	}}
}

// engine is VMMC-2's control program, which a timer makes start a transfer of
// its own.
type engine struct {
	ni.Program
	nic          *ni.NIC
	dma          ni.DMA
	began, ended sim.Time
}

func (e *engine) Timer()                     { e.nic.HostDMA(&e.dma); e.began = e.nic.Now() }
func (e *engine) Transferred(*ni.DMA)        { e.ended = e.nic.Engine().Now() }
func (e *engine) HostDone(*ni.DMA, sim.Time) {}

// dma is the rate of one transfer, from the start command to its end.
func dma(name string, dir ni.Direction, n int) rate {
	return rateOf(name, func(b *testbed.Bed) float64 {
		node := b.Nodes[0]
		e := &engine{Program: node.VMMC, nic: node.NIC, dma: ni.DMA{Dir: dir, Bytes: n}}
		e.nic.Load(e)
		e.nic.SetTimer(b.Engine.Now().Add(sim.Microsecond))
		b.Rest(100 * sim.Millisecond)
		if e.ended == 0 {
			b.Fail("a transfer of %d B has not ended", n)
		}
		return float64(n) / e.ended.Sub(e.began).Us()
	})
}

// pioWords is what the host's programmed I/O moves.
const pioWords = 256

// pio is the rate of a host's programmed I/O.
func pio(name string, do func(*host.Context)) rate {
	return rateOf(name, func(b *testbed.Bed) float64 { return 4 * pioWords / b.Time(0, do).Us() })
}

// crossover is the longest block that the host loads from the card in no more
// time than the card's DMA takes to bring it, in bytes.
var crossover = number(func(x *study) (m judge.Measured) {
	for n := 4; n <= 256; n += 4 {
		us := float64(n) / dma("", ni.ToHost, n).mb(x)
		load := live(x, "vmmc", func(b *testbed.Bed) float64 { return b.Nodes[0].Host.PIOReadTime(n / 4).Us() })
		if load > us {
			return value(float64(n-4), "%d B: %.2f µs by loads, %.2f µs by DMA", n, load, us)
		}
	}
	x.Fail("loads beat DMA up to 256 B")
	return
})

// noticed is the least per cent by which a host is called slowed.
const noticed = 5

// interference tests that arriving messages slow a host that reads its memory,
// because both use the memory bus.
var interference = test{fmt.Sprintf("at least %d %% slower", noticed), func(x *study) judge.Measured {
	us := func(messages int) float64 {
		return live(x, "vmmc", func(b *testbed.Bed) (us float64) {
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
				p, err := measure.Bandwidth(x.with(c).place("vmmc"), x.seed, program, 4096)
				x.Check(err)
				return p.MBps
			}
			return mb(measure.Simultaneous) / mb(measure.Unidirectional)
		}
		a, b := gain(one), gain(more)
		return holds(a >= considerably*b, "×%.2f against ×%.2f", a, b)
	}}
}

// receiver measures how long the arrival of a message delays a computing host, µs.
func receiver(notify bool) test {
	return on("vmmc", "", func(b *testbed.Bed) judge.Measured {
		const messages = 100
		to := b.Interrupting(0, 1, func(*host.Context) {})
		taken := beds.Taken(b, 1, 20*sim.Millisecond, testbed.On(0, func(c *host.Context) {
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
