package shrimp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// probeRound is the time between rounds of clocks that are watched.
const probeRound = 10 * sim.Millisecond

// probes holds the rows of how exactly interfaces read their clocks.
func (r *rows) probes() {
	plain := published(probeRound)
	noPriority, noChecks := plain, plain
	noPriority.NoPriority, noChecks.NoInlineChecks = true, true
	filtered := noChecks
	filtered.Estimator = experiment.EstimatorImproved
	in := judge.Memo(func(ctx context.Context, w watching) (*watchedClock, error) {
		change := func(c *cluster.Spec) { c.Clock, c.Ports = w.clock, w.freePorts }
		return testbed.With(ctx, testbed.Spec{Nodes: 8, Seed: r.seed, Cluster: change}, w.watch)
	})
	idle, busy := watching{clock: plain}, watching{clock: plain, load: true}

	row := func(id, experiment string, w watching, counter string, c watching, f func(*watchedClock) judge.Measured, criterion string) {
		r.Versus(id, experiment, judge.Using(in(w), f), counter, judge.Using(in(c), f), criterion)
	}
	row("sh-clk-prio", "clock packets under load", busy, "no priority", watching{clock: noPriority, load: true}, preferred,
		"99 % of queries wait for less than half as long as 99 % of data packets")
	row("sh-clk-short", "stamps under load", busy, "no checks inside long operations", watching{clock: noChecks, load: true}, prompt,
		fmt.Sprintf("99 %% of stamps less than %d µs late", promptUs))
	delayed, improved := watching{clock: noChecks, load: true, freePorts: true}, watching{clock: filtered, load: true, freePorts: true}
	const each, estimator = "error of each round under load, no inline checks, free ports", "improved estimator"
	row("sh-clk-poll", each, delayed, estimator, improved, halfDifference, "-1 µs for each µs of (d1-d2)/2 to 0.05 µs; less than a tenth of the error is not explained")
	row("sh-clk-sameerr", each, delayed, estimator, improved, commonDelay, fmt.Sprintf("over %g µs for each µs that both are late", commonShare))
	lopsided := testbed.Spec{Cluster: clocked(plain)}
	r.Versus("sh-clk-assume", "clock packets of idle interfaces", judge.Using(in(idle), symmetric), "one node sends pages to node 0", r.bed(lopsided, pulled),
		fmt.Sprintf("the two directions differ by less than %g µs", symmetricUs))
	r.Versus("sh-why-ni", "clock read by hosts, told by interrupt", r.bed(testbed.Spec{Monitor: "off"}, hostClock),
		"clock read by interfaces", judge.Using(in(idle), func(c *watchedClock) judge.Measured { return inaccurate(c.errorUs) }))
}

// watching says how eight nodes with short rounds are watched. With free ports
// nothing but the interfaces delays a packet.
type watching struct {
	clock           experiment.ClockSpec
	load, freePorts bool
}

// watchedClock is what happened to the clock packets of a cluster.
type watchedClock struct {
	clockWaits []float64 // µs from a clock packet's arrival to its handler
	dataWaits  []float64 // the same of data packets
	stamps     []float64 // µs from an event's happening to the time that the firmware takes it for
	out, back  []float64 // µs from node 0's stamp to the node's, and from that to node 0's next
	delays
	fit fit
}

// delays are those of probes, round by round and node by node, in µs.
type delays struct {
	errorUs    []float64 // of the node's global time after the round
	difference []float64 // half of by how much the query was later than the reply; late is everything but the flight
	common     []float64 // half of both together
}

// add notes a probe whose query and reply were so late.
func (d *delays) add(errorUs, out, back float64) {
	d.errorUs = append(d.errorUs, errorUs)
	d.difference = append(d.difference, (out-back)/2)
	d.common = append(d.common, (out+back)/2)
}

