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
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// published returns the clock settings of the paper: its estimator, and the time
// between rounds.
func published(round sim.Duration) experiment.ClockSpec {
	return experiment.ClockSpec{Estimator: experiment.EstimatorPublished, Oscillators: "reference", Round: round}
}

// clocks holds the rows of the global clock's protocol and error.
func (r *rows) clocks() {
	eight := testbed.Spec{Nodes: 8, Cluster: clocked(published(0))}
	cold, free := eight, testbed.Spec{Nodes: 8}
	cold.Cold = true
	none := trace.Data // no packet of the protocol
	r.Versus("sh-clk-alg", "clock packets of start-up", r.testbed(cold, startUp(none)), "queries lost on the way", r.testbed(cold, startUp(trace.ClockQuery)))
	r.Versus("sh-clk-msgs-d", "clock packets of start-up", r.testbed(cold, startUp(none)), "replies lost on the way", r.testbed(cold, startUp(trace.ClockReply)))
	r.testbeds("sh-clk-5min", "time between rounds", testbed.Spec{Cluster: clocked(published(0))},
		"rounds every second, as without rate estimates", testbed.Spec{Cluster: clocked(published(sim.Second))}, periodMin)
	r.Versus("sh-clk-interp", "error before the next round", r.testbed(eight, aged(false)), "the last table's offsets, without rates", r.testbed(eight, aged(true)))
	r.Of("sh-clk-1s", "clocks set right once", r.testbed(free, drifted))
	r.Of("sh-clk-drift-d", "rates of the oscillators", r.testbed(free, func(b *testbed.Testbed) judge.Measured {
		return value(apart(b, 0, sim.Time(100*sim.Second))/100, "between the two of eight that differ most")
	}))

	day := judge.Once(func(ctx context.Context) (*experiment.ClockQuality, error) {
		spec := experiment.DefaultClockTest()
		spec.Seed = r.seed
		return experiment.ClockTest(ctx, spec, nil)
	})
	r.Of("sh-clk-err", "clocktest", judge.Both(day, once(r, eight, bothWays), func(q *experiment.ClockQuality, both float64) judge.Measured {
		return value(q.Of(experiment.EstimatorPublished).MaxErrorUs, "largest error over a day; %.2f µs by the published test, half the difference between the two directions of a pair; %.2f µs with the improved estimator",
			both, q.Of(experiment.EstimatorImproved).MaxErrorUs)
	}))
	r.Of("sh-net-res", "clocktest, baseline", judge.Run(func(s *judge.Session) judge.Measured {
		worst := judge.Get(s, day).Of(experiment.EstimatorPublished).MaxErrorUs
		base := read(s, r.unloaded).class(trace.ClassUnder128, trace.NetMinusLANai).MeanNs.Value / 1000
		return value(worst/base, "%.2f µs of error, %.2f µs of Net less LANai", worst, base)
	}))
}

