package shrimp

import (
	"bytes"
	"math"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// monitor holds the rows of what the monitor does and where.
func (r *rows) monitor() {
	const without = "firmware without a monitor"
	build := func(name monitor.BuildName) judge.Experiment[usage] {
		return once(r, testbed.Spec{Monitor: name}, used)
	}
	full, off := build("full"), build("off")
	r.Versus("sh-mon-acts", "messages under the monitor", judge.Using(full, acts), without, judge.Using(off, acts))
	r.Versus("sh-lat-n", "messages under the monitor", judge.Using(full, stages), "sending part only", judge.Using(build("send"), stages))
	r.Versus("sh-mon-place", "the same messages with and without the monitor", judge.Both(full, off, inPlace), without, judge.Both(off, off, inPlace))
	r.Versus("sh-lim-cpu", "processor time with and without the monitor", judge.Both(full, off, busier), without, judge.Both(off, off, busier))
	freeCards := func(c *cluster.Spec) { c.Cards.Processor = true }
	r.testbeds("sh-loop", "handlers under load", testbed.Spec{Nodes: 4, Monitor: "off"},
		"a processor that serves every event at once", testbed.Spec{Nodes: 4, Monitor: "off", Cluster: freeCards}, handlers)
	squares := func(c *cluster.Spec) { c.Variance = true }
	r.testbeds("sh-fw-stat", "squares switched on", testbed.Spec{Cluster: squares}, "squares switched off", testbed.Spec{}, variance)
}

// histograms holds the rows of what the monitor's histograms hold, and of their bins.
func (r *rows) histograms() {
	tight := testbed.Spec{Layout: func(s *histo.Spec) { s.BudgetBytes = 4 << 10 }}
	const budget = "a budget of 4 KB"
	r.testbeds("sh-bin-len", "a message of every length", testbed.Spec{}, budget, tight, lengthWords)
	for id, stage := range map[string]trace.Stage{"src": trace.Source, "lanai": trace.LANai, "dest": trace.Dest, "net": trace.Net} {
		r.testbeds("sh-bin-"+id, "bins of recorded packets", testbed.Spec{}, budget, tight, latencyUs(stage))
	}
	apart := func(stop bool, layout func(*histo.Spec)) judge.Measure {
		return r.testbed(testbed.Spec{Nodes: 4, Tags: 2, Layout: layout}, toldApart(stop))
	}
	all := apart(true, nil)
	r.Versus("sh-mon-ctl", "known messages, recording stopped for some", all, "recording never stopped", apart(false, nil))
	r.Versus("sh-tag", "known messages of two programs", all, "histograms of one program", apart(true, func(s *histo.Spec) { s.Tags = 1 }))
	r.Versus("sh-mon-dims", "known messages", all, "sums over sizes alone", apart(true, func(s *histo.Spec) { s.Dims = 0 }))
	r.Versus("sh-fig2", "known messages", all, "histograms without latency bins by size", apart(true, func(s *histo.Spec) { s.Dims &^= histo.LatencyBySize }))
	r.Versus("sh-bins-d", "latency bins that 180 KB hold", binsPerRow(1), "half the budget", binsPerRow(2))
	eight := testbed.Spec{Nodes: 8, Cold: true, Kinds: svm.Kinds()}
	r.overlaid("sh-mon-mem", "SRAM with and without the monitor", eight, "a budget of 512 KB, with the SRAM for it", func(b *testbed.Testbed) judge.Measured {
		bytes := float64(b.Layout.Bytes())
		return value(bytes/1024, "%.1f %% of SRAM", 100*bytes/float64(b.Nodes[0].NIC.Spec().SRAMBytes))
	})
	r.overlaid("sh-lim-mem", "layout for the FFT", eight, "16 MB of SRAM, half of it for histograms", func(b *testbed.Testbed) judge.Measured {
		notes := b.Layout.Notes()
		return states(len(notes) > 0, "the layout is coarser than asked for", "%d KB for histograms, coarser than asked for: %v", b.Layout.Bytes()>>10, notes)
	})
	const moreSRAM = "16 MB of SRAM"
	r.Versus("sh-notrace", "SRAM beside the packets of the FFT", r.traceFits(""), moreSRAM, r.traceFits(moreSRAM))
}

// clocksKnown counts the ordered pairs of nodes whose clocks the second node can
// convert.
func clocksKnown(b *testbed.Testbed) int {
	if m := b.Nodes[0].Monitor; m == nil || m.Clock() == nil {
		return 0
	}
	errors := b.ClockErrors()
	errors.Sample()
	return len(errors.Us)
}

// usage is what the monitor does to messages, and the resources of hosts and
// interfaces that they use.
type usage struct {
	stamped          int                     // packets with their time stamp in the header
	added            int                     // bytes on the wire
	stripped         bool                    // none of these bytes reaches host memory
	recorded         [trace.NumStages]uint64 // packets
	clocks           int                     // conversions that are possible
	dmas, interrupts uint64
	busy             sim.Duration // of the interface processors
}

const usageMessages = 200

func used(b *testbed.Testbed) (u usage) {
	b.Tap(func(p *fabric.Packet) {
		if p.Header.Meta.Kind == trace.Data {
			u.added = p.WireBytes - p.Bytes() - b.Place.VMMC.HeaderBytes
			late := uint32(b.Nodes[p.Src].NIC.Ticks(p.T3)) - uint32(p.Header.Words[ni.FirstProbeWord])
			if p.Header.Flags&ni.FlagRecorded != 0 && late <= 33 {
				u.stamped++
			}
		}
	})
	p, q := b.Depositor(0), b.Depositor(1)
	data, got := testbed.Pattern(1, host.PageBytes), make([]byte, host.PageBytes)
	p.Space.WriteAt(p.Out, data)
	for _, n := range b.Nodes {
		u.busy -= n.NIC.Stats().Busy
	}
	b.Run(b.Each(0, 1, testbed.Mixed(usageMessages), testbed.Quiet))
	for _, n := range b.Nodes {
		s := n.NIC.Stats()
		u.dmas += s.HostDMAs
		u.busy += s.Busy
		u.interrupts += n.Host.Stats().Interrupts
	}
	q.Space.ReadAt(q.In[0], got)
	u.stripped = bytes.Equal(got, data)
	for stage := range u.recorded {
		if b.Layout != nil {
			u.recorded[stage] = b.Moments(histo.Query{Stage: trace.Stage(stage)}).Count
		}
	}
	u.clocks = clocksKnown(b)
	return u
}

// acts states that the monitor does all that it is for: it adds a time stamp to the
// header, removes it, records latencies, and keeps the global clock.
func acts(u usage) judge.Measured {
	return states(u.added > 0 && u.stamped == usageMessages && u.stripped && u.recorded[trace.Net] == usageMessages && u.clocks == 2,
		"every packet carries its time stamp on the wire and not in memory and is recorded, clocks can be converted both ways",
		"%d of %d packets carry their time stamp, %d B added on the wire and none in memory (%t), %d recorded, %d of 2 conversions between clocks possible",
		u.stamped, usageMessages, u.added, u.stripped, u.recorded[trace.Net], u.clocks)
}

// stages counts the latencies that are recorded for every packet.
func stages(u usage) judge.Measured {
	n := 0
	for _, packets := range u.recorded {
		if packets == usageMessages {
			n++
		}
	}
	return value(float64(n), "of %d packets", usageMessages)
}

// inPlace states that the monitor records all packets and adds no traffic to the
// I/O bus.
func inPlace(with, without usage) judge.Measured {
	return states(with.recorded[trace.Source] == usageMessages && with.dmas == without.dmas && with.interrupts == without.interrupts,
		"all packets recorded, with no additional host DMA or interrupt",
		"%d packets recorded with %d additional host DMAs and %d additional interrupts",
		with.recorded[trace.Source], with.dmas-without.dmas, with.interrupts-without.interrupts)
}

// busier states that the interface processors work longer under the monitor.
func busier(with, without usage) judge.Measured {
	return judge.All(judge.Above(judge.Fig("interface processor per packet", with.busy.Us()/usageMessages, "µs"),
		judge.Fig("without the monitor", without.busy.Us()/usageMessages, "µs"), 5))
}

// handlers states that no handler of an interface begins before the previous one has
// ended.
func handlers(b *testbed.Testbed) judge.Measured {
	w := b.Watch()
	judge.Must(b.Load(50 * sim.Microsecond)).Start()
	b.Rest(20 * sim.Millisecond)
	n, of := w.Overlaps()
	return states(n == 0 && of > 0, "no handler begins before the previous one has ended", "%d of %d handlers begin inside another", n, of)
}

// variance states that the variance of latencies comes from sums of squares.
func variance(b *testbed.Testbed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Same(64, 100), testbed.Quiet))
	m := b.Moments(histo.Query{Stage: trace.Dest})
	return states(m.VarianceFrom == histo.FromSquares, "the variance comes from sums of squares", "variance of Dest %.3f µs², from %v", m.Variance/1e6, m.VarianceFrom)
}