// watch runs the nodes for a second.
func (w watching) watch(b *testbed.Bed) *watchedClock {
	if w.load {
		l, err := b.Load(120 * sim.Microsecond)
		if !b.Keep(err) {
			return nil
		}
		l.Start()
	}
	witness, log, seen := b.Watch(), b.ClockLog(string(w.clock.Estimator)), 0
	latest := map[trace.Kind][]*testbed.ClockPacket{} // by node
	for _, k := range clockKinds {
		latest[k] = make([]*testbed.ClockPacket, len(b.Nodes))
	}
	witness.OnProbe = func(m *testbed.ClockPacket) { latest[m.Kind][max(m.Src, m.Dst)] = m }
	out := &watchedClock{}
	for end := b.Engine.Now().Add(sim.Second); b.OK() && b.Engine.Now() < end; {
		b.Rest(probeRound / 10)
		for ; seen < len(log.Rows); seen++ {
			row := log.Rows[seen]
			if q, a := latest[trace.ClockQuery][row.Node], latest[trace.ClockReply][row.Node]; q != nil && a != nil && a.Started > q.Arrived {
				out.add(row.TrueErrorNs.Value/1000, q.Stamped.Sub(q.Arrived).Us(), (a.Started.Sub(q.Stamped) + a.Stamped.Sub(a.Arrived)).Us())
			}
		}
	}
	out.collect(b, witness)
	var err error
	out.fit, err = out.delays.fit()
	b.Keep(err)
	return out
}

// collect sorts what the witness saw. Replies come to node 0 in bursts and
// wait for one another, so that only queries tell how long a clock packet
// waits for other work.
func (c *watchedClock) collect(b *testbed.Bed, w *testbed.Witness) {
	half := b.Nodes[0].NIC.Duration(b.Place.Monitor.Cycles.ClockReply+b.Place.NI.Loop.NetStartCycles) / 2
	queries := make([]*testbed.ClockPacket, len(b.Nodes))
	for _, m := range w.Probes {
		c.stamps = append(c.stamps, m.Stamped.Sub(m.Arrived).Us())
		switch m.Kind {
		case trace.ClockQuery:
			c.clockWaits = append(c.clockWaits, m.Served.Sub(m.Arrived).Us())
			queries[m.Dst] = m
		case trace.ClockReply:
			if q := queries[m.Src]; q != nil {
				told := q.Stamped.Add(half) // the time that the reply carries
				c.out = append(c.out, told.Sub(q.Started).Us())
				c.back = append(c.back, m.Stamped.Sub(told).Us())
			}
		}
	}
	for _, d := range w.Waited {
		c.dataWaits = append(c.dataWaits, d.Us())
	}
	for _, d := range w.Noticed {
		c.stamps = append(c.stamps, d.Us())
	}
}

// most returns the value that 99 % of a list do not exceed.
func most(list []float64) float64 {
	return stat.Quantile(0.99, stat.Empirical, slices.Sorted(slices.Values(list)), nil)
}

// preferred tells whether clock packets that wait long wait for less than half
// as long as such data packets do.
func preferred(c *watchedClock) judge.Measured {
	clock, data := most(c.clockWaits), most(c.dataWaits)
	return holds(clock < data/2, "99 %% of queries wait for their handler less than %.1f µs, of data packets less than %.1f µs", clock, data)
}

// promptUs is how late an event may be stamped: two distances of inline checks
// and a turn of the loop.
const promptUs = 2

// prompt tells whether events are stamped soon after they happened, however
// long the handler that runs.
func prompt(c *watchedClock) judge.Measured {
	return holds(most(c.stamps) < promptUs, "%d events stamped %.2f µs late, 99 %% less than %.2f µs",
		len(c.stamps), stat.Mean(c.stamps, nil), most(c.stamps))
}

// symmetricUs is by how much the two directions may differ: a fraction of the
// loop's turn.
const symmetricUs = 0.2

// symmetric tells whether queries and replies take the same time.
func symmetric(c *watchedClock) judge.Measured {
	out, back := stat.Mean(c.out, nil), stat.Mean(c.back, nil)
	return holds(math.Abs(out-back) < symmetricUs, "%.3f µs from node 0, %.3f µs to it, %d round trips", out, back, len(c.back))
}

// pulled is symmetric of two nodes of which one sends pages to node 0.
func pulled(b *testbed.Bed) judge.Measured {
	var c watchedClock
	w := b.Watch()
	b.Run(b.Each(1, 0, testbed.Same(4096, 5000), 0))
	c.collect(b, w)
	return symmetric(&c)
}

