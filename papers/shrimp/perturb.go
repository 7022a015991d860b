package shrimp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// Published bounds of the monitor's cost.
const (
	smallBytes   = 128 // messages up to here may lose smallLossPct
	smallLossPct = 15
	largeLossPct = 4
)

// onePacket are the messages of at most a page.
const onePacket = host.PageBytes

// endless is longer than any message.
const endless = math.MaxInt64

// perturbation holds the rows of what the monitor costs.
func (r *rows) perturbation() {
	full := func(f func(costs) judge.Measured) judge.Measure { return r.cost(experiment.BuildFull, f) }
	r.Of("sh-ov-app", "applications under the builds full and off", r.slower("fft", "radix"))
	r.Of("sh-bw-gt128", "perturb, stream", full(func(c costs) judge.Measured {
		return c.over(smallBytes+1, endless, c.loss(measure.Stream)).highest()
	}))
	r.Of("sh-bw-small", "perturb, stream", full(func(c costs) judge.Measured { return c.over(0, smallBytes, c.loss(measure.Stream)).highest() }))
	r.Versus("sh-bw-const", "perturb, full against off", full(nearlyConstant), "the clock part alone", r.cost(experiment.BuildClock, nearlyConstant),
		"the least and the most that is added to a message of one packet differ by less than 15 %; longer messages lose less of a stream")
	r.Of("sh-bw-sizes", "perturb", full(func(c costs) judge.Measured {
		s := c.over(0, endless, func(n int64) (float64, bool) { return float64(n), true })
		return value(s.most, "from %.0f B", s.least)
	}))
	r.Versus("sh-fig7-cfg", "perturb, pingpong", full(func(c costs) judge.Measured {
		return distinct(func(b experiment.Build) float64 { return *c.Find(b, measure.PingPong, 4).OneWayUs })
	}), "monitors that are not started", judge.Run(func(s *judge.Session) judge.Measured {
		return distinct(func(b experiment.Build) float64 { return r.silent(s, b) })
	}), fmt.Sprintf("a curve counts if it is more than %g µs from all others", distinctUs))
	for id, test := range map[string]string{"sh-pp-sim": measure.PingPong, "sh-sim-bw": measure.Simultaneous} {
		r.Versus(id, "perturb, "+test, full(bounded(test)), "firmware without a monitor", r.cost(experiment.BuildOff, bounded(test)),
			fmt.Sprintf("some loss, at most %d %% up to %d B and %d %% above", smallLossPct, smallBytes, largeLossPct))
	}
	r.Of("sh-rtt2-add", "perturb, pingpong", full(added))
	r.Of("sh-os-add", "perturb, stream", full(func(c costs) judge.Measured { return c.over(0, endless, c.overhead).highest() }))
	bare := testbed.Spec{Monitor: "off"}
	r.Versus("sh-os-meas", "stream, time inside send while the queue has room", r.bed(bare, sendTime(false)),
		"the same over the whole stream", r.bed(bare, sendTime(true)), "within 10 % of the time of sends with idle time between them")
	r.Versus("sh-rtt2-def", "request to all data in memory, one message at a time", r.bed(bare, oneWay(false)),
		"request to all data in the receiving interface", r.bed(bare, oneWay(true)), "within 5 % of half a round trip")
}

// slower is by how much the monitor lengthens the application that suffers
// most, in percent.
func (r *rows) slower(applications ...string) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		worst, text := math.Inf(-1), ""
		for _, name := range applications {
			off := read(s, r.run(program{workload: name, monitor: experiment.BuildOff})).runTime()
			pct := 100 * (read(s, r.run(program{workload: name})).runTime()/off - 1)
			worst = max(worst, pct)
			text += fmt.Sprintf(", %s %.2f %% of %.3f s", name, pct, off)
		}
		return value(worst, "the most of all%s", text)
	})
}

// costs are those of one build of the monitor in message programs.
type costs struct {
	*experiment.Perturbation
	build experiment.Build
}

// cost makes a measurement of the costs of a build.
func (r *rows) cost(b experiment.Build, f func(costs) judge.Measured) judge.Measure {
	return judge.Using(r.perturbed, func(p *experiment.Perturbation) judge.Measured { return f(costs{p, b}) })
}

// loss is how much bandwidth a test loses at a size, in percent.
func (c costs) loss(test string) func(int64) (float64, bool) {
	return func(n int64) (float64, bool) { return c.Loss(c.build, test, n) }
}

// added is what a message's one-way time grows by, in µs.
func (c costs) added(n int64) (float64, bool) { return c.Added(c.build, n) }

// overhead is what a send grows by, in µs.
func (c costs) overhead(n int64) (float64, bool) { return c.Overhead(c.build, n) }

// span is a cost over sizes.
type span struct {
	least, most, mean float64
	at                int64 // size of the most
}

// over is a cost over the sizes of a range for which it is known.
func (c costs) over(lo, hi int64, of func(n int64) (float64, bool)) span {
	s, seen := span{least: math.Inf(1), most: math.Inf(-1)}, map[int64]bool{}
	sum := 0.0
	for _, x := range c.Points {
		n := x.SizeBytes
		if v, ok := of(n); ok && n >= lo && n <= hi && !seen[n] {
			seen[n] = true
			sum += v
			s.least = min(s.least, v)
			if v > s.most {
				s.most, s.at = v, n
			}
		}
	}
	s.mean = sum / float64(len(seen))
	return s
}

