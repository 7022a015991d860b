package shrimp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// How the probes of the clock protocol are watched under load.
const (
	probeRound = 10 * sim.Millisecond
	probeTime  = sim.Second
)

// probes holds the rows of how exactly interfaces read their clocks.
func (r *rows) probes() {
	watched := func(clock experiment.ClockSpec, load, ports bool) func(context.Context) (*watchedClock, error) {
		return judge.Once(func(context.Context) (*watchedClock, error) { return r.watchClock(clock, load, ports) })
	}
	base := published()
	base.Round = probeRound
	plain, bare, late, idle := base, base, base, base
	bare.NoPriority = true
	late.NoInlineChecks = true
	filtered := late
	filtered.Estimator = experiment.EstimatorImproved
	busy, noPriority, noChecks := watched(plain, true, false), watched(bare, true, false), watched(late, true, false)
	delays, improved, unloaded := watched(late, true, true), watched(filtered, true, true), watched(idle, false, false)

	r.Versus("sh-clk-prio", "clock packets under load", judge.Read(busy, preferred), "no priority", judge.Read(noPriority, preferred))
	r.Versus("sh-clk-short", "stamps under load", judge.Read(busy, prompt), "no checks inside long operations", judge.Read(noChecks, prompt))
	r.Versus("sh-clk-assume", "clock packets of idle interfaces", judge.Read(unloaded, symmetric), "one node sends pages to node 0", r.lopsided())
	r.Versus("sh-clk-poll", "error of each round under load, no inline checks, free ports", judge.Read(delays, halfDifference),
		"improved estimator", judge.Read(improved, halfDifference))
	r.Versus("sh-clk-sameerr", "error of each round under load, no inline checks, free ports", judge.Read(delays, commonDelay),
		"improved estimator", judge.Read(improved, commonDelay))
	r.Versus("sh-why-ni", "clock read by hosts, told by interrupt", r.hostClock(), "clock read by interfaces", judge.Read(unloaded, hostLike))
}

// watchedClock is what happened to the clock packets of a cluster.
type watchedClock struct {
	clockWaits []float64 // µs from a clock packet's arrival to its handler
	dataWaits  []float64 // the same of data packets
	stamps     []float64 // µs from an event's happening to the time that the firmware takes it for
	out, back  []float64 // µs from node 0's stamp to the node's, and from that to node 0's next
	rounds     []probeRoundTrip
}

// probeRoundTrip is one probe of one node.
type probeRoundTrip struct {
	errorUs   float64 // of the node's global time after the round
	out, back float64 // µs by which query and reply were late: everything but the flight
}

// watchClock runs eight nodes with short rounds. With free ports nothing but
// the interfaces delays a packet.
func (r *rows) watchClock(clock experiment.ClockSpec, load, ports bool) (*watchedClock, error) {
	b, err := r.open(testbed.Spec{Nodes: 8, Cluster: func(c *cluster.Spec) { c.Clock, c.Ports = clock, ports }})
	if err != nil {
		return nil, err
	}
	defer b.Engine.Close()
	if load {
		l, err := b.Load(120 * sim.Microsecond)
		if err != nil {
			return nil, err
		}
		l.Start()
	}
	w := b.Watch()
	out := &watchedClock{}
	queries := make([]*testbed.ClockPacket, len(b.Nodes)) // of the present round, by node
	replies := make([]*testbed.ClockPacket, len(b.Nodes))
	w.OnProbe = func(m *testbed.ClockPacket) {
		switch m.Kind {
		case trace.ClockQuery:
			queries[m.Dst] = m
		case trace.ClockReply:
			replies[m.Src] = m
		}
	}
	log := b.ClockLog(string(clock.Estimator))
	seen := 0
	end := b.Engine.Now().Add(probeTime)
	for b.Engine.Now() < end {
		b.Rest(probeRound / 10)
		for ; seen < len(log.Rows); seen++ {
			row := log.Rows[seen]
			if q, a := queries[row.Node], replies[row.Node]; q != nil && a != nil && a.Started > q.Arrived {
				out.rounds = append(out.rounds, probeRoundTrip{
					errorUs: row.TrueErrorNs.Value / 1000,
					out:     q.Stamped.Sub(q.Arrived).Us(),
					back:    (a.Started.Sub(q.Stamped) + a.Stamped.Sub(a.Arrived)).Us(),
				})
			}
		}
	}
	out.collect(b, w)
	return out, b.Err()
}

