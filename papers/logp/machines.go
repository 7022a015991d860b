package logp

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
)

// assessMachines holds the rows of the machines themselves (logp, Tables 1 and
// 2, sections 2.3 and 3.4), read from live clusters.
func (r *rows) assessMachines(a *assessment) {
	live := func(id, experiment, name string, f func(*testbed.Calls) judge.Measured) {
		r.Of(id, experiment, a.talking(machine{name: name}, 2, 0, f))
	}
	cpuMHz := func(t *testbed.Calls) judge.Measured {
		f := t.Nodes[0].Host.Spec().Clock
		return value(float64(f.Num)/float64(f.Den)/1e6, "")
	}
	cardMHz := func(t *testbed.Calls) judge.Measured {
		return value(float64(t.Nodes[0].NIC.Spec().ClockHz)/1e6, "")
	}
	linkMBps := func(t *testbed.Calls) judge.Measured {
		return value(float64(t.Net.Spec().LinkRate)/1e6, "")
	}
	for id, name := range map[string]string{"logp-par-cpu": paragon, "logp-mei-cpu": meiko, "logp-m50-cpu": meiko50, "logp-myr-cpu": myrinet, "logp-m10-cpu": myrinet10} {
		live(id, "CPU", name, cpuMHz)
	}
	for id, name := range map[string]string{"logp-par-niclk": paragon, "logp-mei-busclk": meiko, "logp-m50-busclk": meiko50} {
		live(id, "interface", name, cardMHz)
	}
	for id, name := range map[string]string{"logp-par-bw": paragon, "logp-mei-bw": meiko, "logp-myr-bw": myrinet} {
		live(id, "link", name, linkMBps)
	}
	for id, name := range map[string]string{"logp-par-ni": paragon, "logp-mei-ni": meiko, "logp-myr-ni": myrinet} {
		want := memoryBus
		if name == myrinet {
			want = ioBus
		}
		r.Of(id, "words of a message on their way to the interface", a.connected(name, want))
	}
	r.Of("logp-myr-niclk", "interface", a.talking(machine{name: myrinet}, 2, 0, func(t *testbed.Calls) judge.Measured {
		bus, card := float64(t.Nodes[0].Host.Spec().IOBus)/4, float64(t.Nodes[0].NIC.Spec().ClockHz)
		return holds(near(bus, card, 0.001), "%.0f MHz of a bus of four bytes, %.0f of the processor", bus/1e6, card/1e6)
	}))
	live("logp-myr-switch", "switch", myrinet, func(t *testbed.Calls) judge.Measured {
		return value(float64(t.Place.Network.Radix), "")
	})
	r.Of("logp-nodes-max", "cluster", a.talking(machine{name: myrinet}, testbed.AllNodes, 0, func(t *testbed.Calls) judge.Measured {
		return value(float64(len(t.Nodes)), "by default")
	}))

	r.Versus("logp-t1-myrinet", "place and processor of the interface", a.position(myrinet, ioBus, embedded), "of paragon's", a.position(paragon, ioBus, embedded))
	r.Versus("logp-t1-meikocs2", "place and processor of the interface", a.position(meiko, memoryBus, embedded), "of myrinet's", a.position(myrinet, memoryBus, embedded))
	r.Versus("logp-t1-intelparagon", "place and processor of the interface", a.position(paragon, memoryBus, generalPurpose), "of the Meiko's", a.position(meiko, memoryBus, generalPurpose))
}

// Places and processors of interfaces (logp, Table 1).
const (
	ioBus          = "I/O bus"
	memoryBus      = "memory bus"
	embedded       = "embedded processor"
	generalPurpose = "general-purpose microprocessor"
)

// place is where an interface is: a card on the I/O bus holds what the host
// stores for it; one on the memory bus reaches into host memory.
func place(t *testbed.Calls) string {
	if q := t.Nodes[0].NIC.Spec().Queues; q.InSRAM() {
		return ioBus
	}
	return memoryBus
}

// processor tells a processor like the main one, which takes whole lines of a
// cache at the same clock, from one that does neither.
func processor(t *testbed.Calls) string {
	card, cpu := t.Nodes[0].NIC.Spec(), t.Nodes[0].Host.Spec()
	if card.Queues.UnitBytes == cpu.CacheLine && near(float64(card.ClockHz), float64(cpu.Clock.Num)/float64(cpu.Clock.Den), 0.001) {
		return generalPurpose
	}
	return embedded
}

func (a *assessment) position(name, where, what string) judge.Measure {
	return a.talking(machine{name: name}, 2, 0, func(t *testbed.Calls) judge.Measured {
		p, q := place(t), processor(t)
		return holds(p == where && q == what, "%s, %s", p, q)
	})
}

// connected looks at whom a word of a queue takes time: on the I/O bus the CPU,
// whose looks cross it; on the memory bus the interface.
func (a *assessment) connected(name, want string) judge.Measure {
	return a.talking(machine{name: name}, 2, 0, func(t *testbed.Calls) judge.Measured {
		var look float64
		t.Serve(0, 1, 0, func(c *host.Context) {
			begin := us(c)
			t.Ends[0].Poll(c)
			look = us(c) - begin
		})
		is := memoryBus
		if look > 0 {
			is = ioBus
		}
		q := t.Nodes[0].NIC.Spec().Queues
		return holds(is == want && is == place(t), "%s: an empty look takes the CPU %.2f µs, a word the interface %.0f ns", is, look, q.ReadNs)
	})
}
