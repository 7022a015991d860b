package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// hardware reads the properties of both machines off live clusters. Most of
// them were put into a profile, so that they prove nothing (calibratedRows);
// that they are what the cluster runs with is checked all the same.
func (r *rows) hardware() {
	for _, p := range []struct{ prefix, platform string }{{"sh-", "shrimp"}, {"us-", "ppro"}} {
		r.live(p.prefix+"cpu", "cycle count", p.platform, cpuMHz)
		r.live(p.prefix+"l2", "host", p.platform, func(b *bed) (judge.Measured, error) {
			return value(float64(b.Nodes[0].Host.Spec().L2KB), ""), nil
		})
		r.live(p.prefix+"sram", "SRAM allocation", p.platform, sramMB)
	}
	r.live("sh-nodes", "cluster", "shrimp", oneSwitch)
	card := func(f func(*bed) float64) func(*bed) (judge.Measured, error) {
		return func(b *bed) (judge.Measured, error) { return value(f(b), ""), nil }
	}
	clockMHz := card(func(b *bed) float64 { return float64(b.Nodes[0].NIC.Spec().ClockHz) / 1e6 })
	r.live("sh-lanai", "card", "shrimp", clockMHz)
	r.live("us-lanai-clk", "card", "ppro", clockMHz)
	r.live("us-lanai-bit", "card", "ppro", card(func(b *bed) float64 {
		s := b.Nodes[0].NIC.Spec() // an engine moves a word per cycle
		return 8 * s.NetDMAMBps * 1e6 / float64(s.ClockHz)
	}))
	r.live("us-ebus", "card", "ppro", card(func(b *bed) float64 {
		s := b.Nodes[0].NIC.Spec()
		return s.SRAMBusMBps * 1e6 / 4 / float64(s.ClockHz)
	}))
	r.live("us-pcibw", "host", "ppro", card(pciMBps))
	r.live("us-pciw", "host", "ppro", card(func(*bed) float64 { return 8 * host.WordBytes }))
	r.live("us-pciclk", "host", "ppro", card(func(b *bed) float64 {
		return pciMBps(b) / host.WordBytes
	}))
	r.live("sh-irq", "interrupt of a computing program", "shrimp", interruptUs)
	r.live("sh-pioread-d", "programmed reads", "shrimp", readUs)
	r.add("sh-dma-small", "deposits of every length below 128 B", r.idle("shrimp", smallDMA))
	r.live("sh-dma-vs-pio", "deposits against programmed reads", "shrimp", crossover)
	r.engines()
}

// live measures a row on an idle bed of its platform's size.
func (r *rows) live(id, experiment, platform string, f func(*bed) (judge.Measured, error)) {
	r.add(id, experiment, r.idle(platform, f))
}

func (r *rows) idle(platform string, f func(*bed) (judge.Measured, error)) judge.Measure {
	spec := bedSpec{platform: platform}
	if platform == DefaultPlatform {
		spec.nodes = 8
	}
	return r.on(spec, f)
}

// oneSwitch counts the nodes that the platform builds by default, of which
// each reaches each other by its own link, one switch and the other's link.
func oneSwitch(b *bed) (judge.Measured, error) {
	if b.profile.Nodes != len(b.Nodes) {
		return value(float64(b.profile.Nodes), "by default"), nil
	}
	for i := range b.Nodes {
		for j := range b.Nodes {
			if i != j && len(b.Net.Route(i, j)) != 2 {
				return value(0, "node %d reaches node %d by %d links", i, j, len(b.Net.Route(i, j))), nil
			}
		}
	}
	return value(float64(len(b.Nodes)), "all on one switch"), nil
}

func cpuMHz(b *bed) (judge.Measured, error) {
	const cycles = 1_000_000
	var took sim.Duration
	err := b.run(nodeProgram{0, func(c *host.Context) {
		begin := c.Now()
		c.Compute(host.Work{Cycles: cycles})
		took = c.Now().Sub(begin)
	}})
	return value(cycles/took.Us(), ""), err
}

// sramMB finds out how much SRAM there is by taking the rest of it.
func sramMB(b *bed) (judge.Measured, error) {
	n := b.Nodes[0].NIC
	free := n.SRAM().Free()
	if err := n.SRAM().Reserve("row", free); err != nil {
		return judge.Measured{}, err
	}
	if n.SRAM().Reserve("row", 1) == nil {
		return judge.Measured{}, fmt.Errorf("SRAM gives more than it has")
	}
	return value(float64(n.Spec().SRAMBytes)/(1<<20), "%d KB of it free under the full monitor", free/1024), nil
}

func pciMBps(b *bed) float64 { return float64(b.Nodes[0].Host.Spec().IOBus) / 1e6 }

