package shrimp

import (
	"fmt"
	"math"
	"slices"

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
	for _, x := range []struct {
		id, experiment string
		stage          trace.Stage
		nodes          int
		traffic        traffic
		counter        string
		free           func(*cluster.Spec)
	}{
		{"sh-why-net", "short packets that cross a stream of pages inside the network", trace.Net, 16, crossing,
			"free ports", func(c *cluster.Spec) { c.Ports = true }},
		{"sh-why-src", "pages fetched while the host uses its I/O bus", trace.Source, 2, fetching,
			"a free I/O bus", func(c *cluster.Spec) { c.Hosts.IOBus = true }},
		{"sh-netcontention-ni", "short packets to an interface that is busy sending", trace.Net, 3, receiving,
			"interface processors free", func(c *cluster.Spec) { c.Cards.Processor = true }},
	} {
		r.Versus(x.id, x.experiment, r.loaded(testbed.Spec{Nodes: x.nodes, Bytes: 64 << 10}, x.traffic, rises(x.stage)),
			x.counter, r.loaded(testbed.Spec{Nodes: x.nodes, Bytes: 64 << 10, Cluster: x.free}, x.traffic, rises(x.stage)),
			fmt.Sprintf("%v rises by at least %g %%, and by more than any other", x.stage, 100*raisedShare))
	}
	three := testbed.Spec{Nodes: 3}
	r.Versus("sh-lim-comm", "computing and memory traffic between messages", r.loaded(three, computing, unmoved),
		"packets of other nodes between messages", r.loaded(three, crowding, unmoved), fmt.Sprintf("no latency changes by %g µs", unmovedUs))
	r.Versus("sh-oneword-page", "words queued behind pages", judge.Both(once(r, testbed.Spec{}, words(0)), r.unloaded, suspicious),
		"words and pages one by one", judge.Both(once(r, testbed.Spec{}, words(testbed.Quiet)), r.unloaded, suspicious),
		"Source of a word is at least nine tenths of that of an unloaded page")
}

// traffic runs packets from one node to another, with a load beside them or
// without.
type traffic func(b *testbed.Bed, load bool) (from, to int)

// means are those of Source, LANai, Net and Dest in µs.
type means [trace.NumStages]float64

// loaded compares the latencies of traffic with its load and without.
func (r *rows) loaded(s testbed.Spec, t traffic, f func(with, without means) judge.Measured) judge.Measure {
	of := func(load bool) judge.Experiment[means] {
		return once(r, s, func(b *testbed.Bed) (out means) {
			from, to := t(b, load)
			all := b.Snapshot()
			for stage := range trace.NumStages {
				m, err := all.Pair(histo.Pair{Sender: from, Receiver: to}, histo.Query{Stage: stage})
				b.Keep(err)
				out[stage] = m.MeanNs / 1000
			}
			return out
		})
	}
	return judge.Both(of(true), of(false), f)
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
		return holds(up, meansNote, with, without)
	}
}

const unmovedUs = 0.3

// unmoved tells whether a load leaves all latencies as they are.
func unmoved(with, without means) judge.Measured {
	ok := true
	for s := range with {
		ok = ok && math.Abs(with[s]-without[s]) < unmovedUs
	}
	return holds(ok, meansNote, with, without)
}

// beside runs a program, and another one if there is a load.
func runBeside(b *testbed.Bed, load bool, program, other testbed.Program) {
	programs := []testbed.Program{program, other}
	if !load {
		programs = programs[:1]
	}
	b.Run(programs...)
}

// crossing sends short packets over a channel between two switches, which
// pages of two other nodes cross too.
func crossing(b *testbed.Bed, load bool) (from, to int) {
	for x := 1; x < len(b.Nodes); x++ {
		for from = 1; from < len(b.Nodes); from++ {
			for to = 1; to < len(b.Nodes); to++ {
				if from != to && from != x && to != x && crosses(b.Net.Route(0, x), b.Net.Route(from, to)) {
					runBeside(b, load, b.Each(from, to, testbed.Same(16, 300), 100*sim.Microsecond), b.Each(0, x, testbed.Same(64<<10, 60), 0))
					return from, to
				}
			}
		}
	}
	b.Fail("no two routes between four nodes share a channel")
	return 0, 1
}

// crosses reports whether two routes share a channel.
func crosses(a, b []int32) bool {
	return slices.ContainsFunc(a, func(channel int32) bool { return slices.Contains(b, channel) })
}

// fetching sends pages while the host of the sender writes to the card's
// control registers all the time.
func fetching(b *testbed.Bed, load bool) (from, to int) {
	b.Run(testbed.On(0, func(c *host.Context) {
		for range 100 {
			b.Depositor(0).Send(c, 1, 4096)
			if load {
				c.PIOWrite(400, false)
			}
			c.Sleep(testbed.Quiet)
		}
	}))
	return 0, 1
}

// receiving sends short packets to a node whose interface is busy sending short
// packets to a third one, so that no link carries both.
func receiving(b *testbed.Bed, load bool) (from, to int) {
	runBeside(b, load, b.Each(0, 1, testbed.Same(16, 300), 100*sim.Microsecond), b.Each(1, 2, testbed.Same(4, 4000), 0))
	return 0, 1
}

// steady sends messages with something between them.
func steady(b *testbed.Bed, between func(*host.Context)) testbed.Program {
	return testbed.On(0, func(c *host.Context) {
		for range 100 {
			between(c)
			b.Depositor(0).Send(c, 1, 256)
			c.Sleep(200 * sim.Microsecond)
		}
	})
}

// computing sends messages from a host that computes between them.
func computing(b *testbed.Bed, load bool) (from, to int) {
	b.Run(steady(b, func(c *host.Context) {
		if load {
			c.Compute(host.Work{Flops: 5000, Read: 20_000, Write: 5000})
		}
	}))
	return 0, 1
}

// crowding sends messages to a node to which a third one sends pages.
func crowding(b *testbed.Bed, load bool) (from, to int) {
	runBeside(b, load, steady(b, func(*host.Context) {}), b.Each(2, 1, testbed.Same(4096, 200), 20*sim.Microsecond))
	return 0, 1
}

// queue is Source of one-word packets and of pages that the same node sends, in
// µs, and of all packets together.
type queue struct{ word, page, all float64 }

// words sends a page and then a word, over and over, with a gap between them.
func words(gap sim.Duration) func(*testbed.Bed) queue {
	return func(b *testbed.Bed) queue {
		b.Run(testbed.On(0, func(c *host.Context) {
			for range 100 {
				b.Depositor(0).Send(c, 1, 4096)
				c.Sleep(gap)
				b.Depositor(0).Send(c, 1, 4)
				c.Sleep(testbed.Quiet)
			}
		}))
		source := func(lo, hi int) float64 {
			return b.Moments(histo.Query{Stage: trace.Source, Sizes: histo.Range{LoBytes: lo, HiBytes: hi}}).MeanNs / 1000
		}
		return queue{word: source(0, 32), page: source(4064, 4096), all: source(0, 0)}
	}
}

// suspicious tells whether words have the Source latency of a page, judged by
// the baseline of both sizes.
func suspicious(q queue, baseline *trace.Run) judge.Measured {
	bins := reading{Run: baseline}.bins(trace.Source)
	word, page := bins[0].MeanNs.Value/1000, bins[len(bins)-1].MeanNs.Value/1000
	return holds(q.word >= 0.9*page, "Source of a word %.1f µs, of a page %.1f µs; unloaded %.1f and %.1f µs; of both sizes together %.1f µs, which says nothing",
		q.word, q.page, word, page, q.all)
}