// probes holds the rows of how promptly interfaces read their clocks.
func (r *rows) probes() {
	plain := published(10 * sim.Millisecond)
	noPriority, noChecks, improved := plain, plain, plain
	noPriority.NoPriority, noChecks.NoInlineChecks, improved.NoInlineChecks = true, true, true
	improved.Estimator = experiment.EstimatorImproved
	in := func(clock experiment.ClockSpec, freePorts bool, load func(*testbed.Testbed)) judge.Experiment[*watched] {
		change := func(c *cluster.Spec) { c.Clock, c.Ports = clock, freePorts }
		return once(r, testbed.Spec{Nodes: 8, Cluster: change}, func(b *testbed.Testbed) *watched { return watch(b, load) })
	}
	row := func(id, experiment string, is judge.Experiment[*watched], counter string, not judge.Experiment[*watched], f func(*watched) judge.Measured) {
		r.Versus(id, experiment, judge.Using(is, f), counter, judge.Using(not, f))
	}
	all := func(b *testbed.Testbed) { judge.Must(b.Load(120 * sim.Microsecond)).Start() }
	pages := func(b *testbed.Testbed) { b.Start(b.Each(1, 0, testbed.Same(host.PageBytes, 5000), 0)) }
	idle, busy := in(plain, false, func(*testbed.Testbed) {}), in(plain, false, all)
	row("sh-clk-prio", "clock packets under load", busy, "no priority", in(noPriority, false, all), preferred)
	row("sh-clk-short", "stamps under load", busy, "no checks inside long operations", in(noChecks, false, all), prompt)
	row("sh-clk-assume", "clock packets of idle interfaces", idle, "one node sends pages to node 0", in(plain, false, pages), symmetric)
	const each, estimator = "error of each round under load, no inline checks, free ports", "improved estimator"
	delayed, filtered := in(noChecks, true, all), in(improved, true, all)
	row("sh-clk-poll", each, delayed, estimator, filtered, halfDifference)
	row("sh-clk-sameerr", each, delayed, estimator, filtered, commonDelay)
	r.Versus("sh-why-ni", "clock read by hosts, told by interrupt", r.testbed(testbed.Spec{Monitor: "off"}, hostClock),
		"clock read by interfaces", judge.Using(idle, func(c *watched) judge.Measured { return inaccurate(c.errorUs) }))
}

// publishedClockUs is the published bound on the global clock's error.
const publishedClockUs = 3

// startUp states that in each round before a program node 0 sends every node a
// query, each replies and node 0 sends every node the table, and that all nodes can
// convert times then. The value is the number of messages in a round. Packets of
// kind lost are dropped.
func startUp(lost trace.Kind) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
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
		known, all, rounds := clocksKnown(b), len(b.Nodes)*(len(b.Nodes)-1), b.Nodes[0].Monitor.Clock().Rounds()
		m := judge.All(
			judge.True(wrong == 0, "query, reply and table of every node in turn", "%d packets in %d rounds, %d out of turn", sent, rounds, wrong),
			judge.True(known == all, "all nodes can then convert between all clocks", "%d of %d conversions possible", known, all))
		m.Value = float64(sent) / float64(rounds)
		return m
	}
}

// periodMin returns the time between the last two rounds of two hours, in minutes.
// A round of two nodes has three clock packets.
func periodMin(b *testbed.Testbed) judge.Measured {
	w := b.Watch()
	b.Rest(2 * 3600 * sim.Second)
	n := len(w.Probes)
	return value(w.Probes[n-3].Started.Sub(w.Probes[n-6].Started).Seconds()/60, "%d rounds in two hours", n/3)
}

// aged states that the error just before the next round is below the published
// bound. If held, times are converted with the offsets of the last table and
// without rates.
func aged(held bool) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
		clock, period, errors := b.Nodes[0].Monitor.Clock(), b.Protocol().PeriodPs, b.ClockErrors()
		for range 20 {
			last := clock.Rounds()
			b.Until(func() bool { return clock.Rounds() != last && b.Protocol().Gap(uint32(clock.Rounds())) == period })
			table := b.Engine.Now()
			b.Rest(sim.Duration(period) - sim.Second)
			if held {
				errors.Us = append(errors.Us, apart(b, table, b.Engine.Now()))
			} else {
				errors.Sample()
			}
		}
		return judge.All(judge.Below(judge.Fig("largest error", slices.Max(errors.Us), "µs"), judge.Limit(publishedClockUs, "µs"), 0))
	}
}

// apart returns the largest divergence of two clocks between two instants, over all
// pairs of nodes, in µs.
func apart(b *testbed.Testbed, from, to sim.Time) float64 {
	var ticks []int64
	for _, n := range b.Nodes {
		ticks = append(ticks, int64(n.Oscillator.Ticks(int64(to))-n.Oscillator.Ticks(int64(from))))
	}
	return float64(slices.Max(ticks)-slices.Min(ticks)) / float64(b.Protocol().HzNum) * 1e6
}

