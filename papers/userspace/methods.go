package userspace

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// methodBytes is the length of the messages on which the methods are tested.
const methodBytes = 64

// The largest accepted error of a method, relative and in µs. The larger one counts.
const agree, agreeUs = 0.05, 0.1

// methods holds the rows of how the study measures. Each formula is compared with
// the true time, which only a model can measure. The counter-experiment is the
// formula without its essential part.
func (r *rows) methods() {
	sending, receiving, gam := []string{"bip", "fm", "pm", "vmmc"}, []string{"bip", "fm", "pm"}, []string{"gam"}
	r.versus("us-meth-L", "the one-way time of a message, less its receive", formula(sending, "L", "way"), "half the round trip", formula(sending, "RTT/2", "way"))
	r.versus("us-meth-os", "the time inside one send", formula(sending, "O_s", "send"), "the gap without a delay", formula(sending, "g", "send"))
	r.versus("us-meth-os-am", "the time inside one send", formula(gam, "O_s", "send"), "of many messages", formula(gam, "g", "send"))
	r.versus("us-meth-or", "the time inside one receive", formula(receiving, "O_r", "receive"), "the gap without a delay", formula(receiving, "g", "receive"))
	r.versus("us-meth-or-am", "the time to handle one reply", replyOverhead(true), "with the sender's idle time", replyOverhead(false))
	r.versus("us-meth-g", "time per message at the receiver, of many", gapOf(400, 400), "of two", gapOf(2, 0))
	r.versus("us-meth-bw-pp", "size over half the round trip", bandwidthOf(measure.PingPong, "RTT/2"), "size over the gap", bandwidthOf(measure.PingPong, "g"))
	r.versus("us-meth-bw-uni", "size over the gap", bandwidthOf(measure.Unidirectional, "g"), "size over half the round trip", bandwidthOf(measure.Unidirectional, "RTT/2"))
	r.versus("us-meth-c", "gap with a receiver that spins, less the spin", lifted(testbed.Pair.ReceiveGap), "with a sender that spins", lifted(testbed.Pair.SendGap))
	for _, x := range []struct{ id, wants, program, counter string }{
		{"us-meth-a", inTurns, measure.PingPong, measure.Unidirectional},
		{"us-meth-b", oneWay, measure.Unidirectional, measure.PingPong},
		{"us-meth-bw-sim", bothWays, measure.Simultaneous, measure.PingPong},
	} {
		r.versus(x.id, "messages as they cross in "+x.program, crosses(x.program, x.wants), x.counter, crosses(x.counter, x.wants))
	}
}

// equal tests that the two results of f agree, on each of some layers.
func equal(layers []string, unit string, f func(x *study, layer string) (got, truth float64)) test {
	wants := fmt.Sprintf("within %g %% or %g %s of the truth", 100*agree, agreeUs, unit)
	return each(wants, layers, func(x *study, layer string) (bool, string) {
		got, truth := f(x, layer)
		return math.Abs(got-truth) <= max(agree*truth, agreeUs), fmt.Sprintf("%.2f for %.2f %s", got, truth, unit)
	})
}

// formula tests that a parameter equals a true time.
func formula(layers []string, parameter, truth string) test {
	return equal(layers, "µs", func(x *study, layer string) (float64, float64) {
		return x.parameters(layer, methodBytes)[parameter], x.timed(layer)[truth]
	})
}

// timed returns mean true times on an idle pair, µs: of a send, of the poll that
// handles a reply, of the receive of a message that has arrived, and from the end of
// a send to the start of its receive by a waiting process.
func (x *study) timed(layer string) figures {
	return once(x, func() figures {
		t := x.timedRun(layer, 200*sim.Microsecond)
		t["way"] = x.timedRun(layer, 0)["way"]
		return t
	}, "timed", layer)
}

