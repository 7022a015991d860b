package userspace

import (
	"cmp"
	"context"
	"slices"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// hardware reads the properties of the machine off a live pair. Most of them
// set a parameter and prove nothing; that the pair runs with them is checked
// all the same.
func (r *rows) hardware() {
	number := func(f func(*testbed.Bed) float64) judge.Measure { return r.bed(testbed.Spec{}, beds.Number(f)) }
	r.Of("us-cpu", "cycle count", number(beds.CPUMHz))
	r.Of("us-l2", "host", number(beds.L2KB))
	r.Of("us-sram", "SRAM allocation", r.bed(testbed.Spec{}, beds.SRAMMB))
	r.Of("us-lanai-clk", "card", number(beds.CardMHz))
	r.Of("us-lanai-bit", "card", number(func(b *testbed.Bed) float64 { // an engine moves a word per cycle
		return 8 * b.Nodes[0].NIC.Spec().NetDMAMBps / beds.CardMHz(b)
	}))
	r.Of("us-ebus", "card", number(func(b *testbed.Bed) float64 {
		return b.Nodes[0].NIC.Spec().SRAMBusMBps / 4 / beds.CardMHz(b)
	}))
	pci := func(b *testbed.Bed) float64 { return float64(b.Nodes[0].Host.Spec().IOBus) / 1e6 }
	r.Of("us-pcibw", "host", number(pci))
	r.Of("us-pciw", "host", number(func(*testbed.Bed) float64 { return 8 * host.WordBytes }))
	r.Of("us-pciclk", "host", number(func(b *testbed.Bed) float64 { return pci(b) / host.WordBytes }))

	streams := judge.Once(func(ctx context.Context) ([3]int, error) {
		return testbed.With(ctx, testbed.Spec{Platform: pairPlatform, Seed: r.seed, Monitor: "off", Bytes: 64 << 10}, busyEngines)
	})
	r.Of("us-dmaeng", "streams both ways", judge.Read(streams, func(n [3]int) (judge.Measured, error) {
		return value(float64(n[0]), "busy at one card at the same time"), nil
	}))
	r.Of("us-six-dma", "streams both ways", judge.Read(streams, func(n [3]int) (judge.Measured, error) {
		return value(float64(n[2]), "busy at both cards at the same time"), nil
	}))
}

// busyEngines returns how many DMA engines work at the same time at most in
// streams both ways: at each of the two cards, and at both together.
func busyEngines(b *testbed.Bed) (most [3]int) {
	w := b.Watch()
	b.Run(b.Each(0, 1, testbed.Same(64<<10, 20), 0), b.Each(1, 0, testbed.Same(64<<10, 20), 0))
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
		for _, d := range w.DMAs[i] {
			rate := sim.MBps(max(n.NIC.Spec().HostDMAToNIMBps, n.NIC.Spec().HostDMAToHostMBps))
			add(i, d.End.Add(-rate.Time(d.Bytes)), d.End) // at least so long
		}
	}
	for _, p := range w.Packets {
		flight := p.T5.Sub(p.T4)
		add(p.Src, p.T3, p.T4)
		add(p.Dst, p.T3.Add(flight), p.T5)
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
