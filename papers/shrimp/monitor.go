package shrimp

import (
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// monitor holds the rows of what the monitor does and where.
func (r *rows) monitor() {
	r.Versus("sh-mon-acts", "messages under the monitor", r.acts(experiment.BuildFull), "firmware without a monitor", r.acts(experiment.BuildOff))
	r.Versus("sh-mon-place", "the same messages with and without the monitor", r.place(experiment.BuildFull),
		"firmware without a monitor", r.place(experiment.BuildOff))
	r.Versus("sh-mon-ctl", "recording stopped for a phase", r.phases(true), "recording never stopped", r.phases(false))
	r.Versus("sh-tag", "two programs on the same nodes", r.tags(2), "histograms of one program", r.tags(1))
	r.Versus("sh-lat-n", "messages under the monitor", r.stages(experiment.BuildFull), "sending part only", r.stages(experiment.BuildSend))
	r.Versus("sh-loop", "handlers under load", r.handlers(false), "a processor that serves every event at once", r.handlers(true))
	r.Versus("sh-notrace", "SRAM beside the packets of the FFT", r.traceFits(0), "16 MB of SRAM", r.traceFits(16<<20))
	r.Versus("sh-lim-cpu", "processor time with and without the monitor", r.busy(experiment.BuildFull),
		"firmware without a monitor", r.busy(experiment.BuildOff))
	r.Versus("sh-lim-comm", "computing and memory traffic between messages", r.unseen(false),
		"packets of other nodes between messages", r.unseen(true))
	r.Versus("sh-fw-stat", "squares switched on", r.variance(true), "squares switched off", r.variance(false))
}

// acts looks for each act of the monitor: the time stamp in the header, its
// removal, the statistics, and the global clock.
func (r *rows) acts(build experiment.Build) judge.Measure {
	return r.bed(testbed.Spec{Monitor: string(build), Nodes: 3}, func(b *testbed.Bed) judge.Measured {
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
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i + 1)
		}
		p.Space.WriteAt(p.Out, data)
		b.Run(b.Each(0, 1, testbed.Same(n, messages), testbed.Quiet))
		got := make([]byte, n+16)
		q.Space.ReadAt(q.In[0], got)
		stripped := string(got) == string(data)+string(make([]byte, 16))
		if build == experiment.BuildOff {
			return holds(false, "%d B added to a packet, nothing recorded", added)
		}
		clock := true
		for _, x := range b.Nodes {
			for i := range b.Nodes {
				clock = clock && x.Monitor.Clock() != nil && x.Monitor.Clock().Converter().Ready(i)
			}
		}
		m := b.Moments(histo.Query{Stage: trace.Net})
		return holds(added > 0 && stamped == messages && stripped && m.Count == messages && clock,
			"%d of %d packets carry their time stamp, %d B added on the wire and none in memory, %d recorded, global clock on all nodes: %t",
			stamped, messages, added, m.Count, clock)
	})
}

// place compares what crosses the I/O bus with and without the monitor.
func (r *rows) place(build experiment.Build) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		type traffic struct {
			dmas, interrupts, recorded uint64
			free                       int
		}
		measure := func(build experiment.Build) (t traffic, err error) {
			b, err := r.open(testbed.Spec{Monitor: string(build)})
			if err != nil {
				return t, err
			}
			defer b.Engine.Close()
			b.Run(b.Each(0, 1, testbed.Mixed(100), testbed.Quiet))
			for _, n := range b.Nodes {
				t.dmas += n.NIC.Stats().HostDMAs
				t.interrupts += n.Host.Stats().Interrupts
				t.free += n.NIC.SRAM().Free()
				if n.Monitor != nil {
					m, err := n.Monitor.ReadOut().Moments(histo.Query{Stage: trace.Source})
					if err != nil {
						return t, err
					}
					t.recorded += m.Count
				}
			}
			return t, b.Err()
		}
		with, err := measure(build)
		if err != nil {
			return judge.Measured{}, err
		}
		without, err := measure(experiment.BuildOff)
		return holds(with.recorded == 100 && with.dmas == without.dmas && with.interrupts == without.interrupts,
			"%d packets recorded with %d host DMAs more and %d interrupts more; %d KB of SRAM per card",
			with.recorded, with.dmas-without.dmas, with.interrupts-without.interrupts, (without.free-with.free)/2048), err
	})
}

