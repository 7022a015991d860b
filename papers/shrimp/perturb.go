package shrimp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Published bounds of the monitor's cost.
const (
	smallBytes   = 128 // the longest messages that may lose smallLossPct
	smallLossPct = 15
	largeLossPct = 4
)

// onePacket are the messages of at most a page.
const onePacket = host.PageBytes

// endless is longer than any message.
const endless = math.MaxInt64

// perturbation holds the rows of what the monitor costs.
func (r *rows) perturbation() {
	perturbed := judge.Once(func(ctx context.Context) (*bench.Perturb, error) {
		// More sizes around the change from programmed I/O to DMA, and around the
		// size from which a packet's insertion takes longer than the work on it that
		// goes on meanwhile, so that no loss is missed there.
		sizes := append(experiment.PerturbSizes(), 8, 48, 68, 96, 132, 144, 160, 224, 320, 448, 576, 592, 596, 600, 640, 896)
		return experiment.Perturb(ctx, experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: r.seed, Sizes: sizes, Programs: []string{}}, nil)
	})
	of := func(b experiment.Build, f func(costs) judge.Measured) judge.Measure {
		return judge.Using(perturbed, func(p *bench.Perturb) judge.Measured { return f(costs{p, b}) })
	}
	full := func(f func(costs) judge.Measured) judge.Measure { return of(experiment.BuildFull, f) }
	r.Of("sh-ov-app", "applications under the builds full and off", r.slower("fft", "radix", "gauss", "dfs"))
	r.Of("sh-bw-gt128", "perturb, stream", full(highest(smallBytes+1, endless, loss(measure.Stream))))
	r.Of("sh-bw-small", "perturb, stream", full(highest(0, smallBytes, loss(measure.Stream))))
	r.Of("sh-os-add", "perturb, stream", full(highest(0, endless, overhead)))
	r.Of("sh-bw-sizes", "perturb", full(highest(0, endless, func(_ *bench.Perturb, _ experiment.Build, n int64) (float64, bool) { return float64(n), true })))
	r.Of("sh-rtt2-add", "perturb, pingpong", full(constant))
	r.Versus("sh-bw-const", "stream, work of both interface processors, full against off", judge.Both(r.works(experiment.BuildFull), perturbed, nearlyConstant(experiment.BuildFull)),
		"no monitor", judge.Both(r.works(experiment.BuildOff), perturbed, nearlyConstant(experiment.BuildOff)))
	for id, test := range map[string]string{"sh-pp-sim": measure.PingPong, "sh-sim-bw": measure.Simultaneous} {
		r.Versus(id, "perturb, "+test, full(bounded(test)), "firmware without a monitor", of(experiment.BuildOff, bounded(test)))
	}
	half := func(p testbed.Pair, n int) sim.Duration { return p.PingPong(n, sends).OneWay() }
	r.Versus("sh-fig7-cfg", "perturb, pingpong", full(func(c costs) judge.Measured {
		return distinct(func(b experiment.Build) float64 {
			return *c.Find(bench.Firmware{Build: b.String()}, measure.PingPong, 4).OneWayUs
		})
	}), "monitors that are not started", judge.Run(func(s *judge.Session) judge.Measured {
		return distinct(func(build experiment.Build) float64 {
			return testbeds.Use(s, testbed.Spec{Monitor: monitor.BuildName(build.String()), Silent: true, Seed: r.seed}, func(b *testbed.Testbed) float64 {
				return half(b.Pair(0, 1, 4), 4).Us()
			})
		})
	}), fmt.Sprintf("curves that are more than %g µs apart", distinctUs))
	r.Of("sh-hw-mon", "pingpong and stream of 4 B, under the firmware's monitor and under one that takes no time of the interface's processor", r.board())
	bare := testbed.Spec{Monitor: "off"}
	inside := func(p testbed.Pair, n int) sim.Duration { return p.Stream(n, sends).Overhead }
	whole := func(p testbed.Pair, n int) sim.Duration { return p.Stream(n, sends).Took / sends }
	r.Versus("sh-os-meas", "stream, time inside send while the queue has room", r.testbed(bare, lone(inside, posted, 4)),
		"the same over the whole stream", r.testbed(bare, lone(whole, posted, 4)))
	r.Versus("sh-rtt2-def", "request to all data in memory, one message at a time", r.testbed(bare, lone(half, stored, 4, 256, 4096)),
		"request to all data in the receiving interface", r.testbed(bare, lone(half, arrived, 4, 256, 4096)))
}

