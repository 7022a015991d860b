package shrimp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/host"
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

// perturbation holds the rows of what the monitor costs.
func (r *rows) perturbation() {
	full := func(f func(*experiment.Perturbation) (judge.Measured, error)) judge.Measure {
		return judge.Read(r.perturbed, f)
	}
	r.Of("sh-ov-app", "applications under the builds full and off", r.slower)
	r.Of("sh-bw-gt128", "perturb, stream", full(func(p *experiment.Perturbation) (judge.Measured, error) {
		loss, at := worst(p, measure.Stream, smallBytes+1, math.MaxInt64)
		return value(loss, "at %d B", at), nil
	}))
	r.Of("sh-bw-small", "perturb, stream", full(func(p *experiment.Perturbation) (judge.Measured, error) {
		loss, at := worst(p, measure.Stream, 0, smallBytes)
		return value(loss, "at %d B", at), nil
	}))
	between := func(b experiment.Build) judge.Measure {
		return full(func(p *experiment.Perturbation) (judge.Measured, error) { return nearlyConstant(p, b) })
	}
	r.Versus("sh-bw-const", "perturb, full against off", between(experiment.BuildFull), "the clock part alone", between(experiment.BuildClock))
	r.Of("sh-bw-sizes", "perturb", full(func(p *experiment.Perturbation) (judge.Measured, error) {
		least, most := p.Points[0].SizeBytes, int64(0)
		for _, x := range p.Points {
			least, most = min(least, x.SizeBytes), max(most, x.SizeBytes)
		}
		return value(float64(most), "from %d B", least), nil
	}))
	r.Versus("sh-fig7-cfg", "perturb, pingpong", full(func(p *experiment.Perturbation) (judge.Measured, error) {
		var oneWay []float64
		for _, b := range experiment.Builds() {
			oneWay = append(oneWay, *p.Find(experiment.Build(b), measure.PingPong, 4).OneWayUs)
		}
		return distinct(oneWay), nil
	}), "monitors that are not started", r.silent())
	similar := func(test string, b experiment.Build) judge.Measure {
		return full(func(p *experiment.Perturbation) (judge.Measured, error) { return asUnidirectional(p, test, b) })
	}
	r.Versus("sh-pp-sim", "perturb, pingpong", similar(measure.PingPong, experiment.BuildFull), "firmware without a monitor", similar(measure.PingPong, experiment.BuildOff))
	r.Versus("sh-sim-bw", "perturb, simultaneous", similar(measure.Simultaneous, experiment.BuildFull), "firmware without a monitor", similar(measure.Simultaneous, experiment.BuildOff))
	r.Of("sh-rtt2-add", "perturb, pingpong", full(added))
	r.Of("sh-os-add", "perturb, stream", full(overhead))
	r.Versus("sh-os-meas", "stream, time inside send while the queue has room", r.sendTime(false), "the same over the whole stream", r.sendTime(true))
	r.Versus("sh-rtt2-def", "request to all data in memory, one message at a time", r.oneWay(false),
		"request to all data in the receiving interface", r.oneWay(true))
}

// applications are those programs of the model that the paper ran too.
var applications = [...]string{"fft", "radix"}

// slower is by how much the monitor lengthens the application that suffers
// most, in percent.
func (r *rows) slower(ctx context.Context) (judge.Measured, error) {
	worst, text := math.Inf(-1), ""
	for _, name := range applications {
		var times [2]float64
		for i, build := range []experiment.Build{experiment.BuildOff, experiment.BuildFull} {
			spec := experiment.DefaultRun(name)
			spec.Seed, spec.Monitor = r.seed, build
			run, err := experiment.Run(ctx, spec, nil)
			if err != nil {
				return judge.Measured{}, err
			}
			times[i] = runTimes(run)[0]
		}
		pct := 100 * (times[1]/times[0] - 1)
		worst = max(worst, pct)
		text += fmt.Sprintf(", %s %.2f %% of %.3f s", name, pct, times[0])
	}
	return value(worst, "the most of all%s", text), nil
}

// worst returns the largest loss of bandwidth to the full monitor among the
// sizes of a range, in percent, and where it is.
func worst(p *experiment.Perturbation, test string, lo, hi int64) (pct float64, at int64) {
	return worstOf(p, experiment.BuildFull, test, lo, hi)
}

func worstOf(p *experiment.Perturbation, b experiment.Build, test string, lo, hi int64) (pct float64, at int64) {
	pct = math.Inf(-1)
	for _, x := range p.Points {
		if x.Build != b || x.Test != test || x.SizeBytes < lo || x.SizeBytes > hi {
			continue
		}
		if loss, ok := p.Loss(b, test, x.SizeBytes); ok && loss > pct {
			pct, at = loss, x.SizeBytes
		}
	}
	return pct, at
}

// onePacket are the messages of at most a page.
const onePacket = host.PageBytes

// nearlyConstant tells whether a build adds nearly the same to the one-way
// time of every message of one packet, so that streams lose less the longer
// their messages are.
func nearlyConstant(p *experiment.Perturbation, b experiment.Build) (judge.Measured, error) {
	least, most := math.Inf(1), 0.0
	for _, x := range p.Points {
		if us, ok := p.Added(b, x.SizeBytes); ok && x.Build == b && x.Test == measure.PingPong && x.SizeBytes <= onePacket {
			least, most = min(least, us), max(most, us)
		}
	}
	var losses []float64
	falling := true
	for i, n := range []int64{4, 256, 4096, 64 << 10} {
		loss, _ := p.Loss(b, measure.Stream, n)
		losses = append(losses, loss)
		falling = falling && loss > 0 && (i == 0 || loss < losses[i-1])
	}
	return holds(falling && most < 1.15*least, "%.2f to %.2f µs one way; a stream of 4 B, 256 B, 4 KB, 64 KB loses %.1f %%", least, most, losses), nil
}

