package shrimp

import (
	"context"
	"math"
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
	cold := eight
	cold.Cold = true
	started := func(lost trace.Kind, f func(startUp) judge.Measured) judge.Measure {
		return judge.Using(once(r, cold, rounds(lost)), f)
	}
	none := trace.Data // no packet of the protocol
	r.Versus("sh-clk-alg", "clock packets of start-up", started(none, inTurn), "queries lost on the way", started(trace.ClockQuery, inTurn))
	r.Versus("sh-clk-msgs-d", "clock packets of start-up", started(none, perRound), "replies lost on the way", started(trace.ClockReply, perRound))
	r.beds("sh-clk-5min", "time between rounds", testbed.Spec{Cluster: clocked(published(0))},
		"rounds every second, as clocks without rates would need", testbed.Spec{Cluster: clocked(published(sim.Second))}, periodMin)
	ageing := once(r, eight, aged)
	within := func(held bool) judge.Measure {
		return judge.Using(ageing, func(a age) judge.Measured {
			us := map[bool]float64{false: a.interpolated, true: a.held}[held]
			return judge.All(judge.Below(judge.Fig("µs of error", us), judge.Limit(publishedClockUs), 0))
		})
	}
	r.Versus("sh-clk-interp", "error before the next round", within(false), "the last table's differences held as they are", within(true))
	r.Of("sh-clk-1s", "clocks set right once", r.bed(testbed.Spec{Nodes: 8}, drifted))
	r.Of("sh-clk-drift-d", "rates of the oscillators", r.bed(testbed.Spec{Nodes: 8}, driftPPM))

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

// clockKinds are the packets of the clock protocol in the order of a round.
var clockKinds = []trace.Kind{trace.ClockQuery, trace.ClockReply, trace.ClockTable}

// startUp is what the rounds before a program would start consist of.
type startUp struct {
	count  [3]int // packets of clockKinds
	wrong  int    // of them out of turn
	rounds uint64
	ready  int // clocks known, on all nodes together
	of     int
}

// rounds runs them with the packets of one kind lost: node 0 asks every node,
// each answers, node 0 tells every node the result, and all can convert.
func rounds(lost trace.Kind) func(*testbed.Bed) startUp {
	return func(b *testbed.Bed) (s startUp) {
		turn := make([]int, len(b.Nodes)) // which of clockKinds is next
		b.Net.DropWhen(func(p *fabric.Packet) bool {
			kind := p.Header.Meta.Kind
			i := slices.Index(clockKinds, kind)
			if i < 0 {
				return false
			}
			s.count[i]++
			node := p.Dst
			if kind == trace.ClockReply {
				node = p.Src
			}
			if turn[node] != i || (p.Src == 0) == (kind == trace.ClockReply) {
				s.wrong++
			}
			turn[node] = (i + 1) % len(clockKinds)
			return kind == lost
		})
		b.Keep(b.Warm())
		s.rounds = uint64(b.Nodes[0].Monitor.Clock().Rounds())
		s.ready, s.of = clocksKnown(b), len(b.Nodes)*len(b.Nodes)
		return s
	}
}

// inTurn tells whether every packet comes in its turn, and all clocks are known
// then.
func inTurn(s startUp) judge.Measured {
	return holds(s.wrong == 0 && s.ready == s.of, "%d queries, %d replies, %d tables, %d of them out of turn; %d of %d clocks known",
		s.count[0], s.count[1], s.count[2], s.wrong, s.ready, s.of)
}

// perRound is the number of messages in a round.
func perRound(s startUp) judge.Measured {
	return value(float64(s.count[0]+s.count[1]+s.count[2])/float64(s.rounds), "%d rounds", s.rounds)
}

// periodMin is the time between two rounds once the clocks have settled, in
// minutes.
func periodMin(b *testbed.Bed) judge.Measured {
	var asked []sim.Time
	b.Tap(func(p *fabric.Packet) {
		if p.Header.Meta.Kind == trace.ClockQuery {
			asked = append(asked, b.Engine.Now())
		}
	})
	b.Rest(2 * 3600 * sim.Second)
	n := len(asked)
	if n < 3 {
		b.Fail("%d rounds in two hours", n)
		return judge.Measured{}
	}
	return value(asked[n-1].Sub(asked[n-2]).Seconds()/60, "%d rounds in two hours", n)
}

// age is how wrong clocks are just before the next round, at worst between any
// two, in µs: as nodes convert, and as they would with the differences of the
// last table alone.
type age struct{ interpolated, held float64 }

// aged looks at the clocks at the end of twenty periods.
func aged(b *testbed.Bed) (out age) {
	clock := b.Nodes[0].Monitor.Clock()
	atTable, rounds := offsets(b, b.Engine.Now()), 0
	clock.OnRound(func(uint32) {
		atTable = offsets(b, b.Engine.Now())
		rounds++
	})
	period := sim.Duration(b.Protocol().PeriodPs)
	errors := b.ClockErrors()
	for looks := 0; looks < 20 && b.OK(); {
		last := rounds
		b.Until(func() bool { return rounds != last })
		if gap := b.Protocol().Gap(uint32(clock.Rounds())); sim.Duration(gap) < period {
			continue
		}
		b.Rest(period - sim.Second)
		errors.Sample()
		out.held = max(out.held, apart(b, atTable, offsets(b, b.Engine.Now())))
		looks++
	}
	out.interpolated = slices.Max(append(errors.Us, 0))
	return out
}

// offsets returns every clock's ticks less node 0's at t.
func offsets(b *testbed.Bed, t sim.Time) []float64 {
	out := make([]float64, len(b.Nodes))
	for i, n := range b.Nodes {
		out[i] = float64(int64(n.Oscillator.Ticks(int64(t))) - int64(b.Nodes[0].Oscillator.Ticks(int64(t))))
	}
	return out
}

// apart returns by how much the two clocks that differ most have parted
// between two sets of offsets, in µs.
func apart(b *testbed.Bed, from, to []float64) float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for i := range to {
		least, most = min(least, to[i]-from[i]), max(most, to[i]-from[i])
	}
	return (most - least) / float64(b.Protocol().HzNum) * 1e6
}