// drifted returns the time until the offset of two clocks has changed by the
// published bound, in seconds.
func drifted(b *testbed.Testbed) judge.Measured {
	t := sim.Time(0)
	for apart(b, 0, t) <= publishedClockUs {
		t = t.Add(sim.Millisecond)
	}
	return value(t.Seconds(), "until two of eight are %d µs apart", publishedClockUs)
}

// bothWays is the published test of the global clock: messages of one length
// between all ordered pairs of nodes in turn. The error of a pair is half the
// difference in Net between its two directions. It returns the largest, in µs.
func bothWays(b *testbed.Testbed) (worst float64) {
	n := len(b.Nodes)
	b.Rest(3600 * sim.Second) // until the time between rounds is the longest
	for k := range 20 * n * n {
		if from, to := k/n%n, k%n; from != to {
			b.Run(b.Each(from, to, testbed.Same(64, 1), testbed.Quiet))
		}
	}
	net := map[histo.Pair]float64{}
	b.Keep(b.Snapshot().EachPair(histo.Query{}, func(p histo.Pair, m *[trace.NumStages]histo.PairMean) { net[p] = m[trace.Net].MeanNs / 1000 }))
	for p, us := range net {
		worst = max(worst, (us-net[histo.Pair{Sender: p.Receiver, Receiver: p.Sender}])/2)
	}
	return worst
}

// watched holds times of the clock packets of a cluster. All lists are in µs.
type watched struct {
	*testbed.Recorder
	late        []float64 // from the arrival of each packet to its stamp
	queued      []float64 // from the arrival of each query to its handler
	there, back []float64 // from the injection of a query, and of a reply, to its stamp
	errorUs     []float64 // of a node's global time after each round
	terms       []float64 // three for each error; see add
}

// watch runs the nodes under a load for a second.
func watch(b *testbed.Testbed, load func(*testbed.Testbed)) *watched {
	c, log := &watched{Recorder: b.Watch()}, b.ClockLog("")
	load(b)
	b.Rest(sim.Second)
	for _, p := range c.Probes {
		c.late = append(c.late, p.Stamped.Sub(p.Arrived).Us())
	}
	seen, latest := 0, map[int64]*testbed.ClockPacket{} // by sender
	for _, row := range log.Rows {
		for ; seen < len(c.Probes) && c.Probes[seen].Arrived.Us() < float64(row.TimeNs)/1000; seen++ {
			latest[int64(c.Probes[seen].Src)] = c.Probes[seen]
		}
		if a := latest[row.Node]; a != nil && a.Query != nil {
			q := a.Query
			c.queued = append(c.queued, q.Served.Sub(q.Arrived).Us())
			c.there, c.back = append(c.there, q.Stamped.Sub(q.Started).Us()), append(c.back, a.Stamped.Sub(a.Started).Us())
			c.add(row.TrueErrorNs.Value/1000, q.Stamped.Sub(q.Arrived).Us(), (a.Started.Sub(q.Stamped) + a.Stamped.Sub(a.Arrived)).Us())
		}
	}
	return c
}

// p99 returns the 99th percentile of a list.
func p99(name string, list []float64) judge.Figure {
	return judge.Fig("99th percentile of "+name, stat.Quantile(0.99, stat.Empirical, slices.Sorted(slices.Values(list)), nil), "µs")
}

// preferred states that clock packets wait for less than half as long as data
// packets, by the 99th percentiles. Only queries count: replies arrive at node 0 in
// bursts and also wait for one another.
func preferred(c *watched) judge.Measured {
	return judge.All(judge.Below(p99("waits of queries", c.queued), p99("waits of data packets", c.Waited), 50))
}

// promptUs is the longest accepted delay of a stamp: twice the time between inline
// checks, and a turn of the main loop.
const promptUs = 2

// prompt states that events are stamped soon after they happen, even during long
// handlers.
func prompt(c *watched) judge.Measured {
	return judge.All(judge.Below(p99("delays of stamps", append(c.late, c.Noticed...)), judge.Limit(promptUs, "µs"), 0))
}

// symmetricUs is the largest accepted difference of the two directions: a fraction
// of a turn of the main loop.
const symmetricUs = 0.2