// lengthWords returns the width of a size bin in words, NaN if bins differ.
func lengthWords(b *testbed.Testbed) judge.Measured {
	const upTo = 1024
	b.Run(b.Each(0, 1, testbed.Lengths(upTo), testbed.Quiet))
	var words []float64
	for _, bin := range b.Layout.Bins() {
		if bin.HiBytes <= upTo {
			words = append(words, float64(b.Moments(histo.Query{Stage: trace.Source, Sizes: bin}).Count))
		}
	}
	width := words[0]
	if slices.Min(words) != slices.Max(words) {
		width = math.NaN()
	}
	return value(width, "lengths up to %d B in %d bins", upTo, len(words))
}

// latencyUs returns the width of the latency bins of a stage, in µs.
func latencyUs(stage trace.Stage) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
		b.Run(b.Each(0, 1, testbed.Mixed(100), 20*sim.Microsecond))
		d := judge.Must(b.Snapshot().Distribution(histo.Query{Stage: stage}))
		return value(float64(d.WidthNs)/1000, "%d packets in such bins", d.Count)
	}
}

// known are the messages of two programs on four nodes, in the order of sending. The monitors are
// stopped during some of them.
var known = []struct {
	tag            trace.Tag
	from, to, size int
	count          uint64
	stopped        bool
}{{0, 0, 2, 64, 3, false}, {1, 1, 2, 128, 5, false}, {1, 2, 3, 192, 7, true}, {0, 2, 1, 512, 11, false}, {1, 3, 2, 1024, 13, false}}

