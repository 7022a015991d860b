package shrimp

import (
	"context"
	"fmt"

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
		id, experiment, counter string
		stage                   trace.Stage
		of                      func(load, free bool) (fourMeans, error)
	}{
		{"sh-why-net", "short packets that cross a stream of pages inside the network", "free ports", trace.Net, r.crossing},
		{"sh-why-src", "pages fetched while the host uses its I/O bus", "a free I/O bus", trace.Source, r.fetching},
		{"sh-netcontention-ni", "short packets to an interface that is busy sending", "interface processors free", trace.Net, r.receiving},
	} {
		r.Versus(x.id, x.experiment, contended(x.stage, false, x.of), x.counter, contended(x.stage, true, x.of))
	}
	queued := judge.Once(func(context.Context) (*jam, error) { return r.jam(true) })
	single := judge.Once(func(context.Context) (*jam, error) { return r.jam(false) })
	r.Versus("sh-oneword-page", "words queued behind pages", r.suspicious(queued), "words and pages one by one", r.suspicious(single))
}

// fourMeans are means of Source, LANai, Net and Dest in µs, and Net less LANai.
type fourMeans [trace.NumStages + 1]float64

// pairMeans reads them for the packets from one node to another.
func pairMeans(b *testbed.Bed, from, to int) (fourMeans, error) {
	var out fourMeans
	s := b.Snapshot()
	for stage := range trace.NumStages {
		m, err := s.Pair(histo.Pair{Sender: from, Receiver: to}, histo.Query{Stage: stage})
		if err != nil {
			return out, err
		}
		out[stage] = m.MeanNs / 1000
	}
	out[trace.NetMinusLANai] = out[trace.Net] - out[trace.LANai]
	return out, b.Err()
}

// contended tells whether contention raises one stage by at least a quarter,
// and no other by as much.
func contended(stage trace.Stage, free bool, of func(load, free bool) (fourMeans, error)) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		alone, err := of(false, free)
		if err != nil {
			return judge.Measured{}, err
		}
		with, err := of(true, free)
		if err != nil {
			return judge.Measured{}, err
		}
		up := with[stage] >= (1+raisedShare)*alone[stage]
		for s := range trace.NumStages {
			up = up && (s == stage || with[s]-alone[s] < with[stage]-alone[stage])
		}
		return holds(up, "Source, LANai, Net, Dest %.1f µs, without contention %.1f µs", with[:trace.NumStages], alone[:trace.NumStages]), nil
	})
}

// crossing sends short packets over a channel between two switches, which
// pages of two other nodes cross too.
func (r *rows) crossing(load, free bool) (fourMeans, error) {
	b, err := r.open(testbed.Spec{Nodes: 16, Bytes: 64 << 10, Cluster: func(c *cluster.Spec) { c.Ports = free }})
	if err != nil {
		return fourMeans{}, err
	}
	defer b.Engine.Close()
	a, x, c, y, ok := crossroads(b)
	if !ok {
		return fourMeans{}, fmt.Errorf("no two routes between four nodes share a channel")
	}
	programs := []testbed.Program{b.Each(c, y, testbed.Same(16, 300), 100*sim.Microsecond)}
	if load {
		programs = append(programs, b.Each(a, x, testbed.Same(64<<10, 60), 0))
	}
	b.Run(programs...)
	return pairMeans(b, c, y)
}

// crossroads finds four nodes of which the way from the first to the second
// and that from the third to the fourth share a channel.
func crossroads(b *testbed.Bed) (a, x, c, y int, ok bool) {
	n := len(b.Nodes)
	for x = 1; x < n; x++ {
		used := map[int32]bool{}
		for _, ch := range b.Net.Route(0, x) {
			used[ch] = true
		}
		for c = 1; c < n; c++ {
			for y = 1; y < n; y++ {
				if c == y || c == x || y == x {
					continue
				}
				for _, ch := range b.Net.Route(c, y) {
					if used[ch] {
						return 0, x, c, y, true
					}
				}
			}
		}
	}
	return 0, 0, 0, 0, false
}

// fetching sends pages while the host of the sender writes to the card's
// control registers all the time.
func (r *rows) fetching(load, free bool) (fourMeans, error) {
	b, err := r.open(testbed.Spec{Cluster: func(c *cluster.Spec) { c.Hosts.IOBus = free }})
	if err != nil {
		return fourMeans{}, err
	}
	defer b.Engine.Close()
	b.Run(testbed.On(0, func(c *host.Context) {
		for range 100 {
			b.Depositor(0).Send(c, 1, 4096)
			if load {
				c.PIOWrite(400, false)
			}
			c.Sleep(testbed.Quiet)
		}
	}))
	return pairMeans(b, 0, 1)
}

// receiving sends short packets to a node whose interface is busy sending short
// packets to a third one, so that no link carries both.
func (r *rows) receiving(load, free bool) (fourMeans, error) {
	b, err := r.open(testbed.Spec{Nodes: 3, Cluster: func(c *cluster.Spec) { c.Cards.Processor = free }})
	if err != nil {
		return fourMeans{}, err
	}
	defer b.Engine.Close()
	programs := []testbed.Program{b.Each(0, 1, testbed.Same(16, 300), 100*sim.Microsecond)}
	if load {
		programs = append(programs, b.Each(1, 2, testbed.Same(4, 4000), 0))
	}
	b.Run(programs...)
	return pairMeans(b, 0, 1)
}

// jam is Source of one-word packets and of pages that the same node sends, in
// µs, and of all packets together.
type jam struct{ word, page, all float64 }

// jam sends a page and then a word, over and over: together, so that the
// words wait for the pages, or one by one.
func (r *rows) jam(together bool) (*jam, error) {
	b, err := r.open(testbed.Spec{})
	if err != nil {
		return nil, err
	}
	defer b.Engine.Close()
	b.Run(testbed.On(0, func(c *host.Context) {
		for range 100 {
			b.Depositor(0).Send(c, 1, 4096)
			if !together {
				c.Sleep(testbed.Quiet)
			}
			b.Depositor(0).Send(c, 1, 4)
			c.Sleep(testbed.Quiet)
		}
	}))
	s := b.Snapshot()
	out := &jam{}
	for _, x := range []struct {
		to    *float64
		sizes histo.Range
	}{{&out.word, histo.Range{LoBytes: 0, HiBytes: 32}}, {&out.page, histo.Range{LoBytes: 4064, HiBytes: 4096}}, {&out.all, histo.Range{}}} {
		m, err := s.Moments(histo.Query{Stage: trace.Source, Sizes: x.sizes})
		if err != nil {
			return nil, err
		}
		*x.to = m.MeanNs / 1000
	}
	return out, b.Err()
}

// suspicious tells whether words have the Source latency of a page, judged by
// the baseline of both sizes.
func (r *rows) suspicious(get func(context.Context) (*jam, error)) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		run, err := r.unloaded(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		bins := sizeBins(run, trace.Source)
		word, page := bins[0].MeanNs.Value/1000, bins[len(bins)-1].MeanNs.Value/1000
		j, err := get(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		return holds(j.word >= 0.9*page, "Source of a word %.1f µs, of a page %.1f µs; unloaded %.1f and %.1f µs; of both sizes together %.1f µs, which says nothing",
			j.word, j.page, word, page, j.all), nil
	}
}