// symmetric states that queries and replies take the same time.
func symmetric(c *watched) judge.Measured {
	return judge.All(judge.Close(judge.Fig("mean from node 0", stat.Mean(c.there, nil), "µs"), judge.Fig("mean to node 0", stat.Mean(c.back, nil), "µs"), judge.Limit(symmetricUs, "µs")))
}

// add records the error after a round. Out and back are the delays of query and
// reply beyond their time of flight. The terms are 1, (out-back)/2 and (out+back)/2.
func (c *watched) add(errorUs, out, back float64) {
	c.errorUs = append(c.errorUs, errorUs)
	c.terms = append(c.terms, 1, (out-back)/2, (out+back)/2)
}

// fit returns the least-squares fit of the errors to the terms: the µs of error for
// each µs of (out-back)/2 and of (out+back)/2, and the rms of the residuals. Too few
// rounds, or delays that do not differ, are an error.
func (c *watched) fit() (all struct{ difference, common, residual float64 }, err error) {
	n := len(c.errorUs)
	var of, rest mat.VecDense
	if n < 50 || of.SolveVec(mat.NewDense(n, 3, c.terms), mat.NewVecDense(n, c.errorUs)) != nil {
		return all, fmt.Errorf("%d rounds seen, want at least 50 with different delays", n)
	}
	rest.MulVec(mat.NewDense(n, 3, c.terms), &of)
	rest.SubVec(mat.NewVecDense(n, c.errorUs), &rest)
	all.difference, all.common, all.residual = of.AtVec(1), of.AtVec(2), stat.StdDev(rest.RawVector().Data, nil)
	return all, nil
}

// halfDifference states that the error of a round is half the difference between
// the delays of query and reply. The sign is negative, because a larger offset
// makes global time smaller.
func halfDifference(c *watched) judge.Measured {
	fit := judge.Must(c.fit())
	return judge.All(
		judge.Near(judge.Fig("error for each µs of (d1-d2)/2", fit.difference, "µs"), judge.Limit(-1, "µs"), 5),
		judge.Below(judge.Fig("rms not explained", fit.residual, "µs"), judge.Fig("rms of the error", stat.StdDev(c.errorUs, nil), "µs"), 90))
}

// commonShare is the least effect of a common delay on the offset, in µs for each
// µs.
const commonShare = 0.1

// commonDelay states that a common delay of query and reply changes the offset.
func commonDelay(c *watched) judge.Measured {
	return judge.All(judge.Above(judge.Fig("error for each µs of delay of both", math.Abs(judge.Must(c.fit()).common), "µs"), judge.Limit(commonShare, "µs"), 0))
}

// inaccurate states that the largest error exceeds the published bound.
func inaccurate(errorUs []float64) judge.Measured {
	worst := floats.Norm(errorUs, math.Inf(1))
	return judge.All(judge.Above(judge.Fig("largest error", worst, "µs"), judge.Limit(publishedClockUs, "µs"), 0))
}

// hostClock lets node 0's host ask node 1's for its time. Node 0 spins for the
// answer, so that its CPU does nothing else; node 1 is interrupted.
func hostClock(b *testbed.Testbed) judge.Measured {
	var asked, read sim.Time
	var errorUs []float64
	to := b.Interrupting(0, 1, func(c *host.Context) {
		c.PIORead(1)
		read = c.Now()
		b.Depositor(1).Send(c, 0, 4)
	})
	b.Depositor(0).Exports[1].OnWrite(func(vmmc.Deposit) {
		errorUs = append(errorUs, read.Sub(asked.Add(b.Engine.Now().Sub(asked)/2)).Us())
	})
	b.Run(
		testbed.Repeat(0, 50, testbed.Quiet, func(c *host.Context) {
			c.PIORead(1)
			asked = c.Now()
			b.Depositor(0).Deposit(c, to, 4, true)
		}),
		testbed.On(1, func(c *host.Context) { c.Compute(host.Work{Time: 30 * sim.Millisecond}) }),
	)
	return inaccurate(errorUs)
}