// fit is the least-squares fit of a clock's error to the delays of its probe.
type fit struct {
	difference, common float64 // µs of error per µs of (out-back)/2 and of (out+back)/2
	residual           float64 // rms, µs
	spread             float64 // rms of the error itself
}

// fit fits error = a·difference + b·common + c.
func (d delays) fit() (f fit, err error) {
	if len(d.errorUs) < 50 {
		return f, fmt.Errorf("%d rounds seen, want 50", len(d.errorUs))
	}
	of := func(a, b []float64) float64 { return stat.Covariance(a, b, nil) }
	xx, xy, yy := of(d.difference, d.difference), of(d.difference, d.common), of(d.common, d.common)
	xe, ye, ee := of(d.difference, d.errorUs), of(d.common, d.errorUs), of(d.errorUs, d.errorUs)
	det := float64(xx*yy) - float64(xy*xy)
	if det == 0 {
		return f, fmt.Errorf("delays of %d rounds are all alike", len(d.errorUs))
	}
	f.difference, f.common = (float64(xe*yy)-float64(ye*xy))/det, (float64(ye*xx)-float64(xe*xy))/det
	rest := ee - float64(f.difference*xe) - float64(f.common*ye)
	f.residual, f.spread = math.Sqrt(max(0, rest)), math.Sqrt(ee)
	return f, nil
}

// halfDifference tells whether a round is off by half of what the delays of
// query and reply differ by. Global time is less by what the offset is more.
func halfDifference(c *watchedClock) judge.Measured {
	f := c.fit
	return holds(math.Abs(f.difference+1) < 0.05 && f.residual < 0.1*f.spread,
		"%.3f µs for each µs of (d1-d2)/2, %d rounds off by %.2f µs rms, %.3f µs of it not explained", f.difference, len(c.errorUs), f.spread, f.residual)
}

// commonShare is how much of a common delay has to show in the offset for the
// claim that it spoils it.
const commonShare = 0.1

// commonDelay tells whether a delay that query and reply have in common moves
// the offset.
func commonDelay(c *watchedClock) judge.Measured {
	return holds(math.Abs(c.fit.common) > commonShare, "%+.3f µs for each µs that both are late, %d rounds", c.fit.common, len(c.errorUs))
}

// inaccurate tells whether clocks read in some way are off by more than the
// published bound.
func inaccurate(errorUs []float64) judge.Measured {
	worst := 0.0
	for _, e := range errorUs {
		worst = max(worst, math.Abs(e))
	}
	return judge.All(judge.Above(judge.Fig("µs of error", worst), judge.Limit(publishedClockUs), 0))
}

// hostClock lets node 0's host ask node 1's for its time: the one spins, which
// keeps its CPU from all else, the other is interrupted.
func hostClock(b *testbed.Bed) judge.Measured {
	const rounds = 50
	p, q := b.Depositor(0), b.Depositor(1)
	var read sim.Time // when node 1 read its clock
	to := b.Interrupting(0, 1, func(c *host.Context) {
		c.PIORead(1)
		read = c.Now()
		q.Send(c, 0, 4)
	})
	var errorUs []float64
	var spun, took sim.Duration
	answered := false
	p.Exports[1].OnWrite(func(vmmc.Deposit) { answered = true })
	b.Run(
		testbed.On(0, func(c *host.Context) {
			began := c.Now()
			for range rounds {
				c.PIORead(1)
				asked := c.Now()
				answered = false
				p.Deposit(c, to, 4, true)
				from := c.Now()
				for !answered {
					c.Spend(b.Nodes[0].Host.Spec().PollNotice)
				}
				spun += c.Now().Sub(from)
				c.PIORead(1)
				errorUs = append(errorUs, read.Sub(asked.Add(c.Now().Sub(asked)/2)).Us())
				c.Sleep(testbed.Quiet)
			}
			took = c.Now().Sub(began) - rounds*testbed.Quiet
		}),
		testbed.On(1, func(c *host.Context) { c.Compute(host.Work{Time: 30 * sim.Millisecond}) }),
	)
	m := inaccurate(errorUs)
	m.Note += fmt.Sprintf("; the asking CPU spins for %.0f %% of a round", 100*spun.Seconds()/took.Seconds())
	return m
}