// collect sorts what the witness saw. Replies come to node 0 in bursts and
// wait for one another, so that only queries tell how long a clock packet
// waits for other work.
func (c *watchedClock) collect(b *testbed.Bed, w *testbed.Witness) {
	cycles := b.Place.Monitor.Cycles.ClockReply + b.Place.NI.Loop.NetStartCycles
	half := b.Nodes[0].NIC.Duration(cycles) / 2
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

func mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// quantile returns the value that a share of the list does not exceed.
func quantile(list []float64, share float64) float64 {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// preferred tells whether clock packets that wait long wait for less than
// half as long as such data packets do.
func preferred(c *watchedClock) (judge.Measured, error) {
	clock, data := quantile(c.clockWaits, 0.99), quantile(c.dataWaits, 0.99)
	return holds(clock < data/2, "99 %% of queries wait for their handler less than %.1f µs, of data packets less than %.1f µs", clock, data), nil
}

// promptUs is how late an event may be stamped: two distances of inline checks
// and a turn of the loop.
const promptUs = 2

// prompt tells whether events are stamped soon after they happened, however
// long the handler that runs.
func prompt(c *watchedClock) (judge.Measured, error) {
	return holds(quantile(c.stamps, 0.99) < promptUs, "%d events stamped %.2f µs late, 99 %% less than %.2f µs",
		len(c.stamps), mean(c.stamps), quantile(c.stamps, 0.99)), nil
}

// symmetricUs is by how much the two directions may differ: a fraction of the
// loop's turn.
const symmetricUs = 0.2

// symmetric tells whether queries and replies take the same time.
func symmetric(c *watchedClock) (judge.Measured, error) {
	out, back := mean(c.out), mean(c.back)
	return holds(math.Abs(out-back) < symmetricUs, "%.3f µs from node 0, %.3f µs to it, %d round trips", out, back, len(c.back)), nil
}

// lopsided is symmetric of a pair of nodes of which one sends pages to node 0.
func (r *rows) lopsided() judge.Measure {
	clock := published()
	clock.Round = probeRound
	return r.bed(testbed.Spec{Cluster: clocked(clock)}, func(b *testbed.Bed) judge.Measured {
		w := b.Watch()
		b.Run(b.Each(1, 0, testbed.Same(4096, 5000), 0))
		var c watchedClock
		c.collect(b, w)
		m, err := symmetric(&c)
		b.Keep(err)
		return m
	})
}

// fit is the least-squares fit of a clock's error to the delays of its probe.
type fit struct {
	difference, common float64 // µs of error per µs of (out-back)/2 and of (out+back)/2
	residual           float64 // rms, µs
	spread             float64 // rms of the error itself
}

// fitDelays fits error = a·(out-back)/2 + b·(out+back)/2 + c.
func (c *watchedClock) fitDelays() (fit, error) {
	n := float64(len(c.rounds))
	if n < 50 {
		return fit{}, fmt.Errorf("%d rounds seen", len(c.rounds))
	}
	var mx, my, me float64
	for _, p := range c.rounds {
		mx += (p.out - p.back) / 2 / n
		my += (p.out + p.back) / 2 / n
		me += p.errorUs / n
	}
	var xx, xy, yy, xe, ye, ee float64
	for _, p := range c.rounds {
		x, y, e := (p.out-p.back)/2-mx, (p.out+p.back)/2-my, p.errorUs-me
		xx, xy, yy = xx+float64(x*x), xy+float64(x*y), yy+float64(y*y)
		xe, ye, ee = xe+float64(x*e), ye+float64(y*e), ee+float64(e*e)
	}
	det := float64(xx*yy) - float64(xy*xy)
	if det == 0 {
		return fit{}, fmt.Errorf("delays of %d rounds are all alike", len(c.rounds))
	}
	f := fit{difference: (float64(xe*yy) - float64(ye*xy)) / det, common: (float64(ye*xx) - float64(xe*xy)) / det}
	rest := ee - float64(f.difference*xe) - float64(f.common*ye)
	f.residual, f.spread = math.Sqrt(max(0, rest)/n), math.Sqrt(ee/n)
	return f, nil
}

// halfDifference tells whether a round is off by half of what the delays of
// query and reply differ by. Global time is less by what the offset is more.
func halfDifference(c *watchedClock) (judge.Measured, error) {
	f, err := c.fitDelays()
	return holds(math.Abs(f.difference+1) < 0.05 && f.residual < 0.1*f.spread,
		"%.3f µs for each µs of (d1-d2)/2, %d rounds off by %.2f µs rms, %.3f µs of it not explained", f.difference, len(c.rounds), f.spread, f.residual), err
}

// commonShare is how much of a common delay has to show in the offset for the
// claim that it spoils it.
const commonShare = 0.1

// commonDelay tells whether a delay that query and reply have in common moves
// the offset.
func commonDelay(c *watchedClock) (judge.Measured, error) {
	f, err := c.fitDelays()
	return holds(math.Abs(f.common) > commonShare, "%+.3f µs for each µs that both are late, %d rounds", f.common, len(c.rounds)), err
}

// hostLike tells whether clocks read in this way are off by more than the
// published bound.
func hostLike(c *watchedClock) (judge.Measured, error) {
	worst := 0.0
	for _, p := range c.rounds {
		worst = max(worst, math.Abs(p.errorUs))
	}
	return holds(worst > publishedClockUs, "off by up to %.2f µs, %d rounds", worst, len(c.rounds)), nil
}

// hostClock lets node 0's host ask node 1's for its time: the one spins, which
// keeps its CPU from all else, the other is interrupted.
func (r *rows) hostClock() judge.Measure {
	return r.bed(testbed.Spec{Monitor: "off"}, func(b *testbed.Bed) judge.Measured {
		const rounds = 50
		p, q := b.Depositor(0), b.Depositor(1)
		var read sim.Time // when node 1 read its clock
		to := b.Interrupting(0, 1, func(c *host.Context) {
			c.PIORead(1)
			read = c.Now()
			q.Send(c, 0, 4)
		})
		worst := 0.0
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
					middle := asked.Add(c.Now().Sub(asked) / 2)
					worst = max(worst, math.Abs(read.Sub(middle).Us()))
					c.Sleep(testbed.Quiet)
				}
				took = c.Now().Sub(began) - rounds*testbed.Quiet
			}),
			testbed.On(1, func(c *host.Context) { c.Compute(host.Work{Time: 30 * sim.Millisecond}) }),
		)
		return holds(worst > publishedClockUs, "off by up to %.2f µs, %d rounds; the asking CPU spins for %.0f %% of a round",
			worst, rounds, 100*spun.Seconds()/took.Seconds())
	})
}