// board states that a monitor on a board of its own perturbs less than that of the firmware, and
// counts all packets. Assumed: its packets carry the same words.
func (r *rows) board() judge.Measure {
	type run struct{ oneWay, gap, counted float64 }
	return judge.Run(func(s *judge.Session) judge.Measured {
		under := func(build monitor.BuildName, profile func(*platform.Profile)) run {
			spec := testbed.Spec{Monitor: build, Profile: profile, Seed: r.seed}
			return testbeds.Use(s, spec, func(b *testbed.Testbed) run {
				p := b.Pair(0, 1, 4)
				x := run{oneWay: p.PingPong(4, sends).OneWay().Us(), gap: p.Stream(4, sends).Took.Us() / sends}
				if build != "off" {
					x.counted = float64(b.Moments(histo.Query{Stage: trace.Dest}).Count)
				}
				return x
			})
		}
		off, firmware := under("off", nil), under("full", nil)
		board := under("full", func(p *platform.Profile) { p.Monitor.Cycles = monitor.Cycles{} })
		return judge.All(
			judge.Below(judge.Fig("µs that the board adds to a message", board.oneWay-off.oneWay), judge.Fig("the firmware", firmware.oneWay-off.oneWay), 0),
			judge.Below(judge.Fig("µs that it adds between messages of a stream", board.gap-off.gap), judge.Fig("the firmware", firmware.gap-off.gap), 0),
			judge.Above(judge.Fig("packets that the board counts", board.counted), judge.Limit(3*sends-1), 0)) // there, back and in the stream
	})
}

// repeats is how often an application runs with and without the monitor. A run's
// length varies by some per cent with its seed.
const repeats = 4

// slower measures the largest increase of an application's mean run time by the
// monitor, in per cent.
func (r *rows) slower(applications ...string) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		var pct []float64
		for _, name := range applications {
			var off, full float64
			for again := range repeats {
				off += read(s, r.run(program{workload: name, again: again, monitor: "off"})).runTime()
				full += read(s, r.run(program{workload: name, again: again})).runTime()
			}
			pct = append(pct, 100*(full/off-1))
		}
		return value(floats.Max(pct), "the largest of %v: %.2f %%, means of %d runs", applications, pct, repeats)
	})
}

// costs are the costs of one build of the monitor in message programs.
type costs struct {
	*bench.Perturb
	build experiment.Build
}

// cost returns what a build changes at a size, and whether that is known.
type cost = func(p *bench.Perturb, build experiment.Build, n int64) (float64, bool)

// Costs of a build: what it adds to one-way times and to send overheads, in µs.
var (
	added    cost = func(p *bench.Perturb, b experiment.Build, n int64) (float64, bool) { return p.Added(b.String(), n) }
	overhead cost = func(p *bench.Perturb, b experiment.Build, n int64) (float64, bool) { return p.Overhead(b.String(), n) }
)

// loss is the bandwidth that a test loses, in per cent.
func loss(test string) cost {
	return func(p *bench.Perturb, b experiment.Build, n int64) (float64, bool) {
		return p.Loss(b.String(), test, n)
	}
}

// over returns a cost at all sizes of a range for which it is known.
func (c costs) over(lo, hi int64, of cost) (all []float64) {
	for _, p := range c.Points {
		v, ok := of(c.Perturb, c.build, p.SizeBytes)
		if ok && p.Build == c.build.String() && p.Test == measure.PingPong && p.SizeBytes >= lo && p.SizeBytes <= hi { // every size is one of a ping-pong
			all = append(all, v)
		}
	}
	return all
}

// most returns the largest cost in a range of sizes, as a figure of a claim.
func (c costs) most(name string, lo, hi int64, of cost, unit string) judge.Figure {
	return judge.Fig(name, floats.Max(c.over(lo, hi, of)), unit)
}

// highest measures the largest cost in a range of sizes.
func highest(lo, hi int64, of cost) func(costs) judge.Measured {
	return func(c costs) judge.Measured {
		all := c.over(lo, hi, of)
		return value(floats.Max(all), "smallest %.2f", floats.Min(all))
	}
}

// constant measures what a build adds to the one-way time of messages of one packet,
// in µs.
func constant(c costs) judge.Measured {
	one := c.over(0, onePacket, added)
	return value(stat.Mean(one, nil), "%.2f to %.2f µs up to 4 KB; at most %.0f µs for longer messages, which have several packets", floats.Min(one), floats.Max(one), floats.Max(c.over(0, endless, added)))
}

