package userspace

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// methodBytes is the message on which the methods of measurement are tried.
const methodBytes = 64

// agree is how near what a method gives has to come to what is true inside.
const agree = 0.05

// methods holds the rows of how the study measures. That a formula gives what
// it is to give is seen by timing the thing itself, which only a model can, and
// the counter-experiment is the formula without the part that matters.
func (r *rows) methods() {
	l := r.comparison
	sending := []string{"bip", "fm", "pm", "vmmc"}
	receiving := []string{"bip", "fm", "pm"}
	type reading = func(o overheads, t timed) (formula, truth float64)
	each := func(layers []string, f reading) judge.Measure {
		return func(ctx context.Context) (judge.Measured, error) { return l.hold(ctx, layers, f) }
	}
	r.Versus("us-meth-L", "the way of one message, less its receive", each(append(receiving, "vmmc"), func(o overheads, t timed) (float64, float64) {
		return o.half - o.os - o.or, t.way
	}), "half the round trip as it is", each(append(receiving, "vmmc"), func(o overheads, t timed) (float64, float64) {
		return o.half, t.way
	}))
	r.Versus("us-meth-os", "the time inside one send", each(sending, func(o overheads, t timed) (float64, float64) {
		return o.os, t.send
	}), "the gap without a delay", each(sending, func(o overheads, t timed) (float64, float64) { return o.g, t.send }))
	r.Versus("us-meth-os-am", "the time inside one send", each([]string{"gam"}, func(o overheads, t timed) (float64, float64) {
		return o.os, t.send
	}), "of many messages", each([]string{"gam"}, func(o overheads, t timed) (float64, float64) { return o.g, t.send }))
	r.Versus("us-meth-or", "the time inside one receive", each(receiving, func(o overheads, t timed) (float64, float64) {
		return o.or, t.receive
	}), "the gap without a delay", each(receiving, func(o overheads, t timed) (float64, float64) { return o.g, t.receive }))
	r.Versus("us-meth-or-am", "the time to handle one reply", plainly(l.replyOverhead(true), unchanged),
		"without what the sender idles", plainly(l.replyOverhead(false), unchanged))
	r.Versus("us-meth-g", "time per message where they arrive, of many", l.gapOf(400), "of two", l.gapOf(2))
	r.Versus("us-meth-bw-pp", "size over half the round trip", l.rate(measure.PingPong, false), "size over the gap", l.rate(measure.PingPong, true))
	r.Versus("us-meth-bw-uni", "size over the gap", l.rate(measure.Unidirectional, true), "size over half the round trip", l.rate(measure.Unidirectional, false))
	for _, x := range []struct {
		id, title string
		want      traffic
		program   string
		counter   string
	}{
		{"us-meth-a", "messages as they cross: one to, one fro", traffic{both: true, turns: true}, measure.PingPong, measure.Unidirectional},
		{"us-meth-b", "messages as they cross: one way only", traffic{}, measure.Unidirectional, measure.PingPong},
		{"us-meth-bw-sim", "messages as they cross: both ways at the same time", traffic{both: true}, measure.Simultaneous, measure.PingPong},
	} {
		r.Versus(x.id, x.title, l.crossing(x.program, x.want), x.counter, l.crossing(x.counter, x.want))
	}
	r.Versus("us-meth-c", "gap at a receiver that spins, less the spin", l.lifted(true), "at a sender that spins", l.lifted(false))
}

// timed are true times of one message on an idle pair, µs.
type timed struct {
	send    float64 // inside the send
	receive float64 // inside a receive of a message that has come
	way     float64 // from the end of the send to where the receive begins that waits for it
}

