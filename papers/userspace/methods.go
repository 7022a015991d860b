package userspace

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// methodBytes is the message on which the methods of measurement are tried.
const methodBytes = 64

// How near what a method gives has to come to what is true inside: in parts of
// it, or absolutely.
const agree, agreeUs = 0.05, 0.1

// methods holds the rows of how the study measures. That a formula gives what
// it is to give is seen by timing the thing itself, which only a model can. The
// counter-experiment is the formula without the part that matters.
func (r *rows) methods() {
	sending, receiving := []string{"bip", "fm", "pm", "vmmc"}, []string{"bip", "fm", "pm"}
	gap := func(p parameters) float64 { return p.g }
	half := func(p parameters) float64 { return p.half }
	send := func(t timed) float64 { return t.send }
	receive := func(t timed) float64 { return t.receive }
	way := func(t timed) float64 { return t.way }
	os := func(p parameters) float64 { return p.os }
	r.versus("us-meth-L", "the way of one message, less its receive", formula(sending, func(p parameters) float64 { return p.l }, way),
		"half the round trip as it is", formula(sending, half, way))
	r.versus("us-meth-os", "the time inside one send", formula(sending, os, send), "the gap without a delay", formula(sending, gap, send))
	r.versus("us-meth-os-am", "the time inside one send", formula([]string{"gam"}, os, send), "of many messages", formula([]string{"gam"}, gap, send))
	r.versus("us-meth-or", "the time inside one receive", formula(receiving, func(p parameters) float64 { return p.or }, receive),
		"the gap without a delay", formula(receiving, gap, receive))
	r.versus("us-meth-or-am", "the time to handle one reply", replyOverhead(true), "without what the sender idles", replyOverhead(false))
	r.versus("us-meth-g", "time per message where they arrive, of many", gapOf(400), "of two", gapOf(2))
	r.versus("us-meth-bw-pp", "size over half the round trip", rate(measure.PingPong, half), "size over the gap", rate(measure.PingPong, gap))
	r.versus("us-meth-bw-uni", "size over the gap", rate(measure.Unidirectional, gap), "size over half the round trip", rate(measure.Unidirectional, half))
	r.versus("us-meth-c", "gap at a receiver that spins, less the spin", lifted(testbed.Pair.ReceiveGap), "at a sender that spins", lifted(testbed.Pair.SendGap))
	for _, x := range []struct {
		id      string
		wants   crossing
		program string
		counter string
	}{
		{"us-meth-a", crossing{both: true, turns: true}, measure.PingPong, measure.Unidirectional},
		{"us-meth-b", crossing{}, measure.Unidirectional, measure.PingPong},
		{"us-meth-bw-sim", crossing{both: true}, measure.Simultaneous, measure.PingPong},
	} {
		r.versus(x.id, "messages as they cross in "+x.program, crosses(x.program, x.wants), x.counter, crosses(x.counter, x.wants))
	}
}

// equal is that what f gives is what is true, on each of some layers.
func equal(layers []string, unit string, f func(x *study, layer string) (got, truth float64)) test {
	wants := fmt.Sprintf("within %g %% or %g %s of the truth", 100*agree, agreeUs, unit)
	return each(wants, layers, func(x *study, layer string) (bool, string) {
		got, truth := f(x, layer)
		return math.Abs(got-truth) <= max(agree*truth, agreeUs), fmt.Sprintf("%.2f for %.2f %s", got, truth, unit)
	})
}

// formula is that a formula of the parameters gives a true time.
func formula(layers []string, of func(parameters) float64, truth func(timed) float64) test {
	return equal(layers, "µs", func(x *study, layer string) (float64, float64) {
		return of(x.parameters(layer, methodBytes, unchanged)), truth(x.timed(layer))
	})
}

// timed are true times of one message on an idle pair, µs.
type timed struct {
	send    float64 // inside the send
	receive float64 // inside a receive of a message that has come
	way     float64 // from the end of the send to where the receive begins that waits for it
}