// drifted is how long clocks that were set right stay within the published
// error without knowing their rates.
func drifted(b *testbed.Bed) judge.Measured {
	began := offsets(b, 0)
	for t := sim.Time(0); ; t = t.Add(sim.Millisecond) {
		if apart(b, began, offsets(b, t)) > publishedClockUs {
			return value(t.Seconds(), "until two of eight are %d µs apart", publishedClockUs)
		}
	}
}

// driftPPM is the largest difference in rate of two clocks.
func driftPPM(b *testbed.Bed) judge.Measured {
	const span = 100 * sim.Second
	return value(apart(b, offsets(b, 0), offsets(b, sim.Time(0).Add(span)))/span.Seconds(), "the two of eight that differ most")
}

// bothWays is the published test of the global clock: messages of one length
// between all ordered pairs of nodes in turn. Half of what Net differs by
// between the two directions is the error of the pair, in µs.
func bothWays(b *testbed.Bed) (worst float64) {
	b.Rest(3600 * sim.Second) // rounds are as far apart as they get
	for range 20 {
		for i := range b.Nodes {
			for j := range b.Nodes {
				if i != j {
					b.Run(b.Each(i, j, testbed.Same(64, 1), testbed.Quiet))
				}
			}
		}
	}
	s := b.Snapshot()
	net := func(i, j int) float64 {
		m, err := s.Pair(histo.Pair{Sender: i, Receiver: j}, histo.Query{Stage: trace.Net})
		b.Keep(err)
		return m.MeanNs / 1000
	}
	for i := range b.Nodes {
		for j := range i {
			worst = max(worst, math.Abs(net(i, j)-net(j, i))/2)
		}
	}
	return worst
}
