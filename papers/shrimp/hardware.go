package shrimp

import (
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// hardware holds the rows of the machine's properties, read from a live cluster of
// its size. Most of these rows set a parameter, so that they only prove that the
// cluster runs with it.
func (r *rows) hardware() {
	row := func(id, experiment string, f func(*testbed.Testbed) judge.Measured) {
		r.Of(id, experiment, r.testbed(testbed.Spec{Nodes: testbed.AllNodes}, f))
	}
	row("sh-nodes", "cluster", oneSwitch)
	row("sh-cpu", "cycle count", testbeds.Number(testbeds.CPUMHz))
	row("sh-l2", "host", testbeds.Number(testbeds.L2KB))
	row("sh-mem", "host", testbeds.Number(func(b *testbed.Testbed) float64 { return float64(b.Nodes[0].Host.Spec().MemoryMB) }))
	row("sh-lanai", "card", testbeds.Number(testbeds.CardMHz))
	row("sh-sram", "SRAM allocation", testbeds.SRAMMB)
	row("sh-irq", "interrupt of a computing program", interruptUs)
	row("sh-pioread-d", "programmed reads", testbeds.Number(readUs))
	row("sh-dma-small", "deposits of every length below 128 B", smallDMA)
	row("sh-dma-vs-pio", "deposits against programmed reads", crossover)
}

// oneSwitch counts the nodes of the platform. The route between any two of them
// has two links and the one switch.
func oneSwitch(b *testbed.Testbed) judge.Measured {
	for i := range b.Nodes {
		for j := range b.Nodes {
			if links := len(b.Net.Route(i, j)); i != j && links != 2 {
				b.Fail("node %d reaches node %d by %d links, want 2", i, j, links)
			}
		}
	}
	return value(float64(len(b.Nodes)), "all on one switch")
}

// interruptUs returns the cost of an interrupt whose handler does nothing: the wait
// for its delivery, and the time that a computing program loses.
func interruptUs(b *testbed.Testbed) judge.Measured {
	const work = 10 * sim.Millisecond
	h := b.Nodes[0].Host
	handler := h.Go("row handler", host.Handler, func(c *host.Context) { c.WaitInterrupt("the row's interrupt") })
	taken := testbeds.Taken(b, 0, work, testbed.On(1, func(c *host.Context) {
		c.Sleep(work / 2)
		handler.Interrupt()
	}))
	return value((taken + h.Spec().Interrupt.Delivery).Us(), "%.0f µs of it taken from the program", taken.Us())
}

// readUs returns the time of a programmed read of a word.
func readUs(b *testbed.Testbed) float64 {
	const words = 1000
	return b.Time(0, func(c *host.Context) { c.PIORead(words) }).Us() / words
}

// smallDMA returns the time in which the firmware brings a short packet into host
// memory, in µs: it accepts the packet, translates the address, starts the transfer
// and notices its end.
func smallDMA(b *testbed.Testbed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Lengths(124), testbed.Quiet))
	m := b.Moments(histo.Query{Stage: trace.Dest})
	return value(m.MeanNs/1000, "Dest of %d packets", m.Count)
}

// crossover returns the longest block, in words, that the host reads word by word
// at least as fast as the interface brings it by DMA.
func crossover(b *testbed.Testbed) judge.Measured {
	word := b.Nodes[0].Host.PIOReadTime(1).Us()
	for words := 1; words <= 32; words++ {
		b.Reset()
		b.Run(b.Each(0, 1, testbed.Same(4*words, 50), testbed.Quiet))
		dma, read := b.Moments(histo.Query{Stage: trace.Dest}).MeanNs/1000, word*float64(words)
		if dma < read {
			return value(float64(words-1), "%d words: %.2f µs by DMA, %.2f µs by reads", words, dma, read)
		}
	}
	b.Fail("programmed reads are as fast as DMA up to 32 words, want fewer")
	return judge.Measured{}
}
