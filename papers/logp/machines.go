package logp

import (
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim/host"
)

// Rows returns the checks of the assessment's rows. No experiment runs before a row
// is judged.
func Rows(seed uint64) judge.Rows {
	r := rows{judge.Rows{}, session{seed: seed, known: judge.Memory{}}}
	for _, add := range []func(rows){
		rows.machines, rows.parameters, rows.variants, rows.shapes, rows.patterns, rows.method, rows.causes, rows.messages, rows.bulk,
	} {
		add(r)
	}
	return r.Rows
}

// machines adds the rows of the machines themselves (logp, Tables 1 and 2,
// sections 2.3 and 3.4), read from live clusters.
func (r rows) machines() {
	cpuMHz := func(b *testbed.Testbed) float64 {
		f := b.Nodes[0].Host.Spec().Clock
		return float64(f.Num) / float64(f.Den) / 1e6
	}
	linkMBps := func(b *testbed.Testbed) float64 { return float64(b.Net.Spec().LinkRate) / 1e6 }
	short := map[string]string{paragon: "par", meiko: "mei", myrinet: "myr", meiko50: "m50", myrinet10: "m10"}
	live := func(id, what, name string, of func(*testbed.Testbed) float64) {
		s := testbed.Spec{Platform: name, Nodes: testbed.AllNodes, Seed: r.session.seed, Monitor: "off"}
		r.Of("logp-"+id, what, testbeds.On(s, testbeds.Number(of)))
	}
	for name, id := range short {
		live(id+"-cpu", "CPU", name, cpuMHz)
	}
	for _, name := range assessed {
		live(short[name]+"-bw", "link", name, linkMBps)
	}
	live("par-niclk", "interface", paragon, testbeds.CardMHz)
	live("mei-busclk", "interface", meiko, testbeds.CardMHz)
	live("m50-busclk", "interface", meiko50, testbeds.CardMHz)
	live("par-dma", "interface", paragon, func(b *testbed.Testbed) float64 { return float64(b.Nodes[0].NIC.Spec().HostEngines) })
	live("mei-net", "network", meiko, func(b *testbed.Testbed) float64 { return float64(b.Net.Spec().Trees) })
	live("myr-switch", "switch", myrinet, func(b *testbed.Testbed) float64 { return float64(b.Place.Network.Radix) })
	live("nodes-max", "cluster", myrinet, func(b *testbed.Testbed) float64 { return float64(len(b.Nodes)) })
	live("bulk-nmax", "longest store", myrinet, func(b *testbed.Testbed) float64 { return float64(b.Endpoint(0).Traits().MaxBytes) })
	of(r, "logp-myr-niclk", "interface", busClock, myrinet)
	for id, p := range map[string]position{"logp-par-ni": {paragon, memoryBus, ""}, "logp-mei-ni": {meiko, memoryBus, ""}, "logp-myr-ni": {myrinet, ioBus, ""}} {
		of(r, id, "time of an empty poll", connected, p)
	}
	const what = "place and processor of the interface"
	versus(r, "logp-t1-myrinet", what, placed, position{myrinet, ioBus, embedded}, "the Paragon's", position{paragon, ioBus, embedded})
	versus(r, "logp-t1-meikocs2", what, placed, position{meiko, memoryBus, embedded}, "Myrinet's", position{myrinet, memoryBus, embedded})
	versus(r, "logp-t1-intelparagon", what, placed, position{paragon, memoryBus, generalPurpose}, "the Meiko's", position{meiko, memoryBus, generalPurpose})
}

// busClock states that the interface's processor runs at the clock rate of the I/O
// bus.
func busClock(s session, name string) judge.Measured {
	p := s.subject(name).Profile
	card, bus := judge.Fig("interface processor", float64(p.NI.ClockHz)/1e6, "MHz"), judge.Fig("bus of four bytes", float64(p.Host.IOBus)/4e6, "MHz")
	return judge.All(judge.Near(card, bus, 0.1))
}

// position is the expected place of a machine's interface, and its processor (logp,
// Table 1).
type position struct{ name, bus, processor string }

const (
	ioBus          = "I/O bus"
	memoryBus      = "memory bus"
	embedded       = "embedded processor"
	generalPurpose = "general-purpose microprocessor"
)

// placed states on which bus an interface is and which processor it has. A card on
// the I/O bus holds the queues in its own memory; one on the memory bus reads them
// from host memory. A general-purpose processor reads whole cache lines and has the
// clock rate of the main processor.
func placed(s session, want position) judge.Measured {
	p := s.subject(want.name).Profile
	asHost := p.NI.Queues.UnitBytes == p.Host.CacheLine && float64(p.NI.ClockHz) == float64(p.Host.Clock.Num)/float64(p.Host.Clock.Den)
	processor := map[bool]string{true: generalPurpose, false: embedded}[asHost]
	return judge.All(at(p.NI.Queues.InSRAM(), want), judge.True(processor == want.processor, "with the "+want.processor, "%s", processor))
}

// at claims that an interface is where it is expected.
func at(onIOBus bool, want position) judge.Claim {
	bus := map[bool]string{true: ioBus, false: memoryBus}[onIOBus]
	return judge.True(bus == want.bus, "on the "+want.bus, "on the %s", bus)
}

// connected states on which bus an interface is, by the time of an empty poll: only
// across the I/O bus does the CPU wait for a word.
func connected(s session, want position) judge.Measured {
	lookUs := calls(s, want.name, 2, 0, func(t *testbed.Calls) float64 {
		return t.Time(0, func(c *host.Context) { t.Ends[0].Poll(c) }).Us()
	})
	look := judge.True(true, "", "an empty poll takes the CPU %.2f µs", lookUs)
	return judge.All(look, at(lookUs > 0, want), at(s.subject(want.name).Profile.NI.Queues.InSRAM(), want))
}