// distinctUs is by how much two builds have to differ to be told apart.
const distinctUs = 0.05

// distinct counts the builds whose one-way times differ from all others.
func distinct(us []float64) judge.Measured {
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
	return value(float64(n), "one way off, full, send, recv, clock: %.2f µs", us)
}

// silent measures the builds without starting their monitors.
func (r *rows) silent() judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		var oneWay []float64
		for _, build := range experiment.Builds() {
			b, err := r.open(testbed.Spec{Monitor: string(experiment.Build(build)), Silent: true})
			if err != nil {
				return judge.Measured{}, err
			}
			defer b.Engine.Close()
			pair := b.Pair(0, 1, 4)
			p := pair.PingPong(4, 200)
			if !b.OK() {
				return judge.Measured{}, b.Err()
			}
			oneWay = append(oneWay, p.OneWay().Us())
		}
		return distinct(oneWay), nil
	})
}

// asUnidirectional tells whether a build costs a test something, and no more
// than the bounds for a one-way stream.
func asUnidirectional(p *experiment.Perturbation, test string, b experiment.Build) (judge.Measured, error) {
	small, atSmall := worstOf(p, b, test, 0, smallBytes)
	large, atLarge := worstOf(p, b, test, smallBytes+1, math.MaxInt64)
	page, _ := worstOf(p, b, test, onePacket, math.MaxInt64)
	return holds(small > 0 && small <= smallLossPct && large <= largeLossPct,
		"loses up to %.1f %% (%d B), above 128 B %.1f %% (%d B), from 4 KB %.1f %%", small, atSmall, large, atLarge, page), nil
}

// added is what the full monitor adds to the one-way time of messages of one
// packet, in µs.
func added(p *experiment.Perturbation) (judge.Measured, error) {
	sum, n := 0.0, 0
	least, most, longest := math.Inf(1), 0.0, int64(0)
	for _, x := range p.Points {
		us, ok := p.Added(experiment.BuildFull, x.SizeBytes)
		if !ok || x.Build != experiment.BuildFull || x.Test != measure.PingPong {
			continue
		}
		if x.SizeBytes <= onePacket {
			sum, n, least, most = sum+us, n+1, min(least, us), max(most, us)
		}
		longest = max(longest, x.SizeBytes)
	}
	if n == 0 {
		return judge.Measured{}, fmt.Errorf("no pingpong of one packet")
	}
	end, _ := p.Added(experiment.BuildFull, longest)
	return value(sum/float64(n), "%.2f to %.2f µs up to 4 KB; %.0f µs at %d MB, where every packet costs some", least, most, end, longest>>20), nil
}

// overhead is by how much the full monitor lengthens a send, in µs.
func overhead(p *experiment.Perturbation) (judge.Measured, error) {
	most, at := math.Inf(-1), int64(0)
	for _, x := range p.Points {
		if us, ok := p.Overhead(experiment.BuildFull, x.SizeBytes); ok && x.Build == experiment.BuildFull && x.Test == measure.Stream && us > most {
			most, at = us, x.SizeBytes
		}
	}
	small, _ := p.Overhead(experiment.BuildFull, 4)
	return value(most, "at %d B, %.2f µs at 4 B: the words of tag, kind and span that the host writes into the request", at, small), nil
}

// sendTime compares what the stream program measures inside send with the
// time that sends take which nothing is queued before.
func (r *rows) sendTime(whole bool) judge.Measure {
	return r.bed(testbed.Spec{Monitor: "off"}, func(b *testbed.Bed) judge.Measured {
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
		pair := b.Pair(0, 1, n)
		s := pair.Stream(n, messages)
		want, got := alone.Us()/messages, s.Overhead.Us()
		if whole {
			got = s.Took.Us() / messages
		}
		return holds(math.Abs(got-want) < 0.1*want, "%.2f µs in the stream, %.2f µs for sends with idle time between them", got, want)
	})
}

// oneWay compares half a round trip with the time of single messages from the
// request's issue to the last byte in the receiver's memory, or to that in the
// receiving interface.
func (r *rows) oneWay(card bool) judge.Measure {
	return r.bed(testbed.Spec{Monitor: "off"}, func(b *testbed.Bed) judge.Measured {
		const times = 100
		ok, text := true, ""
		w := b.Watch()
		for _, n := range []int{4, 256, 4096} {
			var sum sim.Duration
			var issued sim.Time
			b.Depositor(1).Exports[0].OnWrite(func(vmmc.Deposit) {
				if !card {
					sum += b.Engine.Now().Sub(issued)
				}
			})
			w.Packets = w.Packets[:0]
			b.Run(testbed.On(0, func(c *host.Context) {
				draw := b.Engine.Stream("row/one-way")
				for i := range times {
					issued = c.Now()
					b.Depositor(0).Send(c, 1, n)
					c.Sleep(testbed.Quiet + draw.Upto(testbed.Quiet))
					if card {
						sum += w.Packets[i].T5.Sub(issued)
					}
				}
			}))
			pair := b.Pair(0, 1, n)
			p := pair.PingPong(n, times)
			one := sum.Us() / times
			ok = ok && math.Abs(one-p.OneWay().Us()) < 0.05*p.OneWay().Us()
			text += fmt.Sprintf(", %d B: %.2f and %.2f µs", n, one, p.OneWay().Us())
		}
		return holds(ok, "one message and half a round trip%s", text)
	})
}