// highest is the most of a span.
func (s span) highest() judge.Measured {
	return value(s.most, "at %d B, the least %.2f", s.at, s.least)
}

// nearlyConstant tells whether a build adds nearly the same to the one-way
// time of every message of one packet, so that streams lose less the longer
// their messages are.
func nearlyConstant(c costs) judge.Measured {
	one := c.over(0, onePacket, c.added)
	losses := []float64{math.Inf(1)}
	falling := true
	for i, n := range []int64{4, 256, 4096, 64 << 10} {
		loss, _ := c.loss(measure.Stream)(n)
		falling = falling && loss > 0 && loss < losses[i]
		losses = append(losses, loss)
	}
	return holds(falling && one.most < 1.15*one.least, "%.2f to %.2f µs one way; a stream of 4 B, 256 B, 4 KB, 64 KB loses %.1f %%", one.least, one.most, losses[1:])
}

// added is what the monitor adds to the one-way time of messages of one packet,
// in µs.
func added(c costs) judge.Measured {
	one, all := c.over(0, onePacket, c.added), c.over(0, endless, c.added)
	return value(one.mean, "%.2f to %.2f µs up to 4 KB; %.0f µs at %d MB, where every packet costs some", one.least, one.most, all.most, all.at>>20)
}

// bounded tells whether a build costs a test something, and no more than the
// bounds for a one-way stream.
func bounded(test string) func(costs) judge.Measured {
	return func(c costs) judge.Measured {
		small, large := c.over(0, smallBytes, c.loss(test)), c.over(smallBytes+1, endless, c.loss(test))
		return holds(small.most > 0 && small.most <= smallLossPct && large.most <= largeLossPct,
			"loses up to %.1f %% (%d B), above 128 B %.1f %% (%d B), from 4 KB %.1f %%",
			small.most, small.at, large.most, large.at, c.over(onePacket, endless, c.loss(test)).most)
	}
}

// distinctUs is by how much two builds have to differ to be told apart.
const distinctUs = 0.05

// distinct counts the builds whose one-way times differ from all others.
func distinct(of func(experiment.Build) float64) judge.Measured {
	var us []float64
	for _, b := range experiment.Builds() {
		us = append(us, of(experiment.Build(b)))
	}
	n := 0
	for i, a := range us {
		apart := true
		for j, b := range us {
			apart = apart && (i == j || math.Abs(a-b) > distinctUs)
		}
		if apart {
			n++
		}
	}
	return value(float64(n), "one way %s: %.2f µs", experiment.Builds(), us)
}

// silent is the one-way time under a build whose monitors are not started, in
// µs.
func (r *rows) silent(s *judge.Session, build experiment.Build) float64 {
	return beds.Use(s, testbed.Spec{Monitor: string(build), Silent: true, Seed: r.seed}, func(b *testbed.Bed) float64 {
		return b.Pair(0, 1, 4).PingPong(4, 200).OneWay().Us()
	})
}

// sendTime compares what the stream program measures inside send with the time
// that sends take which nothing is queued before.
func sendTime(whole bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		const n, messages = 4, 600
		var alone sim.Duration
		b.Run(testbed.On(0, func(c *host.Context) {
			for range messages {
				began := c.Now()
				b.Depositor(0).Send(c, 1, n)
				alone += c.Now().Sub(began)
				c.Sleep(testbed.Quiet)
			}
		}))
		s := b.Pair(0, 1, n).Stream(n, messages)
		want, got := alone.Us()/messages, s.Overhead.Us()
		if whole {
			got = s.Took.Us() / messages
		}
		return holds(math.Abs(got-want) < 0.1*want, "%.2f µs in the stream, %.2f µs for sends with idle time between them", got, want)
	}
}

// oneWay compares half a round trip with the time of single messages from the
// request's issue to the last byte in the receiver's memory, or to that in the
// receiving interface.
func oneWay(card bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		const times = 100
		ok, text := true, ""
		w := b.Watch()
		for _, n := range []int{4, 256, 4096} {
			var sum sim.Duration
			var landed sim.Time
			b.Depositor(1).Exports[0].OnWrite(func(vmmc.Deposit) { landed = b.Engine.Now() })
			b.Run(testbed.On(0, func(c *host.Context) {
				draw := b.Engine.Stream("row/one-way")
				for range times {
					issued := c.Now()
					b.Depositor(0).Send(c, 1, n)
					c.Sleep(testbed.Quiet + draw.Upto(testbed.Quiet))
					if card {
						landed = w.Packets[len(w.Packets)-1].T5
					}
					sum += landed.Sub(issued)
				}
			}))
			one, half := sum.Us()/times, b.Pair(0, 1, n).PingPong(n, times).OneWay().Us()
			ok = ok && math.Abs(one-half) < 0.05*half
			text += fmt.Sprintf(", %d B: %.2f and %.2f µs", n, one, half)
		}
		return holds(ok, "one message and half a round trip%s", text)
	}
}
