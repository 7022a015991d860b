package shrimp

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// hardware reads the properties of the machine off a live cluster of the
// paper's size. Most of them set a parameter and prove nothing; that the
// cluster runs with them is checked all the same.
func (r *rows) hardware() {
	eight := testbed.Spec{Nodes: 8}
	r.Of("sh-nodes", "cluster", r.bed(eight, oneSwitch))
	r.Of("sh-cpu", "cycle count", r.bed(eight, beds.Number(beds.CPUMHz)))
	r.Of("sh-l2", "host", r.bed(eight, beds.Number(beds.L2KB)))
	r.Of("sh-lanai", "card", r.bed(eight, beds.Number(beds.CardMHz)))
	r.Of("sh-sram", "SRAM allocation", r.bed(eight, beds.SRAMMB))
	r.Of("sh-irq", "interrupt of a computing program", r.bed(eight, interruptUs))
	r.Of("sh-pioread-d", "programmed reads", r.bed(eight, beds.Number(readUs)))
	r.Of("sh-dma-small", "deposits of every length below 128 B", r.bed(eight, smallDMA))
	r.Of("sh-dma-vs-pio", "deposits against programmed reads", r.bed(eight, crossover))
}

// oneSwitch counts the nodes that the platform builds by default, of which
// each reaches each other by its own link, one switch and the other's link.
func oneSwitch(b *testbed.Bed) judge.Measured {
	if b.Place.Nodes != len(b.Nodes) {
		return value(float64(b.Place.Nodes), "by default")
	}
	for i := range b.Nodes {
		for j := range b.Nodes {
			if i != j && len(b.Net.Route(i, j)) != 2 {
				return value(0, "node %d reaches node %d by %d links", i, j, len(b.Net.Route(i, j)))
			}
		}
	}
	return value(float64(len(b.Nodes)), "all on one switch")
}

// interruptUs is what an interrupt costs that does nothing: the wait for its
// delivery and the time taken from a computing program.
func interruptUs(b *testbed.Bed) judge.Measured {
	const work = 10 * sim.Millisecond
	h := b.Nodes[0].Host
	var raised, served sim.Time
	handler := h.Go("row handler", host.Handler, func(c *host.Context) {
		c.WaitInterrupt("the row's interrupt")
		served = c.Now()
	})
	taken := beds.Taken(b, 0, work, testbed.On(1, func(c *host.Context) {
		c.Sleep(work / 2)
		raised = c.Now()
		handler.Interrupt()
	}))
	return value((taken + h.Spec().Interrupt.Delivery).Us(), "%.0f µs from the device to its handler, %.0f µs taken from the program",
		served.Sub(raised).Us(), taken.Us())
}

// readUs is the time of a programmed read of a word.
func readUs(b *testbed.Bed) float64 {
	const words = 1000
	return b.Time(0, func(c *host.Context) { c.PIORead(words) }).Us() / words
}

// smallDMA is what the firmware takes to bring a short packet into host
// memory: acceptance, translation, the transfer and noticing its end.
func smallDMA(b *testbed.Bed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Lengths(124), testbed.Quiet))
	m := b.Moments(histo.Query{Stage: trace.Dest})
	return value(m.MeanNs/1000, "Dest of %d packets", m.Count)
}

// crossover is the longest block that the host reads word by word in no more
// time than the interface's DMA takes to bring it.
func crossover(b *testbed.Bed) judge.Measured {
	word := b.Nodes[0].Host.PIOReadTime(1).Us()
	for words := 1; words <= 32; words++ {
		b.Reset()
		b.Run(b.Each(0, 1, testbed.Same(4*words, 50), testbed.Quiet))
		dma, read := b.Moments(histo.Query{Stage: trace.Dest}).MeanNs/1000, word*float64(words)
		if dma < read {
			return value(float64(words-1), "%d words: %.2f µs by DMA, %.2f µs by reads", words, dma, read)
		}
	}
	b.Fail("reads beat DMA up to 32 words")
	return judge.Measured{}
}