// works is what a build adds to the work of both interface processors for each
// message of a stream, in µs, at sizes of one packet.
func (r *rows) works(build experiment.Build) judge.Experiment[[]float64] {
	return judge.Once(judge.Run(func(s *judge.Session) (us []float64) {
		for _, n := range []int{4, 32, 64, 128, 256, 1024, onePacket} {
			work := func(build experiment.Build) float64 {
				return testbeds.Use(s, testbed.Spec{Monitor: monitor.BuildName(build.String()), Seed: r.seed}, func(b *testbed.Testbed) float64 {
					busy := func() sim.Duration { return b.Nodes[0].NIC.Stats().Busy + b.Nodes[1].NIC.Stats().Busy }
					before := busy()
					b.Pair(0, 1, n).Stream(n, sends)
					return (busy() - before).Us() / sends
				})
			}
			us = append(us, work(build)-work(experiment.BuildOff))
		}
		return us
	}))
}

// nearlyConstant states that a build adds work for every message, nearly the same
// at all sizes of one packet. Streams of longer messages then lose less.
func nearlyConstant(build experiment.Build) func([]float64, *bench.Perturb) judge.Measured {
	return func(work []float64, p *bench.Perturb) judge.Measured {
		losses := []judge.Figure{judge.Limit(0)}
		for _, n := range []int64{64 << 10, 4096, 256, 4} {
			losses = append(losses, costs{p, build}.most(fmt.Sprintf("loss of a stream of %d B", n), n, n, loss(measure.Stream), "%"))
		}
		least := judge.Fig("least", floats.Min(work), "µs")
		return judge.All(judge.Above(least, judge.Limit(0, "µs"), 0), judge.Near(judge.Fig("most work added for a message", floats.Max(work), "µs"), least, 15), judge.Ordered(losses...))
	}
}

// bounded states that a build's cost in a test is above zero and within the bounds
// for a one-way stream.
func bounded(test string) func(costs) judge.Measured {
	return func(c costs) judge.Measured {
		short := c.most(fmt.Sprintf("most lost up to %d B", smallBytes), 0, smallBytes, loss(test), "%")
		long := c.most("most lost by longer messages", smallBytes+1, endless, loss(test), "%")
		return judge.All(judge.Above(short, judge.Limit(0), 0), judge.Below(short, judge.Limit(smallLossPct, "%"), 0), judge.Below(long, judge.Limit(largeLossPct, "%"), 0))
	}
}

// distinctUs is the least difference by which two builds count as distinct.
const distinctUs = 0.05

// distinct counts the distinct one-way times of builds.
func distinct(of func(experiment.Build) float64) judge.Measured {
	var us []float64
	for _, b := range experiment.Builds() {
		us = append(us, of(b))
	}
	apart := slices.CompactFunc(slices.Sorted(slices.Values(us)), func(a, b float64) bool { return math.Abs(a-b) <= distinctUs })
	return value(float64(len(apart)), "one way %v: %.2f µs", experiment.Builds(), us)
}

// sends is the number of messages of a measurement at one size.
const sends = 200

// Instants of a message.
func posted(at sim.Time, _ *testbed.Instants) sim.Time { return at }
func arrived(_ sim.Time, p *testbed.Instants) sim.Time { return p.T5 }
func stored(_ sim.Time, p *testbed.Instants) sim.Time  { return p.T6 }

// lonePct is how far a measurement may be from a lone message, in per cent. An answer of a
// ping-pong is posted while the interface still acknowledges what it answers.
const lonePct = 10

// lone states that at each size a measurement gives the time from the call of a send
// to an instant of its message. Messages are sent one by one on an idle pair.
func lone(measured func(testbed.Pair, int) sim.Duration, end func(sim.Time, *testbed.Instants) sim.Time, sizes ...int) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
		w, p := b.Watch(), b.Depositor(0)
		return judge.Every(sizes, fmt.Sprintf("%d B: %%s", sizes), "; ", func(n int) judge.Measured {
			p.Called, p.Posted, w.Packets = nil, nil, nil
			b.Run(b.Each(0, 1, testbed.Same(n, sends), testbed.Quiet))
			var sum sim.Duration
			for k, packet := range w.Packets {
				sum += end(p.Posted[k], packet).Sub(p.Called[k])
			}
			return judge.All(judge.Near(judge.Fig("one message", sum.Us()/sends, "µs"), judge.Fig("measured", measured(b.Pair(0, 1, n), n).Us(), "µs"), lonePct))
		})
	}
}