// time sends messages, far apart, to a process that comes later for each, and
// to one that waits. The first ones do not count: tables and caches are then cold.
func (l *comparison) time(layer string, receive sim.Duration) (timed, error) {
	const cold, messages, apart, late = 10, 40, sim.Millisecond, 200 * sim.Microsecond
	mean := func(sum *float64, k int, d sim.Duration) {
		if k >= cold {
			*sum += d.Us() / (messages - cold)
		}
	}
	var t timed
	for _, wait := range []sim.Duration{late, 0} {
		p, err := lab{l.seed, layer}.pair()
		if err != nil {
			return t, err
		}
		defer p.Engine.Close()
		a, b := newMail(p.procs[0], methodBytes), newMail(p.procs[1], methodBytes)
		var failed error
		var sent sim.Time
		_, err = p.try(
			func(c *host.Context) {
				for k := range messages {
					c.Sleep(apart)
					began := c.Now()
					failed = errors.Join(failed, a.Endpoint.Send(c, 1, a.out, methodBytes, trace.Meta{Kind: trace.Data}))
					sent = c.Now()
					if wait > 0 {
						mean(&t.send, k, sent.Sub(began))
					}
					c.Sleep(began.Add(apart).Sub(sent))
					a.Endpoint.Poll(c) // replies and credits
				}
			},
			func(c *host.Context) {
				for k := range messages {
					if wait > 0 {
						c.Sleep(sim.Time(2 * apart * sim.Duration(k)).Add(apart + wait).Sub(c.Now()))
					}
					began := c.Now()
					if _, e := b.receive(c, methodBytes); e != nil {
						failed = errors.Join(failed, e)
					}
					if now := c.Now(); wait > 0 {
						mean(&t.receive, k, now.Sub(began))
					} else {
						mean(&t.way, k, now.Sub(sent.Add(receive)))
					}
				}
			})
		if err = errors.Join(err, failed); err != nil {
			return t, err
		}
	}
	return t, nil
}

// hold tells whether a formula gives the truth on each of the layers.
func (l *comparison) hold(ctx context.Context, layers []string, f func(overheads, timed) (formula, truth float64)) (judge.Measured, error) {
	return judge.ForAll(layers, "%s", ", ", func(layer string) (judge.Measured, error) {
		o, err := l.overheads(ctx, layer, methodBytes, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		t, err := l.time(layer, sim.Microseconds(o.or))
		if err != nil {
			return judge.Measured{}, err
		}
		formula, truth := f(o, t)
		return holds(math.Abs(formula-truth) <= max(agree*truth, 0.1), "%s %.2f for %.2f µs", layer, formula, truth), nil
	})
}

// replyOverhead compares the receive overhead of Active Messages as a sender
// of requests sees it with the time to handle one reply.
func (l *comparison) replyOverhead(less bool) func(context.Context, change) (judge.Measured, error) {
	return func(ctx context.Context, v change) (judge.Measured, error) {
		pl, err := l.place("gam", v)
		if err != nil {
			return judge.Measured{}, err
		}
		x, err := measure.New(ctx, pl, l.seed).Fragments(methodBytes)
		if err != nil {
			return judge.Measured{}, err
		}
		formula := x.G.Value - x.Os.Value
		if less {
			formula -= x.Idle.Value
		}
		p, err := lab{l.seed, "gam"}.pair()
		if err != nil {
			return judge.Measured{}, err
		}
		defer p.Engine.Close()
		q := p.procs[0].Endpoint.(comm.Requester)
		peer := p.procs[1].Endpoint.(comm.Requester)
		var took sim.Duration
		handled := 0
		var failed error
		_, err = p.try(
			func(c *host.Context) {
				failed = q.Request(c, 1, 1, [4]uint32{})
				c.Sleep(sim.Millisecond)
				began := c.Now()
				handled = q.Poll(c)
				took = c.Now().Sub(began)
			},
			func(c *host.Context) { peer.Wait(c) })
		if err = errors.Join(err, failed); err == nil && handled != 1 {
			err = fmt.Errorf("%d replies, want 1", handled)
		}
		return holds(math.Abs(formula-took.Us()) <= max(agree*took.Us(), 0.1), "%.2f for %.2f µs", formula, took.Us()), err
	}
}

// benchmark is a cluster whose first two nodes run the benchmarks' programs.
func (l *comparison) benchmark(layer string) (*cluster.Cluster, *microbench.Pair, error) {
	p, err := l.place(layer, unchanged)
	if err != nil {
		return nil, nil, err
	}
	c, err := cluster.Warmed(cluster.Of(p, 2, l.seed, monitor.Off))
	if err != nil {
		return nil, nil, err
	}
	pair, err := c.Pair(0, 1, methodBytes)
	return c, pair, err
}

// gapOf compares the gap of so many messages, as their sender sees it, with
// the time per message in which they arrive.
func (l *comparison) gapOf(messages int) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		return judge.ForAll(compared, "%s", ", ", func(layer string) (judge.Measured, error) {
			c, pair, err := l.benchmark(layer)
			if err != nil {
				return judge.Measured{}, err
			}
			defer c.Engine.Close()
			warm := 0
			if messages > 2 {
				warm = messages // queues and windows are full
			}
			g, err := pair.SendGap(microbench.Loop{Bytes: methodBytes, Warm: warm, Messages: messages})
			if err != nil {
				return judge.Measured{}, err
			}
			s, err := pair.Stream(methodBytes, 1000)
			if err != nil {
				return judge.Measured{}, err
			}
			arriving := s.Took.Us() / 1000
			return holds(math.Abs(g.Us()-arriving) <= agree*arriving, "%s %.2f for %.2f µs", layer, g.Us(), arriving), nil
		})
	})
}

