package shrimp

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// latencies holds the rows that define each latency by two instants. The check
// compares recorded means with true ones, the counter-experiment with those of other
// instants. Instants 1 to 6 are T1 to T6; at 0 and 7 the host DMAs of a packet would
// start if they waited for nothing.
func (r *rows) latencies() {
	traffic := once(r, testbed.Spec{Nodes: 3}, bursts)
	row := func(id string, stage trace.Stage, from, to int, counter string, notFrom, notTo int) {
		agree := func(from, to int) judge.Measure {
			return judge.Using(traffic, func(m latencyMeans) judge.Measured {
				recorded, truth := judge.Fig("recorded mean", m.recorded[stage], "µs"), judge.Fig("mean by true instants", m.at[to]-m.at[from], "µs")
				return judge.All(judge.Close(recorded, truth, judge.Limit(lateUs, "µs")))
			})
		}
		r.Versus(id, "recorded against true instants, bursts to one node", agree(from, to), counter, agree(notFrom, notTo))
	}
	row("sh-def-src", trace.Source, 1, 2, "the DMA alone, without waiting in the queue", 0, 2)
	row("sh-def-lanai", trace.LANai, 2, 4, "up to the start of the insertion", 2, 3)
	row("sh-def-net", trace.Net, 3, 5, "from the end of the insertion", 4, 5)
	row("sh-def-dest", trace.Dest, 5, 6, "the DMA alone, without waiting for the engine", 7, 6)
}

// latencyMeans are means over packets, µs.
type latencyMeans struct {
	recorded [trace.NumStages]float64
	at       [8]float64 // of each instant
}

// lateUs is how late firmware may record an instant. The published Net less LANai
// of an idle machine, at most 4 µs, is little but that (§4.2); under load the end
// of another handler comes before it.
const lateUs = 5

// bursts sends four messages of 2 KB at a time from each of two nodes to one,
// so that packets wait at every stage. Every message is one packet that is
// fetched by DMA, and nothing is sent again.
func bursts(b *testbed.Testbed) (m latencyMeans) {
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
			b.Fail("%v recorded of %d packets, want %d", trace.Stage(stage), x.Count, 2*each)
		}
		m.recorded[stage] = x.MeanNs / 1000
	}
	return m
}

// contention holds the rows of what raises a latency. In each, one resource alone
// is contended.
func (r *rows) contention() {
	r.raises("sh-why-net", "short packets that cross a stream of pages inside the network", trace.Net, 16, crossing,
		"free ports", func(c *cluster.Spec) { c.Ports = true })
	r.raises("sh-why-src", "pages fetched while the host uses its I/O bus", trace.Source, 2,
		sending(4096, testbed.Quiet, func(p *testbed.Depositor, c *host.Context) {
			p.Send(c, 1, 4096)
			c.PIOWrite(400, host.Words)
		}),
		"a free I/O bus", func(c *cluster.Spec) { c.Hosts.IOBus = true })
	r.raises("sh-netcontention-ni", "short packets to an interface that is busy sending", trace.Net, 3, receiving,
		"interface processors free", func(c *cluster.Spec) { c.Cards.Processor = true })
	three := testbed.Spec{Nodes: 3}
	computing := sending(256, 200*sim.Microsecond, func(p *testbed.Depositor, c *host.Context) {
		c.Compute(host.Work{Flops: 5000, Read: 20_000, Write: 5000})
		p.Send(c, 1, 256)
	})
	r.Versus("sh-lim-comm", "computing and memory traffic between messages", r.loaded(three, computing, unmoved),
		"packets of other nodes between messages", r.loaded(three, crowding, unmoved))
	r.Versus("sh-oneword-page", "words queued behind pages", judge.Both(r.means(three, words(0), true), r.unloaded, suspicious),
		"words and pages one by one", judge.Both(r.means(three, words(testbed.Quiet), true), r.unloaded, suspicious))
}

// raises adds a row of traffic whose load raises one latency. In the
// counter-experiment a resource is uncontended.
func (r *rows) raises(id, experiment string, stage trace.Stage, nodes int, t traffic, counter string, free func(*cluster.Spec)) {
	limited := testbed.Spec{Nodes: nodes, Bytes: 64 << 10}
	unlimited := limited
	unlimited.Cluster = free
	r.Versus(id, experiment, r.loaded(limited, t, rises(stage)), counter, r.loaded(unlimited, t, rises(stage)))
}

// traffic returns the receiver of the measured packets, and the programs: the first
// one sends these packets, the others are the load. If the sender's host is the
// load, the first program does both.
type traffic func(b *testbed.Testbed, load bool) (to int, programs []testbed.Program)

// means are the means of Source, LANai, Net and Dest in µs.
type means [trace.NumStages]float64

