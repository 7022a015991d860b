package userspace

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// transfers holds the rows of what moves data between host, card and wire.
func (r *rows) transfers() {
	l := r.comparison
	dma := func(dir ni.Direction, v change) func(n int) (float64, error) {
		return func(n int) (float64, error) { return l.dmaUs(dir, n, v) }
	}
	r.Of("us-fig2-dmamax", "DMA of 1 MB, started by the card", judge.Plain(func() (judge.Measured, error) {
		us, err := dma(ni.ToNI, unchanged)(1 << 20)
		return value((1<<20)/us, "to the card"), err
	}))
	page := func(v change) judge.Measure {
		return judge.Plain(func() (judge.Measured, error) {
			us, err := dma(ni.ToNI, v)(4096)
			if err != nil {
				return judge.Measured{}, err
			}
			most, err := dma(ni.ToNI, v)(1 << 20)
			return holds(4096/us >= 0.9*(1<<20)/most, "%.1f MB/s for 4 KB, %.1f for 1 MB", 4096/us, (1<<20)/most), err
		})
	}
	r.Versus("us-fig2-page", "DMA of 4 KB and of 1 MB", page(unchanged), string(dearDMA), page(dearDMA))
	slower := func(v change) judge.Measure {
		return judge.Plain(func() (judge.Measured, error) {
			in, err := dma(ni.ToNI, v)(1 << 20)
			if err != nil {
				return judge.Measured{}, err
			}
			out, err := dma(ni.ToHost, v)(1 << 20)
			return holds(out > in, "%.1f MB/s to the host, %.1f from it", (1<<20)/out, (1<<20)/in), err
		})
	}
	r.Versus("us-fig2-n2h", "DMA of 1 MB both ways", slower(unchanged), string(equalWays), slower(equalWays))
	r.Versus("us-fig2-rdwr", "1 KB by programmed I/O", l.pio(unchanged, readsSlower), string(fastLoads), l.pio(fastLoads, readsSlower))
	r.Versus("us-fig2-wc", "1 KB by programmed I/O", l.pio(unchanged, combiningPays), string(stores), l.pio(stores, combiningPays))
	r.Versus("us-solid-line", "loads against DMA to the host", plainly(l.crossover, unchanged), string(fastLoads), plainly(l.crossover, fastLoads))
	r.Of("us-wc-users", "O_s of 64 B with and without combining", l.combiners())
	r.Of("us-smallrange", "word by word around powers of two, pingpong", l.thresholds())
	r.Versus("us-netdma", "half a round trip of 256 B with slower engines to the wire", l.perByte(slowWire),
		string(doubleCycles), l.perByte(doubleCycles))
	r.Versus("us-membus", "a host that reads 8 MB of memory while pages arrive", r.interference(false), "memory bus without limit", r.interference(true))
	r.Versus("us-pk-fig9c", "gain of both ways over one at 4 KB: VMMC-2 with one message in progress and with eight", l.gains(unchanged, manyAtOnce),
		"with eight and with sixteen", l.gains(manyAtOnce, moreAtOnce))
}

// engine is a control program that does one thing: a transfer of its H engine.
type engine struct {
	nic          *ni.NIC
	dma          ni.DMA
	began, ended sim.Time
}

func (e *engine) Timer()                     { e.nic.HostDMA(&e.dma); e.began = e.nic.Now() }
func (e *engine) Transferred(*ni.DMA)        { e.ended = e.nic.Engine().Now() }
func (e *engine) Ready() bool                { return false }
func (e *engine) Request()                   {}
func (e *engine) HostDone(*ni.DMA, sim.Time) {}
func (e *engine) Received(*fabric.Packet)    {}
func (e *engine) Demultiplex(*fabric.Packet) {}
func (e *engine) Sent(*ni.Record, sim.Time)  {}
func (e *engine) SendIdle()                  {}
func (e *engine) Flush() int                 { return 0 }

// dmaUs is the time of one transfer, from the start command to its end.
func (l *comparison) dmaUs(dir ni.Direction, n int, v change) (float64, error) {
	p, err := l.place("vmmc", v)
	if err != nil {
		return 0, err
	}
	c, err := cluster.Warmed(cluster.Of(p, 2, l.seed, monitor.Off))
	if err != nil {
		return 0, err
	}
	defer c.Engine.Close()
	e := &engine{nic: c.Nodes[0].NIC, dma: ni.DMA{Dir: dir, Bytes: n}}
	e.nic.Load(e)
	e.nic.SetTimer(c.Engine.Now().Add(sim.Microsecond))
	err = c.Rest(100 * sim.Millisecond)
	if e.ended == 0 && err == nil {
		err = fmt.Errorf("a transfer of %d B has not ended", n)
	}
	return e.ended.Sub(e.began).Us(), err
}

// pioTimes are times of the host for one 1 KB block, µs.
type pioTimes struct{ read, write, combined float64 }

func readsSlower(t pioTimes) bool { return t.read > t.write }

func combiningPays(t pioTimes) bool { return t.write >= 2*t.combined }

