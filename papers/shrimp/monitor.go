package shrimp

import (
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// monitor holds the rows of what the monitor does and where.
func (r *rows) monitor() {
	const without = "firmware without a monitor"
	r.beds("sh-mon-acts", "messages under the monitor", testbed.Spec{Nodes: 3}, without, testbed.Spec{Nodes: 3, Monitor: "off"}, acts)
	r.beds("sh-lat-n", "messages under the monitor", testbed.Spec{}, "sending part only", testbed.Spec{Monitor: "send"}, stages)
	full, off := once(r, testbed.Spec{}, used), once(r, testbed.Spec{Monitor: "off"}, used)
	r.Versus("sh-mon-place", "the same messages with and without the monitor", judge.Both(full, off, inPlace), without, judge.Both(off, off, inPlace),
		"no host DMA and no interrupt more")
	r.Versus("sh-lim-cpu", "processor time with and without the monitor", judge.Both(full, off, busier), without, judge.Both(off, off, busier))
	r.Versus("sh-mon-ctl", "recording stopped for a phase", r.bed(testbed.Spec{}, phases(true)), "recording never stopped", r.bed(testbed.Spec{}, phases(false)))
	two := testbed.Spec{Tags: 2}
	one := testbed.Spec{Tags: 2, Layout: func(s *histo.Spec) { s.Tags = 1 }}
	r.beds("sh-tag", "two programs on the same nodes", two, "histograms of one program", one, tags)
	four := testbed.Spec{Nodes: 4, Monitor: "off"}
	freeCards := testbed.Spec{Nodes: 4, Monitor: "off", Cluster: func(c *cluster.Spec) { c.Cards.Processor = true }}
	r.beds("sh-loop", "handlers under load", four, "a processor that serves every event at once", freeCards, handlers)
	squares := testbed.Spec{Cluster: func(c *cluster.Spec) { c.Variance = true }}
	r.beds("sh-fw-stat", "squares switched on", squares, "squares switched off", testbed.Spec{}, variance)
	const moreSRAM = "16 MB of SRAM"
	r.Versus("sh-notrace", "SRAM beside the packets of the FFT", r.traceFits(""), moreSRAM, r.traceFits(moreSRAM))
}

// acts looks for each act of the monitor: the time stamp in the header, its
// removal, the statistics, and the global clock.
func acts(b *testbed.Bed) judge.Measured {
	const messages, n = 20, 100
	stamped, added := 0, 0
	b.Tap(func(p *fabric.Packet) {
		if p.Header.Meta.Kind != trace.Data {
			return
		}
		added = p.WireBytes - len(p.Data) - b.Place.VMMC.HeaderBytes
		late := uint32(b.Nodes[p.Src].NIC.Ticks(p.T3)) - uint32(p.Header.Words[ni.FirstProbeWord])
		if p.Header.Flags&ni.FlagRecorded != 0 && late <= 33 {
			stamped++
		}
	})
	p, q := b.Depositor(0), b.Depositor(1)
	data, got := testbed.Pattern(1, n), make([]byte, n+16)
	p.Space.WriteAt(p.Out, data)
	b.Run(b.Each(0, 1, testbed.Same(n, messages), testbed.Quiet))
	q.Space.ReadAt(q.In[0], got)
	stripped := string(got) == string(data)+string(make([]byte, 16))
	if b.Layout == nil {
		return holds(false, "%d B added to a packet, nothing recorded", added)
	}
	clock := clocksKnown(b)
	m := b.Moments(histo.Query{Stage: trace.Net})
	return holds(added > 0 && stamped == messages && stripped && m.Count == messages && clock == len(b.Nodes)*len(b.Nodes),
		"%d of %d packets carry their time stamp, %d B added on the wire and none in memory, %d recorded, %d clocks known on %d nodes",
		stamped, messages, added, m.Count, clock, len(b.Nodes))
}

// clocksKnown counts the clocks that nodes can convert from.
func clocksKnown(b *testbed.Bed) (n int) {
	for _, node := range b.Nodes {
		for i := range b.Nodes {
			if clock := node.Monitor.Clock(); clock != nil && clock.Converter().Ready(i) {
				n++
			}
		}
	}
	return n
}

// stages counts the latencies that every packet has been recorded with.
func stages(b *testbed.Bed) judge.Measured {
	const messages = 20
	b.Run(b.Each(0, 1, testbed.Mixed(messages), testbed.Quiet))
	n := 0
	for stage := range trace.NumStages {
		if b.Moments(histo.Query{Stage: stage}).Count == messages {
			n++
		}
	}
	return value(float64(n), "")
}

// usage is what messages take of hosts and interfaces.
type usage struct {
	dmas, interrupts, recorded uint64
	freeSRAM                   int
	busyUs                     float64 // of the interface processors, for a message
}

const usageMessages = 200

func used(b *testbed.Bed) (u usage) {
	busy := func() (d sim.Duration) {
		for _, n := range b.Nodes {
			d += n.NIC.Stats().Busy
		}
		return d
	}
	before := busy()
	b.Run(b.Each(0, 1, testbed.Mixed(usageMessages), testbed.Quiet))
	u.busyUs = (busy() - before).Us() / usageMessages
	for _, n := range b.Nodes {
		u.dmas += n.NIC.Stats().HostDMAs
		u.interrupts += n.Host.Stats().Interrupts
		u.freeSRAM += n.NIC.SRAM().Free()
	}
	if b.Layout != nil {
		u.recorded = b.Moments(histo.Query{Stage: trace.Source}).Count
	}
	return u
}

// inPlace tells whether the monitor records all packets and nothing more
// crosses the I/O bus.
func inPlace(with, without usage) judge.Measured {
	return holds(with.recorded == usageMessages && with.dmas == without.dmas && with.interrupts == without.interrupts,
		"%d packets recorded with %d host DMAs more and %d interrupts more; %d KB of SRAM per card",
		with.recorded, with.dmas-without.dmas, with.interrupts-without.interrupts, (without.freeSRAM-with.freeSRAM)/2048)
}

// busier tells whether the interface processors work more under the monitor.
func busier(with, without usage) judge.Measured {
	return judge.All(judge.Above(judge.Fig("µs of interface processor per packet", with.busyUs), judge.Fig("without the monitor", without.busyUs), 5))
}

// phases runs three phases, which differ in the size of their messages, and
// stops recording for the second.
func phases(stop bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		sizes := []int{64, 192, 320}
		b.Run(testbed.On(0, func(c *host.Context) {
			for phase, n := range sizes {
				for _, node := range b.Nodes {
					if stop && phase == 1 {
						node.Monitor.Stop()
					} else {
						node.Monitor.Start()
					}
				}
				for range 10 {
					b.Depositor(0).Send(c, 1, n)
				}
				c.Sleep(sim.Millisecond) // all of the phase has arrived
			}
		}))
		var counts [3]uint64
		for i, n := range sizes {
			counts[i] = b.Moments(histo.Query{Stage: trace.Dest, Sizes: histo.Range{LoBytes: n - 32, HiBytes: n}}).Count
		}
		return holds(counts == [...]uint64{10, 0, 10}, "packets of the three phases: %v", counts)
	}
}