// phases stops recording for the middle of three phases, which differ in the
// size of their messages.
func (r *rows) phases(stop bool) judge.Measure {
	return r.bed(testbed.Spec{}, func(b *testbed.Bed) judge.Measured {
		record := func(on bool) {
			for _, n := range b.Nodes {
				if on {
					n.Monitor.Start()
				} else {
					n.Monitor.Stop()
				}
			}
		}
		sizes := []int{64, 192, 320}
		b.Run(testbed.On(0, func(c *host.Context) {
			for phase, n := range sizes {
				if stop {
					record(phase != 1)
				}
				for range 10 {
					b.Depositor(0).Send(c, 1, n)
				}
				c.Sleep(sim.Millisecond) // all of the phase has arrived
			}
		}))
		var counts []uint64
		for _, n := range sizes {
			m := b.Moments(histo.Query{Stage: trace.Dest, Sizes: histo.Range{LoBytes: n - 32, HiBytes: n}})
			counts = append(counts, m.Count)
		}
		return holds(counts[0] == 10 && counts[1] == 0 && counts[2] == 10, "packets of the three phases: %v", counts)
	})
}

// tags runs two programs on the same nodes, under histograms for some number.
func (r *rows) tags(kept int) judge.Measure {
	return r.bed(testbed.Spec{Tags: 2, Layout: func(s *histo.Spec) { s.Tags = kept }}, func(b *testbed.Bed) judge.Measured {
		b.Run(
			testbed.On(0, func(c *host.Context) {
				for i := range 30 {
					b.DepositorOf(trace.Tag(min(1, i%3)), 0).Send(c, 1, 64)
				}
			}),
		)
		s := b.Snapshot()
		if kept < 2 {
			return holds(false, "%d latencies of the second program belong to no histogram", s.Losses().UnknownTag)
		}
		ok, text := true, ""
		for tag, want := range []uint64{10, 20} {
			for _, stage := range []trace.Stage{trace.Source, trace.Dest} {
				m, err := s.Moments(histo.Query{Tags: []trace.Tag{trace.Tag(tag)}, Stage: stage})
				b.Keep(err)
				ok = ok && m.Count == want
				text += fmt.Sprintf(" %d", m.Count)
			}
		}
		return holds(ok, "packets of the two programs at sender and receiver:%s", text)
	})
}

// stages counts the latencies that every packet has been recorded with.
func (r *rows) stages(build experiment.Build) judge.Measure {
	return r.bed(testbed.Spec{Monitor: string(build)}, func(b *testbed.Bed) judge.Measured {
		const messages = 20
		b.Run(b.Each(0, 1, testbed.Mixed(messages), testbed.Quiet))
		n := 0
		for stage := range trace.NumStages {
			m := b.Moments(histo.Query{Stage: stage})
			if m.Count == messages {
				n++
			}
		}
		return value(float64(n), "")
	})
}

// handlers looks whether any handler of an interface begins before the one
// before has ended.
func (r *rows) handlers(free bool) judge.Measure {
	spec := testbed.Spec{Nodes: 4, Monitor: "off", Cluster: func(c *cluster.Spec) { c.Cards.Processor = free }}
	return r.bed(spec, func(b *testbed.Bed) judge.Measured {
		w := b.Watch()
		var programs []testbed.Program
		for i := range b.Nodes {
			programs = append(programs, b.Each(i, (i+1)%4, testbed.Mixed(200), 5*sim.Microsecond))
		}
		b.Run(programs...)
		n, of := w.Overlaps()
		return holds(n == 0 && of > 0, "%d of %d handlers begin inside another", n, of)
	})
}

// recordBytes is a trace record: six words for the instants that one side of
// a packet knows, its kind, size, peer and number.
const recordBytes = 24

