package shrimp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
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

// probes holds the rows of how exactly interfaces read their clocks.
func (r *rows) probes() {
	plain := published(10 * sim.Millisecond)
	noPriority, noChecks, improved := plain, plain, plain
	noPriority.NoPriority, noChecks.NoInlineChecks, improved.NoInlineChecks = true, true, true
	improved.Estimator = experiment.EstimatorImproved
	idle, busy := watching{clock: plain}, watching{clock: plain, busy: true}
	delayed, filtered := watching{clock: noChecks, busy: true, free: true}, watching{clock: improved, busy: true, free: true}
	in := judge.Memo(func(ctx context.Context, w watching) (*watched, error) {
		change := func(c *cluster.Spec) { c.Clock, c.Ports = w.clock, w.free }
		return once(r, testbed.Spec{Nodes: 8, Cluster: change}, w.watch)(ctx)
	})
	row := func(id, experiment string, w watching, counter string, c watching, f func(*watched) judge.Measured) {
		r.Versus(id, experiment, judge.Using(in(w), f), counter, judge.Using(in(c), f))
	}
	row("sh-clk-prio", "clock packets under load", busy, "no priority", watching{clock: noPriority, busy: true}, preferred)
	row("sh-clk-short", "stamps under load", busy, "no checks inside long operations", watching{clock: noChecks, busy: true}, prompt)
	row("sh-clk-assume", "clock packets of idle interfaces", idle, "one node sends pages to node 0", watching{clock: plain, pages: true}, symmetric)
	const each, estimator = "error of each round under load, no inline checks, free ports", "improved estimator"
	row("sh-clk-poll", each, delayed, estimator, filtered, halfDifference)
	row("sh-clk-sameerr", each, delayed, estimator, filtered, commonDelay)
	r.Versus("sh-why-ni", "clock read by hosts, told by interrupt", r.bed(testbed.Spec{Monitor: "off"}, hostClock),
		"clock read by interfaces", judge.Using(in(idle), func(c *watched) judge.Measured { return inaccurate(c.errorUs) }))
}

// publishedClockUs is the published bound of the global clock's error.
const publishedClockUs = 3

// startUp states that in the rounds before a program node 0 asks every node, each
// answers and node 0 tells every node the result, and that all can convert then.
// The value is the number of messages in a round. Packets of kind lost are lost.
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

// apart returns by how much clocks diverge between two instants, at most over all
// pairs of nodes, in µs.
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
	return value(apart(b, 0, sim.Time(100*sim.Second))/100, "the two of eight that differ most")
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

// watching says which clocks of eight nodes are watched, and what nodes do
// beside keeping them.
type watching struct {
	clock experiment.ClockSpec
	busy  bool // all send to all
	free  bool // ports delay no packet
	pages bool // node 1 sends pages to node 0
}

// watched is what happened to the clock packets of a cluster.
type watched struct {
	*testbed.Witness
	replies []*testbed.ClockPacket // of each node in each round
	delays
	fit fit
}

// watch runs the nodes for a second.
func (w watching) watch(b *testbed.Bed) *watched {
	out, log := &watched{Witness: b.Watch()}, b.ClockLog(string(w.clock.Estimator))
	if w.busy {
		judge.Must(b.Load(120 * sim.Microsecond)).Start()
	}
	if w.pages {
		b.Start(b.Each(1, 0, testbed.Same(host.PageBytes, 5000), 0))
	}
	b.Rest(sim.Second)
	seen, replies := 0, map[int64]*testbed.ClockPacket{}
	for _, row := range log.Rows {
		for ; seen < len(out.Probes) && out.Probes[seen].Arrived.Us() < float64(row.TimeNs)/1000; seen++ {
			if p := out.Probes[seen]; p.Query != nil {
				replies[int64(p.Src)] = p
			}
		}
		if a := replies[row.Node]; a != nil {
			out.replies = append(out.replies, a)
			out.add(row.TrueErrorNs.Value/1000, a.Query.Stamped.Sub(a.Query.Arrived).Us(), (a.Started.Sub(a.Query.Stamped) + a.Stamped.Sub(a.Arrived)).Us())
		}
	}
	out.fit = judge.Must(out.delays.fit())
	return out
}

// us lists a duration of each packet, µs.
func us(list []*testbed.ClockPacket, of func(*testbed.ClockPacket) sim.Duration) (out []float64) {
	for _, p := range list {
		out = append(out, of(p).Us())
	}
	return out
}

// most is the 99th percentile of a list.
func most(name string, list []float64) judge.Figure {
	return judge.Fig("99th percentile of "+name, stat.Quantile(0.99, stat.Empirical, slices.Sorted(slices.Values(list)), nil), "µs")
}

// preferred states that clock packets wait for less than half as long as data
// packets, by the 99th percentiles. Replies come to node 0 in bursts and wait for
// one another: only queries tell how long a clock packet waits for other work.
func preferred(c *watched) judge.Measured {
	clock := us(c.replies, func(a *testbed.ClockPacket) sim.Duration { return a.Query.Served.Sub(a.Query.Arrived) })
	return judge.All(judge.Below(most("waits of queries", clock), most("waits of data packets", c.Waited), 50))
}

