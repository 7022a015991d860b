package shrimp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// probes holds the rows of how exactly interfaces read their clocks.
func (r *rows) probes() {
	plain := published(10 * sim.Millisecond)
	noPriority, noChecks := plain, plain
	noPriority.NoPriority, noChecks.NoInlineChecks = true, true
	filtered := noChecks
	filtered.Estimator = experiment.EstimatorImproved
	in := judge.Memo(func(ctx context.Context, w watching) (*watched, error) {
		change := func(c *cluster.Spec) { c.Clock, c.Ports = w.clock, w.load == free }
		return once(r, testbed.Spec{Nodes: 8, Cluster: change}, w.watch)(ctx)
	})
	row := func(id, experiment string, w watching, counter string, c watching, f func(*watched) judge.Measured) {
		r.Versus(id, experiment, judge.Using(in(w), f), counter, judge.Using(in(c), f))
	}
	row("sh-clk-prio", "clock packets under load", watching{plain, busy}, "no priority", watching{noPriority, busy}, preferred)
	row("sh-clk-short", "stamps under load", watching{plain, busy}, "no checks inside long operations", watching{noChecks, busy}, prompt)
	row("sh-clk-assume", "clock packets of idle interfaces", watching{plain, quiet}, "one node sends pages to node 0", watching{plain, pages}, symmetric)
	const each, estimator = "error of each round under load, no inline checks, free ports", "improved estimator"
	row("sh-clk-poll", each, watching{noChecks, free}, estimator, watching{filtered, free}, halfDifference)
	row("sh-clk-sameerr", each, watching{noChecks, free}, estimator, watching{filtered, free}, commonDelay)
	r.Versus("sh-why-ni", "clock read by hosts, told by interrupt", r.bed(testbed.Spec{Monitor: "off"}, hostClock),
		"clock read by interfaces", judge.Using(in(watching{plain, quiet}), func(c *watched) judge.Measured { return inaccurate(c.errorUs) }))
}

// watching says which clocks of eight nodes are watched under which load.
type watching struct {
	clock experiment.ClockSpec
	load  load
}

// load is what nodes do beside keeping their clocks.
type load int

// Loads.
const (
	quiet load = iota
	busy       // all send to all
	free       // the same through ports that delay no packet
	pages      // node 1 sends pages to node 0
)

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
	switch w.load {
	case busy, free:
		judge.Must(b.Load(120 * sim.Microsecond)).Start()
	case pages:
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

// us lists a duration of every packet in µs.
func us(list []*testbed.ClockPacket, of func(*testbed.ClockPacket) sim.Duration) (out []float64) {
	for _, p := range list {
		out = append(out, of(p).Us())
	}
	return out
}

// most returns the value that 99 % of a list do not exceed.
func most(name string, list []float64) judge.Figure {
	return judge.Fig("99 % of "+name, stat.Quantile(0.99, stat.Empirical, slices.Sorted(slices.Values(list)), nil), "µs")
}

// preferred states that clock packets that wait long wait for less than half as
// long as such data packets do. Replies come to node 0 in bursts and wait for
// one another, so that only queries tell how long a clock packet waits for other
// work.
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

// delays are those of probes: everything but the flight.
type delays struct {
	errorUs []float64 // of the node's global time after the round
	terms   []float64 // three for each error: 1, half of by how much the query was later than the reply, half of both together, µs
}

// add notes a probe whose query and reply were so late.
func (d *delays) add(errorUs, out, back float64) {
	d.errorUs = append(d.errorUs, errorUs)
	d.terms = append(d.terms, 1, (out-back)/2, (out+back)/2)
}

// fit is the least-squares fit of a clock's error to the delays of its probe.
type fit struct {
	difference, common float64 // µs of error per µs of (out-back)/2 and of (out+back)/2
	residual           float64 // rms, µs
	spread             float64 // rms of the error itself
}

// fit fits the terms to the errors.
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

// inaccurate states that clocks read in some way are off by more than the
// published bound.
func inaccurate(errorUs []float64) judge.Measured {
	worst := 0.0
	for _, e := range errorUs {
		worst = max(worst, math.Abs(e))
	}
	return judge.All(judge.Above(judge.Fig("largest error", worst, "µs"), judge.Limit(publishedClockUs, "µs"), 0))
}

// hostClock lets node 0's host ask node 1's for its time: the one spins until
// the answer is there, which keeps its CPU from all else, the other is
// interrupted.
func hostClock(b *testbed.Bed) judge.Measured {
	var asked, read sim.Time
	var errorUs, spunUs []float64
	to := b.Interrupting(0, 1, func(c *host.Context) {
		c.PIORead(1)
		read = c.Now()
		b.Depositor(1).Send(c, 0, 4)
	})
	b.Depositor(0).Exports[1].OnWrite(func(vmmc.Deposit) {
		spun := b.Engine.Now().Sub(asked)
		errorUs, spunUs = append(errorUs, read.Sub(asked.Add(spun/2)).Us()), append(spunUs, spun.Us())
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
	m.Note += fmt.Sprintf(", the asking CPU spins for %.1f µs", stat.Mean(spunUs, nil))
	return m
}