// timed sends messages, far apart, to a process that comes later for each, and
// to one that waits. The first ones do not count: tables and caches are then cold.
func (x *study) timed(layer string) timed {
	const cold, messages, apart, late = 10, 40, sim.Millisecond, 200 * sim.Microsecond
	type key string
	return once(x, key(layer), func() (t timed) {
		receive := sim.Microseconds(x.parameters(layer, methodBytes, unchanged).or)
		mean := func(sum *float64, k int, d sim.Duration) {
			if k >= cold {
				*sum += d.Us() / (messages - cold)
			}
		}
		for _, wait := range []sim.Duration{late, 0} {
			live(x, pair(layer, unchanged), func(b *testbed.Bed) bool {
				from, to := b.Mails(methodBytes)
				var sent sim.Time
				b.Play(func(c *host.Context) {
					for k := range messages {
						c.Sleep(apart)
						began := c.Now()
						b.Keep(from.Endpoint.Send(c, 1, from.Out, methodBytes, trace.Meta{Kind: trace.Data}))
						sent = c.Now()
						if wait > 0 {
							mean(&t.send, k, sent.Sub(began))
						}
						c.Sleep(began.Add(apart).Sub(sent))
						from.Endpoint.Poll(c) // replies and credits
					}
				}, func(c *host.Context) {
					for k := range messages {
						if wait > 0 {
							c.Sleep(sim.Time(2 * apart * sim.Duration(k)).Add(apart + wait).Sub(c.Now()))
						}
						began := c.Now()
						to.Take(c, methodBytes)
						if now := c.Now(); wait > 0 {
							mean(&t.receive, k, now.Sub(began))
						} else {
							mean(&t.way, k, now.Sub(sent.Add(receive)))
						}
					}
				})
				return true
			})
		}
		return t
	})
}

// replyOverhead compares the receive overhead of Active Messages as a sender of
// requests sees it, less what it idles, with the time to handle one reply.
func replyOverhead(lessIdle bool) test {
	return equal([]string{"gam"}, "µs", func(x *study, layer string) (got, took float64) {
		p := judge.Get(x.Session, func(ctx context.Context) (logp.Result, error) {
			return measure.New(ctx, x.place(layer, unchanged), x.seed).Fragments(methodBytes)
		})
		if got = p.G.Value - p.Os.Value; lessIdle {
			got -= p.Idle.Value
		}
		return got, live(x, pair(layer, unchanged), func(b *testbed.Bed) (us float64) {
			q := b.Calls()
			q.Serve(0, 1, 1, func(c *host.Context) {
				q.Send(c, 0, 1)
				c.Sleep(sim.Millisecond)
				began := c.Now()
				if handled := q.Ends[0].Poll(c); handled != 1 {
					b.Fail("%d replies, want 1", handled)
				}
				us = c.Now().Sub(began).Us()
			})
			return us
		})
	})
}

// gapOf compares the gap of so many messages, as their sender sees it, with
// the time per message in which they arrive.
func gapOf(messages int) test {
	return equal(compared, "µs", func(x *study, layer string) (gap, arriving float64) {
		loop := microbench.Loop{Bytes: methodBytes, Messages: messages}
		if messages > 2 {
			loop.Warm = messages // queues and windows are full
		}
		live(x, pair(layer, unchanged), func(b *testbed.Bed) bool {
			p := b.Pair(0, 1, methodBytes)
			gap = p.SendGap(loop).Us()
			arriving = p.Stream(methodBytes, 1000).Took.Us() / 1000
			return true
		})
		return gap, arriving
	})
}

// rate compares the bandwidth of a test with the size over a parameter.
func rate(program string, of func(parameters) float64) test {
	const n = 1024
	return equal(compared, "MB/s", func(x *study, layer string) (float64, float64) {
		return n / of(x.parameters(layer, n, unchanged)), x.curve(layer, program, doubling, unchanged).at(n)
	})
}

// lifted is that the gap under a long spin, less the spin, is the time of one
// receive.
func lifted(gap func(testbed.Pair, microbench.Loop) sim.Duration) test {
	const spin = 20 * sim.Microsecond
	return equal([]string{"pm"}, "µs", func(x *study, layer string) (float64, float64) {
		return live(x, pair(layer, unchanged), func(b *testbed.Bed) float64 {
			return (gap(b.Pair(0, 1, methodBytes), microbench.Loop{Bytes: methodBytes, Warm: 100, Messages: 100, Spin: spin}) - spin).Us()
		}), x.timed(layer).receive
	})
}

// crossing is how messages cross in a test.
type crossing struct {
	both  bool // both nodes send
	turns bool // and never both at the same time
}

func (k crossing) String() string {
	switch {
	case !k.both:
		return "messages one way only"
	case k.turns:
		return "one message to, one fro, never two at once"
	}
	return "messages both ways, at the same time"
}

// crosses is that the messages of a test of BIP cross in some way.
func crosses(program string, want crossing) test {
	return on(pair("bip", unchanged), want.String(), func(b *testbed.Bed) judge.Measured {
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
		switch program {
		case measure.PingPong:
			p.PingPong(methodBytes, 20)
		case measure.Unidirectional:
			p.Stream(methodBytes, 20)
		case measure.Simultaneous:
			p.Simultaneous(methodBytes, 20)
		}
		is := crossing{both: from[0] > 0 && from[1] > 0, turns: repeats == 0 && from[1] > 0 && together == 0}
		return holds(is == want, "%d messages to and %d fro, %d times both at once", from[0], from[1], together)
	})
}
