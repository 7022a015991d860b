package shrimp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// published is the clock of the paper: its estimator and its rounds.
func published() experiment.ClockSpec {
	return experiment.ClockSpec{Estimator: experiment.EstimatorPublished, Oscillators: "reference"}
}

// clocks holds the rows of the global clock's protocol and error.
func (r *rows) clocks() {
	r.Versus("sh-clk-alg", "clock packets of start-up", r.protocol(false), "queries lost on the way", r.protocol(true))
	r.Versus("sh-clk-msgs-d", "clock packets of start-up", r.roundMessages(false), "replies lost on the way", r.roundMessages(true))
	r.Versus("sh-clk-5min", "time between rounds", r.period(0),
		"rounds every second, as clocks without rates would need", r.period(sim.Second))
	age := judge.Once(func(context.Context) (*aged, error) { return r.aging() })
	r.Versus("sh-clk-interp", "error before the next round", judge.Read(age, func(a *aged) (judge.Measured, error) {
		return holds(a.interpolated < publishedClockUs, "at most %.2f µs over %d rounds", a.interpolated, a.rounds), nil
	}), "the last table's differences held as they are", judge.Read(age, func(a *aged) (judge.Measured, error) {
		return holds(a.held < publishedClockUs, "up to %.0f µs", a.held), nil
	}))
	r.Of("sh-clk-1s", "clocks set right once", r.bed(testbed.Spec{Nodes: 8}, drifted))
	r.Of("sh-clk-drift-d", "rates of the oscillators", r.bed(testbed.Spec{Nodes: 8}, driftPPM))

	day := judge.Once(func(ctx context.Context) (*experiment.ClockQuality, error) {
		spec := experiment.DefaultClockTest()
		spec.Seed = r.seed
		return experiment.ClockTest(ctx, spec, nil)
	})
	r.Of("sh-clk-err", "clocktest", func(ctx context.Context) (judge.Measured, error) {
		q, err := day(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		both, err := r.bothWays()
		return value(q.Of(experiment.EstimatorPublished).MaxErrorUs, "largest error over a day; %.2f µs by the published test, half of what the two directions of a pair differ by; %.2f µs with the improved estimator",
			both, q.Of(experiment.EstimatorImproved).MaxErrorUs), err
	})
	r.Of("sh-net-res", "clocktest, baseline", func(ctx context.Context) (judge.Measured, error) {
		q, err := day(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		run, err := r.unloaded(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		base, ok := class(run, trace.ClassUnder128, trace.NetMinusLANai)
		if !ok {
			return judge.Measured{}, fmt.Errorf("no short packets in the baseline")
		}
		worst := q.Of(experiment.EstimatorPublished).MaxErrorUs
		return value(worst*1000/base.MeanNs.Value, "%.2f µs of error, %.2f µs of Net less LANai", worst, base.MeanNs.Value/1000), nil
	})
}

// publishedClockUs is the published bound of the global clock's error.
const publishedClockUs = 3

// clockKinds are the packets of the clock protocol in the order of a round.
var clockKinds = [3]trace.Kind{trace.ClockQuery, trace.ClockReply, trace.ClockTable}

// startUp runs the rounds before a program would start on the paper's cluster
// and hands every clock packet to see, which may lose it.
func (r *rows) startUp(see func(*fabric.Packet) (lose bool)) (*testbed.Bed, error) {
	b, err := r.open(testbed.Spec{Nodes: 8, Cluster: clocked(published()), Cold: true})
	if err != nil {
		return nil, err
	}
	b.Net.DropWhen(func(p *fabric.Packet) bool { return !p.Header.Meta.Kind.CarriesRequest() && see(p) })
	return b, b.Warm()
}

// protocol follows the rounds: node 0 asks every node, each answers, node 0
// tells every node the result, and all can convert.
func (r *rows) protocol(lose bool) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		var count [3]int
		wrong := 0
		stage := map[int32]int{} // by node: 0 nothing, 1 queried, 2 replied; only looked up
		b, err := r.startUp(func(p *fabric.Packet) bool {
			node, expect := p.Dst, 0
			switch p.Header.Meta.Kind {
			case trace.ClockQuery:
				count[0]++
			case trace.ClockReply:
				count[1]++
				node, expect = p.Src, 1
			case trace.ClockTable:
				count[2]++
				expect = 2
			default:
				return false
			}
			if stage[node] != expect || (p.Src == 0) == (p.Header.Meta.Kind == trace.ClockReply) {
				wrong++
			}
			stage[node] = (expect + 1) % 3
			return lose && p.Header.Meta.Kind == trace.ClockQuery
		})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		ready := 0
		for _, n := range b.Nodes {
			for i := range b.Nodes {
				if n.Monitor.Clock().Converter().Ready(i) {
					ready++
				}
			}
		}
		return holds(wrong == 0 && ready == len(b.Nodes)*len(b.Nodes),
			"%d queries, %d replies, %d tables, %d of them out of turn; %d of 64 clocks known", count[0], count[1], count[2], wrong, ready), nil
	})
}

