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
// runs. The check holds recorded means against true ones, the counter-experiment
// against those of other instants. Instants 1 to 6 are T1 to T6; at 0 and 7 the
// host DMAs of a packet would begin if they waited for nothing.
func (r *rows) latencies() {
	traffic := once(r, testbed.Spec{Nodes: 3}, bursts)
	for stage, d := range [trace.NumStages]struct {
		id      string
		is      [2]int
		counter string
		not     [2]int
	}{
		trace.Source: {"sh-def-src", [2]int{1, 2}, "the DMA alone, without waiting in the queue", [2]int{0, 2}},
		trace.LANai:  {"sh-def-lanai", [2]int{2, 4}, "up to the start of the insertion", [2]int{2, 3}},
		trace.Net:    {"sh-def-net", [2]int{3, 5}, "from the end of the insertion", [2]int{4, 5}},
		trace.Dest:   {"sh-def-dest", [2]int{5, 6}, "the DMA alone, without waiting for the engine", [2]int{7, 6}},
	} {
		agree := func(i [2]int) judge.Measure {
			return judge.Using(traffic, func(m latencyMeans) judge.Measured {
				recorded, truth := judge.Fig("recorded mean", m.recorded[stage], "µs"), judge.Fig("mean by true instants", m.at[i[1]]-m.at[i[0]], "µs")
				return judge.All(judge.Close(recorded, truth, judge.Limit(lateUs, "µs")))
			})
		}
		r.Versus(d.id, "recorded against true instants, bursts to one node", agree(d.is), d.counter, agree(d.not))
	}
}

// latencyMeans are means over packets, µs.
type latencyMeans struct {
	recorded [trace.NumStages]float64
	at       [8]float64 // of each instant
}

// lateUs is how late firmware may record an instant: it notices an event about
// 1 µs late, and handles the header of a packet before it reads the clock, which
// takes about 4 µs.
const lateUs = 5

// bursts sends four messages of 2 KB at a time from each of two nodes to one,
// so that packets wait at every stage. Every message is one packet that is
// fetched by DMA, and nothing is sent again.
func bursts(b *testbed.Bed) (m latencyMeans) {
	const n, burst, each = 2048, 4, 200
	w := b.Watch()
	source := func(node int) testbed.Program {
		return testbed.Repeat(node, each/burst, sim.Millisecond, func(c *host.Context) {
			for range burst {
				b.Depositor(node).Send(c, 2, n)
			}
		})
	}
	b.Run(source(0), source(1))
	if len(w.Packets) != 2*each || len(w.DMAs[0]) != each || len(w.DMAs[1]) != each {
		b.Fail("%d packets, %d and %d fetched by DMA, want twice %d", len(w.Packets), len(w.DMAs[0]), len(w.DMAs[1]), each)
		return m
	}
	card := b.Nodes[0].NIC.Spec()
	setup := sim.Microseconds(card.HostDMASetupUs)
	fetch, deposit := setup+sim.MBps(card.HostDMAToNIMBps).Time(n), setup+sim.MBps(card.HostDMAToHostMBps).Time(n)
	var seen [2]int
	for _, p := range w.Packets {
		t1, t2 := b.Depositor(p.Src).Posted[seen[p.Src]], w.DMAs[p.Src][seen[p.Src]].End
		seen[p.Src]++
		for i, t := range [8]sim.Time{t2.Add(-fetch), t1, t2, p.T3, p.T4, p.T5, p.T6, p.T6.Add(-deposit)} {
			m.at[i] += t.Us() / (2 * each)
		}
	}
	for stage := range m.recorded {
		x := b.Moments(histo.Query{Stage: trace.Stage(stage)})
		if x.Count != 2*each {
			b.Fail("%v of %d packets recorded, want %d", trace.Stage(stage), x.Count, 2*each)
		}
		m.recorded[stage] = x.MeanNs / 1000
	}
	return m
}