// pio times programmed I/O of a live host.
func (l *comparison) pio(v change, is func(pioTimes) bool) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		const words = 256
		p, err := l.pair("vmmc", v)
		if err != nil {
			return judge.Measured{}, err
		}
		defer p.Engine.Close()
		var t pioTimes
		err = p.Run(func(c *host.Context) {
			for _, x := range []struct {
				us *float64
				do func()
			}{
				{&t.read, func() { c.PIORead(words) }},
				{&t.write, func() { c.PIOWrite(words, false) }},
				{&t.combined, func() { c.PIOWrite(words, true) }},
			} {
				began := c.Now()
				x.do()
				*x.us = c.Now().Sub(began).Us()
			}
		})
		return holds(is(t), "loads %.1f MB/s, stores %.1f, combined stores %.1f", 4*words/t.read, 4*words/t.write, 4*words/t.combined), err
	})
}

// crossover is the longest block that the host loads from the card in no more
// time than the card's DMA takes to bring it, in bytes.
func (l *comparison) crossover(_ context.Context, v change) (judge.Measured, error) {
	p, err := l.pair("vmmc", v)
	if err != nil {
		return judge.Measured{}, err
	}
	defer p.Engine.Close()
	for n := 4; n <= 256; n += 4 {
		us, err := l.dmaUs(ni.ToHost, n, v)
		if err != nil {
			return judge.Measured{}, err
		}
		if load := p.Nodes[0].Host.PIOReadTime(n / 4).Us(); load > us {
			return value(float64(n-4), "%d B: %.2f µs by loads, %.2f µs by DMA", n, load, us), nil
		}
	}
	return judge.Measured{}, fmt.Errorf("loads beat DMA up to 256 B")
}

// combiners counts the layers whose sends take longer when stores are not
// combined.
func (l *comparison) combiners() judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		var who []string
		for _, layer := range compared {
			with, err := l.overheads(ctx, layer, methodBytes, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			without, err := l.overheads(ctx, layer, methodBytes, stores)
			if err != nil {
				return judge.Measured{}, err
			}
			if without.os > 1.1*with.os {
				who = append(who, layer)
			}
		}
		return value(float64(len(who)), "%s", strings.Join(who, ", ")), nil
	}
}

// thresholds finds where layers change from programmed I/O to DMA, in bytes:
// the size that lies farthest out.
func (l *comparison) thresholds() judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		least, most := int64(1<<20), int64(0)
		var said []string
		for _, layer := range []string{"gam", "bip", "vmmc"} {
			points, err := l.curve(curveKey{layer: layer, test: measure.PingPong, sizes: around})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			at := jumpOf(points).bytes
			least, most = min(least, at), max(most, at)
			said = append(said, fmt.Sprintf("%s %d B", layer, at))
		}
		return farther(float64(least), float64(most), 32, strings.Join(said, ", ")), nil
	}
}

// perByte tells whether a change slows short messages of all layers by what
// their bytes take longer at four fifths of the rate of the engines.
func (l *comparison) perByte(v change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		const n = 256
		ok := true
		by := make([]float64, len(compared))
		for i, layer := range compared {
			p, err := l.place(layer, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			want := (1/0.8 - 1) * n / p.Profile.NI.NetDMAMBps // headers add to it
			before, err := l.overheads(ctx, layer, n, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			after, err := l.overheads(ctx, layer, n, v)
			if err != nil {
				return judge.Measured{}, err
			}
			by[i] = after.half - before.half
			ok = ok && by[i] >= 0.8*want && by[i] <= 1.5*want
		}
		return holds(ok, "half a round trip grows by %s", labelled(by, "µs")), nil
	}
}

// interference is that a host which only computes is slowed by messages that
// arrive, as both use its memory bus.
func (r *rows) interference(unlimited bool) judge.Measure {
	spec := bare
	spec.Platform, spec.Seed, spec.Cluster = pairPlatform, r.seed, freeMemory(unlimited)
	return func(ctx context.Context) (judge.Measured, error) {
		var took [2]sim.Duration
		for i, messages := range []int{0, 400} {
			var err error
			took[i], err = testbed.With(ctx, spec, func(b *testbed.Bed) (took sim.Duration) {
				b.Run(b.Each(0, 1, testbed.Same(host.PageBytes, messages), 0), testbed.On(1, func(c *host.Context) {
					began := c.Now()
					c.MemRead(8 << 20)
					took = c.Now().Sub(began)
				}))
				return took
			})
			if err != nil {
				return judge.Measured{}, err
			}
		}
		slower := 100 * (took[1].Us()/took[0].Us() - 1)
		return holds(slower >= 5, "%.1f ms, and %.1f %% more while messages arrive", took[0].Us()/1000, slower), nil
	}
}

// gains tells whether what a test both ways gains over one way depends on what
// the control program does at the same time.
func (l *comparison) gains(one, more change) judge.Measure {
	const n = 4096
	return judge.Plain(func() (judge.Measured, error) {
		var gain [2]float64
		for i, v := range []change{one, more} {
			p, err := l.place("vmmc", v)
			if err != nil {
				return judge.Measured{}, err
			}
			both, err := measure.Bandwidth(p, l.seed, measure.Simultaneous, n)
			if err != nil {
				return judge.Measured{}, err
			}
			single, err := measure.Bandwidth(p, l.seed, measure.Unidirectional, n)
			if err != nil {
				return judge.Measured{}, err
			}
			gain[i] = both.MBps / single.MBps
		}
		return holds(gain[0] >= considerably*gain[1], "×%.2f against ×%.2f", gain[0], gain[1]), nil
	})
}

// freeMemory gives memory buses infinite capacity, if so asked.
func freeMemory(yes bool) func(*cluster.Spec) {
	return func(s *cluster.Spec) { s.Hosts.MemBus = yes }
}
