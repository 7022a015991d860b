package shrimp

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// contention holds the rows of what a raised latency means: one resource is
// contended and all others are not.
func (r *rows) contention() {
	r.raises("sh-why-net", "short packets that cross a stream of pages inside the network", trace.Net, 16, crossing,
		"free ports", func(c *cluster.Spec) { c.Ports = true })
	r.raises("sh-why-src", "pages fetched while the host uses its I/O bus", trace.Source, 2,
		sending(4096, testbed.Quiet, idle, func(_ *testbed.Bed, c *host.Context) { c.PIOWrite(400, false) }),
		"a free I/O bus", func(c *cluster.Spec) { c.Hosts.IOBus = true })
	r.raises("sh-netcontention-ni", "short packets to an interface that is busy sending", trace.Net, 3, receiving,
		"interface processors free", func(c *cluster.Spec) { c.Cards.Processor = true })
	three := testbed.Spec{Nodes: 3}
	computing := sending(256, 200*sim.Microsecond, func(_ *testbed.Bed, c *host.Context) { c.Compute(host.Work{Flops: 5000, Read: 20_000, Write: 5000}) }, idle)
	r.Versus("sh-lim-comm", "computing and memory traffic between messages", r.loaded(three, computing, unmoved),
		"packets of other nodes between messages", r.loaded(three, crowding, unmoved))
	r.Versus("sh-oneword-page", "words queued behind pages", judge.Both(r.means(three, words(0), true), r.unloaded, suspicious),
		"words and pages one by one", judge.Both(r.means(three, words(testbed.Quiet), true), r.unloaded, suspicious))
}

// raises adds a row of traffic whose load raises one latency. In the
// counter-experiment a resource has no limit.
func (r *rows) raises(id, experiment string, stage trace.Stage, nodes int, t traffic, counter string, free func(*cluster.Spec)) {
	limited := testbed.Spec{Nodes: nodes, Bytes: 64 << 10}
	unlimited := limited
	unlimited.Cluster = free
	r.Versus(id, experiment, r.loaded(limited, t, rises(stage)), counter, r.loaded(unlimited, t, rises(stage)))
}

// traffic gives the program that sends the packets in question, their receiver,
// and the program that is the load. Where the sender's host is the load, the
// first program does both.
type traffic func(b *testbed.Bed, load bool) (to int, program, other testbed.Program)

// means are those of Source, LANai, Net and Dest in µs.
type means [trace.NumStages]float64

// means reads the latencies of traffic.
func (r *rows) means(s testbed.Spec, t traffic, load bool) judge.Experiment[means] {
	return once(r, s, func(b *testbed.Bed) (out means) {
		to, program, other := t(b, load)
		programs := []testbed.Program{program}
		if load {
			programs = append(programs, other)
		}
		b.Run(programs...)
		all := b.Snapshot()
		for stage := range out {
			q := histo.Query{Stage: trace.Stage(stage)}
			out[stage] = judge.Must(all.Pair(histo.Pair{Sender: program.Node, Receiver: to}, q)).MeanNs / 1000
		}
		return out
	})
}

// loaded compares the latencies of traffic with its load and without.
func (r *rows) loaded(s testbed.Spec, t traffic, f func(with, without means) judge.Measured) judge.Measure {
	return judge.Both(r.means(s, t, true), r.means(s, t, false), f)
}

const meansNote = "Source, LANai, Net, Dest %.1f µs, without the load %.1f µs"

// rises tells whether a load raises one latency clearly, and no other by as
// much.
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

// unmoved tells whether a load leaves all latencies as they are.
func unmoved(with, without means) judge.Measured {
	ok := true
	for s := range with {
		ok = ok && math.Abs(with[s]-without[s]) < unmovedUs
	}
	return states(ok, fmt.Sprintf("no latency changes by %g µs", unmovedUs), meansNote, with, without)
}

// sending sends messages from a host that itself is the load, before each
// message or after it.
func sending(bytes int, gap sim.Duration, before, after func(*testbed.Bed, *host.Context)) traffic {
	return func(b *testbed.Bed, load bool) (to int, program, other testbed.Program) {
		before, after := before, after
		if !load {
			before, after = idle, idle
		}
		return 1, testbed.Repeat(0, 100, gap, func(c *host.Context) {
			before(b, c)
			b.Depositor(0).Send(c, 1, bytes)
			after(b, c)
		}), testbed.On(0, func(*host.Context) {})
	}
}

func idle(*testbed.Bed, *host.Context) {}

// words sends a word a gap after each page, which goes to another node.
func words(gap sim.Duration) traffic {
	return sending(4, testbed.Quiet, func(b *testbed.Bed, c *host.Context) {
		b.Depositor(0).Send(c, 2, 4096)
		c.Sleep(gap)
	}, idle)
}

// crowding sends messages to a node to which a third one sends pages.
func crowding(b *testbed.Bed, _ bool) (to int, program, other testbed.Program) {
	return 1, b.Each(0, 1, testbed.Same(256, 100), 200*sim.Microsecond), b.Each(2, 1, testbed.Same(4096, 200), 20*sim.Microsecond)
}

// receiving sends short packets to a node whose interface is busy sending short
// packets to a third one, so that no link carries both.
func receiving(b *testbed.Bed, _ bool) (to int, program, other testbed.Program) {
	return 1, b.Each(0, 1, testbed.Same(16, 300), 100*sim.Microsecond), b.Each(1, 2, testbed.Same(4, 4000), 0)
}

// crossing sends short packets over a channel between two switches, which
// pages of two other nodes cross too.
func crossing(b *testbed.Bed, _ bool) (to int, program, other testbed.Program) {
	for x := 1; x < len(b.Nodes); x++ {
		crosses := func(channel int32) bool { return slices.Contains(b.Net.Route(0, x), channel) }
		for from := 1; from < len(b.Nodes); from++ {
			for to := 1; to < len(b.Nodes); to++ {
				if from != to && from != x && to != x && slices.ContainsFunc(b.Net.Route(from, to), crosses) {
					return to, b.Each(from, to, testbed.Same(16, 300), 100*sim.Microsecond), b.Each(0, x, testbed.Same(64<<10, 60), 0)
				}
			}
		}
	}
	panic("papers/shrimp: no two routes between four nodes share a channel")
}

// suspicious tells whether words have the Source latency of a page, judged by
// the baseline of both sizes.
func suspicious(words means, baseline *trace.Run) judge.Measured {
	all := analysis.Whole(analysis.Of(*baseline).BySize(), 0)
	word, page := all[0].Stat(trace.Source).MeanNs.Value/1000, all[len(all)-1].Stat(trace.Source).MeanNs.Value/1000
	return states(words[trace.Source] >= 0.9*page, "Source of a word is at least nine tenths of that of an unloaded page", "Source of a word %.1f µs; unloaded %.1f µs, of a page %.1f µs", words[trace.Source], word, page)
}