// toldApart sends the known messages. It states that the histograms of every latency
// hold the right number of packets for each program, size and pair of nodes.
func toldApart(stop bool) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
		recorded, programs := slices.Clone(known), [2]uint64{}
		for i, m := range known {
			b.Record()
			if m.stopped {
				recorded[i].count = 0
			}
			for _, n := range b.Nodes {
				if stop && m.stopped {
					n.Monitor.Stop()
				}
			}
			b.Run(testbed.Repeat(m.from, int(m.count), testbed.Quiet, func(c *host.Context) { b.DepositorOf(m.tag, m.from).Send(c, m.to, m.size) }))
			programs[m.tag] += recorded[i].count
		}
		s, right := b.Snapshot(), [3]int{}
		for stage := range trace.NumStages {
			for tag, want := range programs {
				if m, err := s.Moments(histo.Query{Stage: stage, Tags: []trace.Tag{trace.Tag(tag)}}); err == nil && m.Count == want {
					right[0]++
				}
			}
			for _, m := range recorded {
				if d, err := s.Distribution(histo.Query{Stage: stage, Sizes: histo.Range{LoBytes: m.size - 32, HiBytes: m.size}}); err == nil && d.Count == m.count {
					right[1]++
				}
				if p, err := s.Pair(histo.Pair{Sender: m.from, Receiver: m.to}, histo.Query{Stage: stage}); err == nil && p.Count == m.count {
					right[2]++
				}
			}
		}
		all := [3]int{4 * len(programs), 4 * len(known), 4 * len(known)}
		return states(right == all, "counts of every latency equal the packets sent while recording, by program, size and pair of nodes", "right counts of programs, sizes and pairs of nodes: %d of %d", right, all)
	}
}

// binsPerRow returns the number of latency bins for each of the 128 lengths and four
// latencies of one program that fit into the budget divided by part. Nodes and kinds
// are not kept apart.
func binsPerRow(part int) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		spec := histo.Published()
		spec.Tags, spec.Nodes, spec.Kinds, spec.Dims = 1, 8, []trace.Kind{trace.Data}, histo.LatencyBySize
		spec.BudgetBytes /= part
		for spec.LatencyTop = 16; len(judge.Must(histo.Plan(spec)).Notes()) == 0; spec.LatencyTop++ {
		}
		return value(float64(spec.LatencyTop-1), "in %d B; with more the layout is coarser than asked for", spec.BudgetBytes)
	})
}

// recordBytes is the size of a trace record: six words for a packet's instants on
// one node, its kind, size, peer and number.
const recordBytes = 24

// traceFits states that a trace record for every packet of the FFT does not fit into
// the free SRAM.
func (r *rows) traceFits(overlay string) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		m := read(s, r.run(transform)).Manifest
		perNode := 2 * int(m.Packets) / m.Nodes // sent and received
		spec := testbed.Spec{Nodes: m.Nodes, Seed: r.seed, Cold: true, Kinds: svm.Kinds(), Overlay: overlays.Of(overlay)}
		free := testbeds.Use(s, spec, func(b *testbed.Testbed) int { return b.Nodes[0].NIC.SRAM().Free() })
		return states(perNode*recordBytes > free, "the records of a node's packets do not fit into its SRAM", "%d KB free; a record of %d B for each of a node's %d packets takes %d KB",
			free>>10, recordBytes, perNode, perNode*recordBytes>>10)
	})
}
