package shrimp

import (
	"context"
	"slices"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// published is the clock of the paper: its estimator and its rounds.
func published(round sim.Duration) experiment.ClockSpec {
	return experiment.ClockSpec{Estimator: experiment.EstimatorPublished, Oscillators: "reference", Round: round}
}

// clocks holds the rows of the global clock's protocol and error.
func (r *rows) clocks() {
	eight := testbed.Spec{Nodes: 8, Cluster: clocked(published(0))}
	cold, free := eight, testbed.Spec{Nodes: 8}
	cold.Cold = true
	none := trace.Data // no packet of the protocol
	r.Versus("sh-clk-alg", "clock packets of start-up", r.bed(cold, startUp(none)), "queries lost on the way", r.bed(cold, startUp(trace.ClockQuery)))
	r.Versus("sh-clk-msgs-d", "clock packets of start-up", r.bed(cold, startUp(none)), "replies lost on the way", r.bed(cold, startUp(trace.ClockReply)))
	r.beds("sh-clk-5min", "time between rounds", testbed.Spec{Cluster: clocked(published(0))},
		"rounds every second, as clocks without rates would need", testbed.Spec{Cluster: clocked(published(sim.Second))}, periodMin)
	r.Versus("sh-clk-interp", "error before the next round", r.bed(eight, aged(false)), "the last table's differences held as they are", r.bed(eight, aged(true)))
	r.Of("sh-clk-1s", "clocks set right once", r.bed(free, drifted))
	r.Of("sh-clk-drift-d", "rates of the oscillators", r.bed(free, driftPPM))

	day := judge.Once(func(ctx context.Context) (*experiment.ClockQuality, error) {
		spec := experiment.DefaultClockTest()
		spec.Seed = r.seed
		return experiment.ClockTest(ctx, spec, nil)
	})
	r.Of("sh-clk-err", "clocktest", judge.Both(day, once(r, eight, bothWays), func(q *experiment.ClockQuality, both float64) judge.Measured {
		return value(q.Of(experiment.EstimatorPublished).MaxErrorUs, "largest error over a day; %.2f µs by the published test, half of what the two directions of a pair differ by; %.2f µs with the improved estimator",
			both, q.Of(experiment.EstimatorImproved).MaxErrorUs)
	}))
	r.Of("sh-net-res", "clocktest, baseline", judge.Run(func(s *judge.Session) judge.Measured {
		worst := judge.Get(s, day).Of(experiment.EstimatorPublished).MaxErrorUs
		base := read(s, r.unloaded).class(trace.ClassUnder128, trace.NetMinusLANai).MeanNs.Value / 1000
		return value(worst/base, "%.2f µs of error, %.2f µs of Net less LANai", worst, base)
	}))
}

// publishedClockUs is the published bound of the global clock's error.
const publishedClockUs = 3

// startUp states that the rounds before a program are such that node 0 asks
// every node, each answers and node 0 tells every node the result, after which
// all can convert. The value is the number of messages in a round. The packets
// of one kind are lost.
func startUp(lost trace.Kind) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		round := []trace.Kind{trace.ClockQuery, trace.ClockReply, trace.ClockTable}
		turn, sent, wrong := make([]int, len(b.Nodes)), 0, 0
		b.Net.DropWhen(func(p *fabric.Packet) bool {
			kind, node := p.Header.Meta.Kind, max(p.Src, p.Dst)
			if kind != round[turn[node]] || (p.Src == 0) == (kind == trace.ClockReply) {
				wrong++
			}
			sent++
			turn[node] = (slices.Index(round, kind) + 1) % len(round)
			return kind == lost
		})
		b.Keep(b.Warm())
		known, all, rounds := clocksKnown(b), len(b.Nodes)*len(b.Nodes), b.Nodes[0].Monitor.Clock().Rounds()
		m := judge.All(
			judge.True(wrong == 0, "query, reply and table of every node in turn", "%d packets in %d rounds, %d out of turn", sent, rounds, wrong),
			judge.True(known == all, "all clocks known then", "%d of %d clocks known", known, all))
		m.Value = float64(sent) / float64(rounds)
		return m
	}
}

// periodMin is the time between two rounds once the clocks have settled, in
// minutes.
func periodMin(b *testbed.Bed) judge.Measured {
	asked := make([]sim.Time, 2)
	b.Tap(func(p *fabric.Packet) {
		if p.Header.Meta.Kind == trace.ClockQuery {
			asked = append(asked, b.Engine.Now())
		}
	})
	b.Rest(2 * 3600 * sim.Second)
	n := len(asked)
	return value(asked[n-1].Sub(asked[n-2]).Seconds()/60, "%d rounds in two hours", n-2)
}

// aged states that clocks are within the published error just before the next
// round: as nodes convert, or as they would with the differences of the last
// table alone.
func aged(held bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		clock, period, errors := b.Nodes[0].Monitor.Clock(), b.Protocol().PeriodPs, b.ClockErrors()
		var parted []float64
		for range 20 {
			last := clock.Rounds()
			b.Until(func() bool { return clock.Rounds() != last && b.Protocol().Gap(uint32(clock.Rounds())) == period })
			table := b.Engine.Now()
			b.Rest(sim.Duration(period) - sim.Second)
			errors.Sample()
			parted = append(parted, apart(b, table, b.Engine.Now()))
		}
		if held {
			errors.Us = parted
		}
		return judge.All(judge.Below(judge.Fig("largest error", slices.Max(errors.Us), "µs"), judge.Limit(publishedClockUs, "µs"), 0))
	}
}

// apart returns by how much the two clocks that do most part from one instant
// to another, in µs.
func apart(b *testbed.Bed, from, to sim.Time) float64 {
	var ticks []int64
	for _, n := range b.Nodes {
		ticks = append(ticks, int64(n.Oscillator.Ticks(int64(to))-n.Oscillator.Ticks(int64(from))))
	}
	return float64(slices.Max(ticks)-slices.Min(ticks)) / float64(b.Protocol().HzNum) * 1e6
}

// drifted is how long clocks that were set right stay within the published
// error without knowing their rates.
func drifted(b *testbed.Bed) judge.Measured {
	t := sim.Time(0)
	for apart(b, 0, t) <= publishedClockUs {
		t = t.Add(sim.Millisecond)
	}
	return value(t.Seconds(), "until two of eight are %d µs apart", publishedClockUs)
}

// driftPPM is the largest difference in rate of two clocks.
func driftPPM(b *testbed.Bed) judge.Measured {
	const span = 100 * sim.Second
	return value(apart(b, 0, sim.Time(span))/span.Seconds(), "the two of eight that differ most")
}

// bothWays is the published test of the global clock: messages of one length
// between all ordered pairs of nodes in turn. Half of what Net differs by
// between the two directions is the error of the pair, in µs.
func bothWays(b *testbed.Bed) (worst float64) {
	n := len(b.Nodes)
	b.Rest(3600 * sim.Second) // rounds are as far apart as they get
	for k := range 20 * n * n {
		if from, to := k/n%n, k%n; from != to {
			b.Run(b.Each(from, to, testbed.Same(64, 1), testbed.Quiet))
		}
	}
	s := b.Snapshot()
	net := func(from, to int) float64 {
		return judge.Must(s.Pair(histo.Pair{Sender: from, Receiver: to}, histo.Query{Stage: trace.Net})).MeanNs / 1000
	}
	for k := range n * n {
		if i, j := k/n, k%n; i != j {
			worst = max(worst, (net(i, j)-net(j, i))/2)
		}
	}
	return worst
}