// promptUs is how late an event may be stamped: two distances of inline checks
// and a turn of the loop.
const promptUs = 2

// prompt states that events are stamped soon after they happened, however long
// the handler that runs.
func prompt(c *watched) judge.Measured {
	late := us(c.Probes, func(p *testbed.ClockPacket) sim.Duration { return p.Stamped.Sub(p.Arrived) })
	return judge.All(judge.Below(most("delays of stamps", append(late, c.Noticed...)), judge.Limit(promptUs, "µs"), 0))
}

// symmetricUs is by how much the two directions may differ: a fraction of the
// loop's turn.
const symmetricUs = 0.2

// symmetric states that queries and replies take the same time.
func symmetric(c *watched) judge.Measured {
	out := us(c.replies, func(a *testbed.ClockPacket) sim.Duration { return a.Query.Stamped.Sub(a.Query.Started) })
	back := us(c.replies, func(a *testbed.ClockPacket) sim.Duration { return a.Stamped.Sub(a.Started) })
	return judge.All(judge.Close(judge.Fig("mean from node 0", stat.Mean(out, nil), "µs"), judge.Fig("mean to node 0", stat.Mean(back, nil), "µs"), judge.Limit(symmetricUs, "µs")))
}

// delays are what probes take beside their flight, with their effect.
type delays struct {
	errorUs []float64 // of the node's global time after the round
	terms   []float64 // three for each error: 1, (out-back)/2, (out+back)/2, µs
}

// add notes a probe whose query was delayed by out and its reply by back, µs.
func (d *delays) add(errorUs, out, back float64) {
	d.errorUs = append(d.errorUs, errorUs)
	d.terms = append(d.terms, 1, (out-back)/2, (out+back)/2)
}

// fit is the least-squares fit of the errors to the terms.
type fit struct {
	difference, common float64 // µs of error per µs of (out-back)/2 and of (out+back)/2
	residual           float64 // rms, µs
	spread             float64 // rms of the error itself
}

// fit returns it, or an error when there are too few probes or their delays do not
// differ.
func (d delays) fit() (fit, error) {
	n := len(d.errorUs)
	var c, rest mat.VecDense
	if n < 50 || c.SolveVec(mat.NewDense(n, 3, d.terms), mat.NewVecDense(n, d.errorUs)) != nil {
		return fit{}, fmt.Errorf("%d rounds seen, want 50 whose delays are not all alike", n)
	}
	rest.MulVec(mat.NewDense(n, 3, d.terms), &c)
	rest.SubVec(mat.NewVecDense(n, d.errorUs), &rest)
	return fit{c.AtVec(1), c.AtVec(2), stat.StdDev(rest.RawVector().Data, nil), stat.StdDev(d.errorUs, nil)}, nil
}

// halfDifference states that a round is off by half of what the delays of query
// and reply differ by. Global time is less by what the offset is more.
func halfDifference(c *watched) judge.Measured {
	return judge.All(
		judge.Near(judge.Fig("error for each µs of (d1-d2)/2", c.fit.difference, "µs"), judge.Limit(-1, "µs"), 5),
		judge.Below(judge.Fig("rms not explained", c.fit.residual, "µs"), judge.Fig("rms of the error", c.fit.spread, "µs"), 90))
}

// commonShare is how much of a common delay has to show in the offset for the
// claim that it spoils it.
const commonShare = 0.1

// commonDelay states that a delay that query and reply have in common moves the
// offset.
func commonDelay(c *watched) judge.Measured {
	return judge.All(judge.Above(judge.Fig("error for each µs that both are late", math.Abs(c.fit.common), "µs"), judge.Limit(commonShare, "µs"), 0))
}

// inaccurate states that clocks are off by more than the published bound.
func inaccurate(errorUs []float64) judge.Measured {
	worst := floats.Norm(errorUs, math.Inf(1))
	return judge.All(judge.Above(judge.Fig("largest error", worst, "µs"), judge.Limit(publishedClockUs, "µs"), 0))
}

// hostClock lets node 0's host ask node 1's for its time. The one polls for the
// answer, which keeps its CPU from all else, the other is interrupted.
func hostClock(b *testbed.Bed) judge.Measured {
	var asked, read sim.Time
	var errorUs, tripUs []float64
	to := b.Interrupting(0, 1, func(c *host.Context) {
		c.PIORead(1)
		read = c.Now()
		b.Depositor(1).Send(c, 0, 4)
	})
	b.Depositor(0).Exports[1].OnWrite(func(vmmc.Deposit) {
		trip := b.Engine.Now().Sub(asked)
		errorUs, tripUs = append(errorUs, read.Sub(asked.Add(trip/2)).Us()), append(tripUs, trip.Us())
	})
	b.Run(
		testbed.Repeat(0, 50, testbed.Quiet, func(c *host.Context) {
			c.PIORead(1)
			asked = c.Now()
			b.Depositor(0).Deposit(c, to, 4, true)
		}),
		testbed.On(1, func(c *host.Context) { c.Compute(host.Work{Time: 30 * sim.Millisecond}) }),
	)
	m := inaccurate(errorUs)
	m.Note += fmt.Sprintf(", polls for an answer %.1f µs", stat.Mean(tripUs, nil))
	return m
}