// traceFits tells whether a trace record of every packet of the FFT would
// have to be left out for want of SRAM.
func (r *rows) traceFits(sram int) judge.Measure {
	return judge.Read(r.fft, func(run *trace.Run) (judge.Measured, error) {
		b, err := r.open(testbed.Spec{Nodes: run.Manifest.Nodes, Cold: true, Kinds: svm.Kinds(), Profile: func(p *platform.Profile) {
			p.NI.SRAMBytes = max(p.NI.SRAMBytes, sram)
		}})
		if err != nil {
			return judge.Measured{}, err
		}
		free := b.Nodes[0].NIC.SRAM().Free()
		perNode := 2 * int(run.Manifest.Packets) / run.Manifest.Nodes // sent and received
		return holds(perNode*recordBytes > free, "%d KB free; a record of %d B for each of a node's %d packets takes %d KB",
			free>>10, recordBytes, perNode, perNode*recordBytes>>10), nil
	})
}

// busy compares the time that the interface processors work on a packet with
// and without the monitor.
func (r *rows) busy(build experiment.Build) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		const messages = 200
		perPacket := func(build experiment.Build) (float64, error) {
			b, err := r.open(testbed.Spec{Monitor: string(build)})
			if err != nil {
				return 0, err
			}
			defer b.Engine.Close()
			before := b.Nodes[0].NIC.Stats().Busy + b.Nodes[1].NIC.Stats().Busy
			b.Run(b.Each(0, 1, testbed.Mixed(messages), testbed.Quiet))
			after := b.Nodes[0].NIC.Stats().Busy + b.Nodes[1].NIC.Stats().Busy
			return (after - before).Us() / messages, b.Err()
		}
		with, err := perPacket(build)
		if err != nil {
			return judge.Measured{}, err
		}
		without, err := perPacket(experiment.BuildOff)
		return holds(with > 1.05*without, "%.1f µs of interface processor per packet, %.1f without the monitor", with, without), err
	})
}

// unseen tells whether the histograms are the same, whatever happens between
// messages beside the network.
func (r *rows) unseen(packets bool) judge.Measure {
	measure := func(busy bool) ([]float64, error) {
		b, err := r.open(testbed.Spec{Nodes: 3})
		if err != nil {
			return nil, err
		}
		defer b.Engine.Close()
		programs := []testbed.Program{testbed.On(0, func(c *host.Context) {
			for range 100 {
				if busy && !packets {
					c.Compute(host.Work{Flops: 5000, Read: 20_000, Write: 5000})
				}
				b.Depositor(0).Send(c, 1, 256)
				c.Sleep(200 * sim.Microsecond)
			}
		})}
		if busy && packets {
			programs = append(programs, b.Each(2, 1, testbed.Same(4096, 200), 20*sim.Microsecond))
		}
		b.Run(programs...)
		var out []float64
		for stage := range trace.NumStages {
			m := b.Moments(histo.Query{Stage: stage, Sizes: histo.Range{LoBytes: 224, HiBytes: 256}})
			out = append(out, m.MeanNs/1000)
		}
		return out, b.Err()
	}
	return judge.Plain(func() (judge.Measured, error) {
		alone, err := measure(false)
		if err != nil {
			return judge.Measured{}, err
		}
		with, err := measure(true)
		if err != nil {
			return judge.Measured{}, err
		}
		ok := true
		for i := range with {
			ok = ok && with[i]-alone[i] < 0.3 && alone[i]-with[i] < 0.3
		}
		return holds(ok, "Source, LANai, Net, Dest %.1f µs, without %.1f µs", with, alone), nil
	})
}

// variance tells whether the spread of latencies comes from squares.
func (r *rows) variance(on bool) judge.Measure {
	return r.bed(testbed.Spec{Cluster: func(c *cluster.Spec) { c.Variance = on }}, func(b *testbed.Bed) judge.Measured {
		b.Run(b.Each(0, 1, testbed.Same(64, 100), testbed.Quiet))
		m := b.Moments(histo.Query{Stage: trace.Dest})
		return holds(m.VarianceFrom == histo.FromSquares, "variance of Dest %.3f µs², from %v", m.Variance/1e6, m.VarianceFrom)
	})
}
