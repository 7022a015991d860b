package shrimp

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// latencies holds the rows that say between which two instants each latency
// runs. The check holds recorded means against those of the true instants, the
// counter-experiment against those of other instants.
func (r *rows) latencies() {
	traffic := once(r, testbed.Spec{Nodes: 3}, bursts)
	for stage, row := range [trace.NumStages]struct{ id, counter string }{
		trace.Source: {"sh-def-src", "the DMA alone, without waiting in the queue"},
		trace.LANai:  {"sh-def-lanai", "up to the start of the insertion"},
		trace.Net:    {"sh-def-net", "from the end of the insertion"},
		trace.Dest:   {"sh-def-dest", "the DMA alone, without waiting for the engine"},
	} {
		agree := func(counter bool) judge.Measure {
			return judge.Using(traffic, func(m [trace.NumStages]latencyMeans) judge.Measured {
				s := m[stage]
				if counter {
					s.truth = s.other
				}
				return judge.All(judge.Close(judge.Fig("recorded mean", s.recorded, "µs"), judge.Fig("mean by true instants", s.truth, "µs"), s.late))
			})
		}
		r.Versus(row.id, "recorded against true instants, bursts to one node", agree(false), row.counter, agree(true))
	}
}

// latencyMeans are means of one latency, µs.
type latencyMeans struct {
	recorded, truth, other float64
	late                   judge.Figure // what firmware needs
}

// bursts sends four messages of 2 KB at a time from each of two nodes to one,
// so that packets wait at every stage. Every message is one packet that is
// fetched by DMA, and nothing is sent again.
func bursts(b *testbed.Bed) (means [trace.NumStages]latencyMeans) {
	const n, burst, each = 2048, 4, 200
	w := b.Watch()
	source := func(node int) testbed.Program {
		return testbed.On(node, func(c *host.Context) {
			for k := range each {
				b.Depositor(node).Send(c, 2, n)
				if k%burst == burst-1 {
					c.Sleep(sim.Millisecond)
				}
			}
		})
	}
	b.Run(source(0), source(1))
	if len(w.Packets) != 2*each || len(w.DMAs[0]) != each || len(w.DMAs[1]) != each {
		b.Fail("%d packets, %d and %d fetched by DMA, want twice %d", len(w.Packets), len(w.DMAs[0]), len(w.DMAs[1]), each)
		return means
	}
	card := b.Nodes[0].NIC.Spec()
	alone := func(mbps float64) sim.Duration {
		return sim.Microseconds(card.HostDMASetupUs) + sim.MBps(mbps).Time(n)
	}
	fetch, deposit := alone(card.HostDMAToNIMBps), alone(card.HostDMAToHostMBps)
	var seen [2]int
	for _, p := range w.Packets {
		t1, t2 := b.Depositor(p.Src).Posted[seen[p.Src]], w.DMAs[p.Src][seen[p.Src]].End
		seen[p.Src]++
		for stage, d := range [trace.NumStages]struct{ truth, other sim.Duration }{
			trace.Source: {t2.Sub(t1), fetch},
			trace.LANai:  {p.T4.Sub(t2), p.T3.Sub(t2)},
			trace.Net:    {p.T5.Sub(p.T3), p.T5.Sub(p.T4)},
			trace.Dest:   {p.T6.Sub(p.T5), deposit},
		} {
			means[stage].truth += d.truth.Us() / (2 * each)
			means[stage].other += d.other.Us() / (2 * each)
		}
	}
	for stage := range means {
		m := b.Moments(histo.Query{Stage: trace.Stage(stage)})
		if m.Count != 2*each {
			b.Fail("%v of %d packets recorded, want %d", trace.Stage(stage), m.Count, 2*each)
		}
		means[stage].recorded, means[stage].late = m.MeanNs/1000, late(b)
	}
	return means
}

// turnUs is how late firmware notices an event, on average over packets that
// keep it busy.
const turnUs = 1

// late is how late firmware reads an instant at most: it handles the header of a
// packet before it reads the clock.
func late(b *testbed.Bed) judge.Figure {
	c := &b.Place.Monitor.Cycles
	cycles := b.Place.VMMC.Firmware.Demultiplex + c.StripHeader + c.Convert + c.NoteArrived + c.Observe
	return judge.Fig("the time to notice an event and to read the clock", b.Nodes[0].NIC.Duration(cycles).Us()+turnUs, "µs")
}