// tags runs two programs on the same nodes, of which the first sends ten
// messages and the second twenty.
func tags(b *testbed.Bed) judge.Measured {
	b.Run(testbed.On(0, func(c *host.Context) {
		for i := range 30 {
			b.DepositorOf(trace.Tag(min(1, i%3)), 0).Send(c, 1, 64)
		}
	}))
	s := b.Snapshot()
	if lost := s.Losses().UnknownTag; lost > 0 {
		return holds(false, "%d latencies of the second program belong to no histogram", lost)
	}
	var counts [4]uint64
	for i := range counts {
		m, err := s.Moments(histo.Query{Tags: []trace.Tag{trace.Tag(i / 2)}, Stage: []trace.Stage{trace.Source, trace.Dest}[i%2]})
		b.Keep(err)
		counts[i] = m.Count
	}
	return holds(counts == [...]uint64{10, 10, 20, 20}, "packets of the two programs at sender and receiver: %v", counts)
}

// handlers looks whether any handler of an interface begins before the one
// before has ended.
func handlers(b *testbed.Bed) judge.Measured {
	w := b.Watch()
	var programs []testbed.Program
	for i := range b.Nodes {
		programs = append(programs, b.Each(i, (i+1)%len(b.Nodes), testbed.Mixed(200), 5*sim.Microsecond))
	}
	b.Run(programs...)
	n, of := w.Overlaps()
	return holds(n == 0 && of > 0, "%d of %d handlers begin inside another", n, of)
}

// variance tells whether the spread of latencies comes from squares.
func variance(b *testbed.Bed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Same(64, 100), testbed.Quiet))
	m := b.Moments(histo.Query{Stage: trace.Dest})
	return holds(m.VarianceFrom == histo.FromSquares, "variance of Dest %.3f µs², from %v", m.Variance/1e6, m.VarianceFrom)
}

// recordBytes is a trace record: six words for the instants that one side of
// a packet knows, its kind, size, peer and number.
const recordBytes = 24

// traceFits tells whether a trace record of every packet of the FFT would
// have to be left out for want of SRAM.
func (r *rows) traceFits(overlay string) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		m := read(s, r.run(transform)).Manifest
		perNode := 2 * int(m.Packets) / m.Nodes // sent and received
		spec := testbed.Spec{Nodes: m.Nodes, Seed: r.seed, Cold: true, Kinds: svm.Kinds(), Overlay: overlays.Of(overlay)}
		free := beds.Use(s, spec, func(b *testbed.Bed) int { return b.Nodes[0].NIC.SRAM().Free() })
		return holds(perNode*recordBytes > free, "%d KB free; a record of %d B for each of a node's %d packets takes %d KB",
			free>>10, recordBytes, perNode, perNode*recordBytes>>10)
	})
}