// means makes an experiment that measures the latencies of traffic.
func (r *rows) means(s testbed.Spec, t traffic, load bool) judge.Experiment[means] {
	return once(r, s, func(b *testbed.Testbed) (out means) {
		to, programs := t(b, load)
		pair := histo.Pair{Sender: programs[0].Node, Receiver: to}
		if !load {
			programs = programs[:1]
		}
		b.Run(programs...)
		all := b.Snapshot()
		for stage := range out {
			out[stage] = judge.Must(all.Pair(pair, histo.Query{Stage: trace.Stage(stage)})).MeanNs / 1000
		}
		return out
	})
}

// loaded makes a measure of the latencies of traffic with and without its load.
func (r *rows) loaded(s testbed.Spec, t traffic, f func(with, without means) judge.Measured) judge.Measure {
	return judge.Both(r.means(s, t, true), r.means(s, t, false), f)
}

const meansNote = "Source, LANai, Net, Dest %.1f µs, without the load %.1f µs"

// rises states that a load clearly raises one latency, and every other by less.
func rises(stage trace.Stage) func(with, without means) judge.Measured {
	return func(with, without means) judge.Measured {
		up := with[stage] >= (1+raisedShare)*without[stage]
		for s := range with {
			up = up && (trace.Stage(s) == stage || with[s]-without[s] < with[stage]-without[stage])
		}
		return states(up, fmt.Sprintf("%v rises by at least %g %%, and by more than any other", stage, 100*raisedShare), meansNote, with, without)
	}
}

const unmovedUs = 0.3

// unmoved states that a load leaves all latencies as they are.
func unmoved(with, without means) judge.Measured {
	var claims []judge.Claim
	for s := range with {
		name := trace.Stage(s).String()
		claims = append(claims, judge.Close(judge.Fig(name, with[s], "µs"), judge.Fig(name+" without the load", without[s], "µs"), judge.Limit(unmovedUs, "µs")))
	}
	return judge.All(claims...)
}

// sending sends messages from a host that is itself the load. Under load, loaded
// sends each message.
func sending(bytes int, gap sim.Duration, loaded func(*testbed.Depositor, *host.Context)) traffic {
	return func(b *testbed.Testbed, load bool) (to int, programs []testbed.Program) {
		send := loaded
		if !load {
			send = func(p *testbed.Depositor, c *host.Context) { p.Send(c, 1, bytes) }
		}
		return 1, []testbed.Program{testbed.Repeat(0, 100, gap, func(c *host.Context) { send(b.Depositor(0), c) })}
	}
}

// words sends pages to one node and, a gap after each, a word to another.
func words(gap sim.Duration) traffic {
	return sending(4, testbed.Quiet, func(p *testbed.Depositor, c *host.Context) {
		p.Send(c, 2, 4096)
		c.Sleep(gap)
		p.Send(c, 1, 4)
	})
}

// crowding sends messages to a node to which a third one sends pages.
func crowding(b *testbed.Testbed, _ bool) (to int, programs []testbed.Program) {
	return 1, []testbed.Program{b.Each(0, 1, testbed.Same(256, 100), 200*sim.Microsecond), b.Each(2, 1, testbed.Same(4096, 200), 20*sim.Microsecond)}
}

// receiving sends short packets to a node whose interface is busy sending short
// packets to a third node. No link carries both.
func receiving(b *testbed.Testbed, _ bool) (to int, programs []testbed.Program) {
	return 1, []testbed.Program{b.Each(0, 1, testbed.Same(16, 300), 100*sim.Microsecond), b.Each(1, 2, testbed.Same(4, 4000), 0)}
}

// crossing sends short packets over a channel between two switches that also
// carries pages of two other nodes.
func crossing(b *testbed.Testbed, _ bool) (to int, programs []testbed.Program) {
	if !slices.ContainsFunc(b.Net.Route(1, 8), func(channel int32) bool { return slices.Contains(b.Net.Route(0, 4), channel) }) {
		b.Fail("routes 1-8 and 0-4 share no channel")
	}
	return 8, []testbed.Program{b.Each(1, 8, testbed.Same(16, 300), 100*sim.Microsecond), b.Each(0, 4, testbed.Same(64<<10, 60), 0)}
}

// suspicious states that words have nearly the Source latency of an unloaded page.
func suspicious(words means, baseline *trace.Run) judge.Measured {
	all := analysis.Whole(analysis.Of(*baseline).BySize(), 0)
	word, page := all[0].Stat(trace.Source).MeanNs.Value/1000, all[len(all)-1].Stat(trace.Source).MeanNs.Value/1000
	return states(words[trace.Source] >= 0.9*page, "Source of a word is at least nine tenths of that of an unloaded page", "Source of a word %.1f µs; unloaded, of a word %.1f µs and of a page %.1f µs", words[trace.Source], word, page)
}