// rate compares a bandwidth test with the size over one of the parameters.
func (l *comparison) rate(test string, gap bool) judge.Measure {
	const n = 1024
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll(compared, "%s", ", ", func(layer string) (judge.Measured, error) {
			points, err := l.curve(curveKey{layer: layer, test: test, sizes: doubling})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			o, err := l.overheads(ctx, layer, n, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			by := o.half
			if gap {
				by = o.g
			}
			mb := mbAt(points, n)
			return holds(math.Abs(n/by-mb) <= agree*mb, "%s %.1f for %.1f MB/s", layer, n/by, mb), nil
		})
	}
}

// traffic is how messages cross in a test.
type traffic struct {
	both  bool // both nodes send
	turns bool // and never both at the same time
}

// crossing tells whether the messages of a test cross as they should.
func (l *comparison) crossing(test string, want traffic) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		c, pair, err := l.benchmark("bip")
		if err != nil {
			return judge.Measured{}, err
		}
		defer c.Engine.Close()
		var from [2]int
		last, repeats, together := -1, 0, 0
		c.Net.DropWhen(func(k *fabric.Packet) bool {
			src := int(k.Src)
			if from[src]++; src == last {
				repeats++
			}
			if last = src; c.Net.Busy(1 - src) {
				together++
			}
			return false
		})
		switch test {
		case measure.PingPong:
			_, err = pair.PingPong(methodBytes, 20)
		case measure.Unidirectional:
			_, err = pair.Stream(methodBytes, 20)
		case measure.Simultaneous:
			_, err = pair.Simultaneous(methodBytes, 20)
		}
		is := traffic{both: from[0] > 0 && from[1] > 0, turns: repeats == 0 && from[1] > 0 && together == 0}
		return holds(is == want, "%d messages to and %d fro, %d times both at once", from[0], from[1], together), err
	})
}

// lifted tells whether the gap under a long spin, less the spin, is the time of
// one receive: with the loop at the receiver, or at the sender.
func (l *comparison) lifted(atReceiver bool) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		c, pair, err := l.benchmark("pm")
		if err != nil {
			return judge.Measured{}, err
		}
		defer c.Engine.Close()
		gap := pair.SendGap
		if atReceiver {
			gap = pair.ReceiveGap
		}
		const spin = 20 * sim.Microsecond
		g, err := gap(microbench.Loop{Bytes: methodBytes, Warm: 100, Messages: 100, Spin: spin})
		if err != nil {
			return judge.Measured{}, err
		}
		t, err := l.time("pm", 0)
		got := (g - spin).Us()
		return holds(math.Abs(got-t.receive) <= max(agree*t.receive, 0.1), "%.2f for %.2f µs", got, t.receive), err
	})
}