// timedRun sends messages one by one to a process that receives each with a delay of
// late, or waits for it if late is 0. The first ones do not count, because tables and
// caches are cold.
func (x *study) timedRun(layer string, late sim.Duration) figures {
	const cold, messages, apart = 10, 40, sim.Millisecond
	t, receive := figures{}, sim.Microseconds(x.parameters(layer, methodBytes)["O_r"])
	return live(x, layer, func(b *testbed.Testbed) figures {
		mean := func(name string, k int, d sim.Duration) {
			if k >= cold {
				t[name] += d.Us() / (messages - cold)
			}
		}
		from, to := b.Mails(methodBytes)
		var sent sim.Time
		b.Play(func(c *host.Context) {
			for k := range messages {
				c.Sleep(apart)
				began := c.Now()
				b.Keep(from.Endpoint.Send(c, 1, from.Out, methodBytes, trace.Meta{Kind: trace.Data}))
				sent = c.Now()
				mean("send", k, sent.Sub(began))
				c.Sleep(began.Add(apart).Sub(sent))
				arrived := c.Now()
				from.Endpoint.Poll(c) // replies and credits
				mean("reply", k, c.Now().Sub(arrived))
			}
		}, func(c *host.Context) {
			for k := range messages {
				if late > 0 {
					c.Sleep(sim.Time(2 * apart * sim.Duration(k)).Add(apart + late).Sub(c.Now()))
				}
				began := c.Now()
				to.Take(c, methodBytes)
				mean("receive", k, c.Now().Sub(began))
				mean("way", k, c.Now().Sub(sent.Add(receive)))
			}
		})
		return t
	})
}

// replyOverhead compares the receive overhead of Active Messages, as a sender of
// requests measures it, with the time to handle one reply. If lessIdle, the sender's
// idle time is subtracted.
func replyOverhead(lessIdle bool) test {
	return equal([]string{"gam"}, "µs", func(x *study, layer string) (float64, float64) {
		p := judge.Get(x.Session, func(ctx context.Context) (logp.Result, error) {
			return measure.New(ctx, x.place(layer), x.seed).Fragments(methodBytes)
		})
		got := p.G.Value - p.Os.Value
		if lessIdle {
			got -= p.Idle.Value
		}
		return got, x.timed(layer)["reply"]
	})
}

// gapOf compares the gap of a number of messages at the sender, after warm others,
// with the time per message at the receiver.
func gapOf(messages, warm int) test {
	return equal(compared, "µs", func(x *study, layer string) (gap, arriving float64) {
		us := live(x, layer, func(b *testbed.Testbed) [2]float64 {
			p := b.Pair(0, 1, methodBytes)
			gap := p.SendGap(microbench.Loop{Bytes: methodBytes, Warm: warm, Messages: messages})
			return [2]float64{gap.Us(), p.Stream(methodBytes, 1000).Took.Us() / 1000}
		})
		return us[0], us[1]
	})
}

// bandwidthOf compares the bandwidth of a test with the size over a parameter.
func bandwidthOf(program, parameter string) test {
	const n = 1024
	return equal(compared, "MB/s", func(x *study, layer string) (float64, float64) {
		return n / x.parameters(layer, n)[parameter], x.curve(layer, program, doubling).at(n)
	})
}

// lifted tests that the gap under a long spin, less the spin, is the time of one
// receive.
func lifted(gap func(testbed.Pair, microbench.Loop) sim.Duration) test {
	const spin = 20 * sim.Microsecond
	return equal([]string{"pm"}, "µs", func(x *study, layer string) (float64, float64) {
		return live(x, layer, func(b *testbed.Testbed) float64 {
			return (gap(b.Pair(0, 1, methodBytes), microbench.Loop{Bytes: methodBytes, Warm: 100, Messages: 100, Spin: spin}) - spin).Us()
		}), x.timed(layer)["receive"]
	})
}

// How messages cross in a test.
const (
	oneWay   = "messages one way only"
	inTurns  = "messages both ways, never at the same time"
	bothWays = "messages both ways at the same time"
)

// crosses tests how the messages of a program cross on BIP.
func crosses(program, wants string) test {
	return on("bip", wants, func(b *testbed.Testbed) judge.Measured {
		p := b.Pair(0, 1, methodBytes)
		var from [2]int
		last, repeats, together := -1, 0, 0
		b.Tap(func(k *fabric.Packet) {
			src := int(k.Src)
			if from[src]++; src == last {
				repeats++
			}
			if last = src; b.Net.Busy(1 - src) {
				together++
			}
		})
		map[string]func(){
			measure.PingPong:       func() { p.PingPong(methodBytes, 20) },
			measure.Unidirectional: func() { p.Stream(methodBytes, 20) },
			measure.Simultaneous:   func() { p.Simultaneous(methodBytes, 20) },
		}[program]()
		seen := bothWays
		switch {
		case from[1] == 0:
			seen = oneWay
		case repeats+together == 0:
			seen = inTurns
		}
		return holds(seen == wants, "%d messages one way, %d the other, %d at the same time", from[0], from[1], together)
	})
}