// roundMessages is the number of messages per round.
func (r *rows) roundMessages(lose bool) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		sent := 0
		b, err := r.startUp(func(p *fabric.Packet) bool {
			for _, k := range clockKinds {
				if p.Header.Meta.Kind == k {
					sent++
				}
			}
			return lose && p.Header.Meta.Kind == trace.ClockReply
		})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		rounds := b.Nodes[0].Monitor.Clock().Rounds()
		return value(float64(sent)/float64(rounds), "%d rounds", rounds), nil
	})
}

// period is the time between two rounds once the clocks have settled, in
// minutes.
func (r *rows) period(round sim.Duration) judge.Measure {
	clock := published()
	clock.Round = round
	return r.bed(testbed.Spec{Cluster: clocked(clock)}, func(b *testbed.Bed) judge.Measured {
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
	})
}

// aged is how wrong clocks are just before the next round.
type aged struct {
	rounds             int
	interpolated, held float64 // µs, the worst of all ordered pairs
}

// aging looks at the clocks at the end of twenty periods: as nodes convert,
// and as they would with the differences of the last table alone.
func (r *rows) aging() (*aged, error) {
	b, err := r.open(testbed.Spec{Nodes: 8, Cluster: clocked(published())})
	if err != nil {
		return nil, err
	}
	defer b.Engine.Close()
	out := &aged{}
	atTable := offsets(b, b.Engine.Now())
	began := sim.Time(0)
	b.Nodes[0].Monitor.Clock().OnRound(func(uint32) { atTable, began = offsets(b, b.Engine.Now()), b.Engine.Now() })
	period := sim.Duration(b.Protocol().PeriodPs)
	s := b.ClockErrors()
	for out.rounds < 20 {
		last := began
		b.Until(func() bool { return began != last })
		if !b.OK() {
			break
		}
		if gap := b.Protocol().Gap(uint32(b.Nodes[0].Monitor.Clock().Rounds())); sim.Duration(gap) < period {
			continue
		}
		b.Rest(period - sim.Second)
		s.Sample()
		out.held = max(out.held, apart(b, atTable, offsets(b, b.Engine.Now())))
		out.rounds++
	}
	for _, e := range s.Us {
		out.interpolated = max(out.interpolated, e)
	}
	return out, b.Err()
}

// offsets returns every clock's ticks less node 0's at t.
func offsets(b *testbed.Bed, t sim.Time) []float64 {
	out := make([]float64, len(b.Nodes))
	zero := int64(b.Nodes[0].Oscillator.Ticks(int64(t)))
	for i, n := range b.Nodes {
		out[i] = float64(int64(n.Oscillator.Ticks(int64(t))) - zero)
	}
	return out
}

// apart returns by how much the two clocks that differ most have parted
// between two sets of offsets, in µs.
func apart(b *testbed.Bed, from, to []float64) float64 {
	worst := 0.0
	for i := range to {
		for j := range to {
			worst = max(worst, math.Abs((to[i]-from[i])-(to[j]-from[j])))
		}
	}
	return worst / float64(b.Protocol().HzNum) * 1e6
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
func (r *rows) bothWays() (float64, error) {
	b, err := r.open(testbed.Spec{Nodes: 8, Cluster: clocked(published())})
	if err != nil {
		return 0, err
	}
	defer b.Engine.Close()
	b.Rest(3600 * sim.Second) // rounds are as far apart as they get
	for range 20 {
		for i := range b.Nodes {
			for j := range b.Nodes {
				if i == j {
					continue
				}
				b.Run(b.Each(i, j, testbed.Same(64, 1), testbed.Quiet))
			}
		}
	}
	s := b.Snapshot()
	worst := 0.0
	for i := range b.Nodes {
		for j := range i {
			there, err := s.Pair(histo.Pair{Sender: i, Receiver: j}, histo.Query{Stage: trace.Net})
			if err != nil {
				return 0, err
			}
			back, err := s.Pair(histo.Pair{Sender: j, Receiver: i}, histo.Query{Stage: trace.Net})
			if err != nil {
				return 0, err
			}
			worst = max(worst, math.Abs(there.MeanNs-back.MeanNs)/2000)
		}
	}
	return worst, b.Err()
}