// interruptUs is what an interrupt costs that does nothing: the wait for its
// delivery and the time taken from a computing program.
func interruptUs(b *bed) (judge.Measured, error) {
	const work = 10 * sim.Millisecond
	h := b.Nodes[0].Host
	var raised, served sim.Time
	var took sim.Duration
	handler := h.Go("row handler", host.Handler, func(c *host.Context) {
		c.WaitInterrupt("the row's interrupt")
		served = c.Now()
	})
	err := b.run(
		nodeProgram{0, func(c *host.Context) {
			begin := c.Now()
			c.Compute(host.Work{Time: work})
			took = c.Now().Sub(begin)
		}},
		nodeProgram{1, func(c *host.Context) {
			c.Sleep(work / 2)
			raised = c.Now()
			handler.Interrupt()
		}},
	)
	delivery := h.Spec().Interrupt.Delivery
	return value((took - work + delivery).Us(), "%.0f µs from the device to its handler, %.0f µs taken from the program",
		served.Sub(raised).Us(), (took - work).Us()), err
}

func readUs(b *bed) (judge.Measured, error) {
	const words = 1000
	var took sim.Duration
	err := b.run(nodeProgram{0, func(c *host.Context) {
		begin := c.Now()
		c.PIORead(words)
		took = c.Now().Sub(begin)
	}})
	return value(took.Us()/words, ""), err
}

// smallDMA is what the firmware takes to bring a short packet into host
// memory: acceptance, translation, the transfer and noticing its end.
func smallDMA(b *bed) (judge.Measured, error) {
	var sizes []int
	for n := 4; n < 128; n += 4 {
		sizes = append(sizes, n)
	}
	if err := b.run(b.each(0, 1, sizes, quiet)); err != nil {
		return judge.Measured{}, err
	}
	m, err := b.moments(histo.Query{Stage: trace.Dest})
	return value(m.MeanNs/1000, "Dest of %d packets", m.Count), err
}

// crossover is the longest block that the host reads word by word in no more
// time than the interface's DMA takes to bring it.
func crossover(b *bed) (judge.Measured, error) {
	word := b.Nodes[0].Host.PIOReadTime(1).Us()
	for words := 1; words <= 32; words++ {
		for _, n := range b.Nodes {
			n.Monitor.Reset()
		}
		if err := b.run(b.each(0, 1, same(4*words, 50), quiet)); err != nil {
			return judge.Measured{}, err
		}
		m, err := b.moments(histo.Query{Stage: trace.Dest})
		if err != nil {
			return judge.Measured{}, err
		}
		if read := word * float64(words); m.MeanNs/1000 < read {
			return value(float64(words-1), "%d words: %.2f µs by DMA, %.2f µs by reads", words, m.MeanNs/1000, read), nil
		}
	}
	return judge.Measured{}, fmt.Errorf("reads beat DMA up to 32 words")
}

// engines finds out how many DMA engines work at the same time in a stream
// both ways, at one card and at both together.
func (r *rows) engines() {
	streams := judge.Once(func(context.Context) ([3]int, error) {
		b, err := newBed(r.seed, bedSpec{platform: "ppro", build: BuildOff, bytes: 64 << 10})
		if err != nil {
			return [3]int{}, err
		}
		defer b.Engine.Close()
		w := b.watch()
		err = b.run(b.each(0, 1, same(64<<10, 20), 0), b.each(1, 0, same(64<<10, 20), 0))
		return w.engines(b), err
	})
	r.add("us-dmaeng", "streams both ways", read(streams, func(n [3]int) (judge.Measured, error) {
		return value(float64(n[0]), "busy at one card at the same time"), nil
	}))
	r.add("us-six-dma", "streams both ways", read(streams, func(n [3]int) (judge.Measured, error) {
		return value(float64(n[2]), "busy at both cards at the same time"), nil
	}))
}

// engines returns how many engines were busy at the same time at most: at
// each of the two cards, and at both.
func (w *witness) engines(b *bed) (most [3]int) {
	type change struct {
		at  sim.Time
		by  int
		nic int
	}
	var list []change
	add := func(nic int, from, to sim.Time) {
		list = append(list, change{from, 1, nic}, change{to, -1, nic})
	}
	for i, n := range b.Nodes {
		for _, d := range w.dmas[i] {
			rate := sim.MBps(max(n.NIC.Spec().HostDMAToNIMBps, n.NIC.Spec().HostDMAToHostMBps))
			add(i, d.end.Add(-rate.Time(d.bytes)), d.end) // at least so long
		}
	}
	for _, p := range w.packets {
		flight := p.t5.Sub(p.t4)
		add(p.src, p.t3, p.t4)
		add(p.dst, p.t3.Add(flight), p.t5)
	}
	slices.SortStableFunc(list, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.by, y.by)) // ends first
	})
	var busy [2]int
	for _, c := range list {
		busy[c.nic] += c.by
		most[c.nic] = max(most[c.nic], busy[c.nic])
		most[2] = max(most[2], busy[0]+busy[1])
	}
	return most
}
