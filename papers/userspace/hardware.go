package userspace

import (
	"cmp"
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
	pci := func(b *testbed.Bed) float64 { return float64(b.Nodes[0].Host.Spec().IOBus) / 1e6 }
	for _, x := range []struct {
		id, from string
		of       func(*testbed.Bed) float64
	}{
		{"us-cpu", "cycle count", beds.CPUMHz},
		{"us-l2", "host", beds.L2KB},
		{"us-lanai-clk", "card", beds.CardMHz},
		// An engine moves a word per cycle.
		{"us-lanai-bit", "card", func(b *testbed.Bed) float64 { return 8 * b.Nodes[0].NIC.Spec().NetDMAMBps / beds.CardMHz(b) }},
		{"us-ebus", "card", func(b *testbed.Bed) float64 { return b.Nodes[0].NIC.Spec().SRAMBusMBps / 4 / beds.CardMHz(b) }},
		{"us-pcibw", "host", pci},
		{"us-pciw", "host", func(*testbed.Bed) float64 { return 8 * host.WordBytes }},
		{"us-pciclk", "host", func(b *testbed.Bed) float64 { return pci(b) / host.WordBytes }},
		{"us-link", "link", func(b *testbed.Bed) float64 { return 8 * float64(b.Net.Spec().LinkRate) / 1e9 }},
		{"us-switch", "switch", func(b *testbed.Bed) float64 { return b.Net.Spec().SwitchDelay.Us() }},
	} {
		r.of(x.id, x.from, on("vmmc", "", beds.Number(x.of)))
	}
	r.of("us-sram", "SRAM allocation", number(func(x *study) judge.Measured {
		return live(x, "vmmc", beds.SRAMMB, func(s *testbed.Spec) { s.Monitor = "full" })
	}))
	for id, at := range map[string]int{"us-dmaeng": 0, "us-six-dma": 2} {
		r.of(id, "streams both ways", on("vmmc", "", func(b *testbed.Bed) judge.Measured {
			n := busyEngines(b)
			return value(float64(n[at]), "busy at the same time: %d at one card, %d at the other, %d at both", n[0], n[1], n[2])
		}))
	}
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
