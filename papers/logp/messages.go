package logp

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// assessMessages holds the rows of Generic Active Messages and of the model
// itself (logp, sections 2.1 and 2.2).
func (r *rows) assessMessages(a *assessment) {
	r.Of("logp-gam-words", "request whose words are all ones", a.talking(machine{name: myrinet}, 2, 0, words))
	r.Versus("logp-gam-handler", "requests that name two handlers", a.on(assessed, 2, 0, handled(2)), "one of them not set", a.on(assessed, 2, 0, handled(1)))
	r.Versus("logp-gam-bulk", "a store and a get, looked at by their handlers", a.on(assessed, 2, 4096, landed(true)), "the handler of a request ahead of the store", a.on(assessed, 2, 4096, landed(false)))
	r.Versus("logp-gam-deadlock", "two that send to each other more than the network takes", a.on(assessed, 2, 0, crossing(true)), "one of them never calls the layer", a.on(assessed, 2, 0, crossing(false)))
	r.Versus("logp-gam-pollmodes", "arrivals at programs that send, wait, poll and compute", a.on(assessed, 2, 0, pollModes), "programs that only compute", a.on(assessed, 2, 0, computing))
	r.Versus("logp-implicit-poll", "requests with nobody else to handle replies", a.on(assessed, 2, 0, implicit(true)), "computing in their place", a.on(assessed, 2, 0, implicit(false)))
	r.Versus("logp-f-capacity", "requests to a node that takes none for a millisecond", a.capacity(unchanged), string(manyTokens), a.capacity(manyTokens))
	r.Versus("logp-f-oneway", "true instants of requests", a.legs(0), "a receiver that looks every 50 µs", a.legs(50))
	r.Versus("logp-f-rtt", "true instants of requests and replies", a.halves(0), "handlers that compute for 20 µs", a.halves(20))
	r.Versus("logp-f-nmsgs", "instants of the last of n requests", a.train(unchanged), string(oneToken), a.train(oneToken))
}

// on makes a measurement that has to hold on every one of some machines.
func (a *assessment) on(names []string, nodes, most int, f func(*testbed.Calls) judge.Measured) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		all := true
		var seen []string
		for _, name := range names {
			m, err := a.talking(machine{name: name}, nodes, most, f)(ctx)
			if err != nil {
				return m, fmt.Errorf("%s: %w", name, err)
			}
			all = all && m.Holds
			if len(seen) == 0 || seen[len(seen)-1] != m.Note {
				seen = append(seen, m.Note)
			}
		}
		return holds(all, "%s", strings.Join(seen, "; ")), nil
	}
}

// words counts the words of a request that reach its handler.
func words(t *testbed.Calls) judge.Measured {
	got := 0
	t.Handle(1, 2, func(_ *host.Context, q comm.Call) [4]uint32 {
		for _, w := range q.Args {
			if w == ^uint32(0) {
				got++
			}
		}
		return [4]uint32{}
	})
	t.Serve(0, 1, 1, func(c *host.Context) {
		t.Keep(t.Ends[0].Request(c, 1, 2, [4]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}))
		t.Collect(c, 0)
	})
	return value(float64(got), "")
}

// handled tells whether each request runs the handler that it names, with its
// words, and is answered once with what that returned. So many of two are set.
func handled(set int) func(*testbed.Calls) judge.Measured {
	return func(t *testbed.Calls) judge.Measured {
		const requests = 20
		right, answers := 0, 0
		for h := range uint32(set) {
			t.Handle(1, uint8(2+h), func(_ *host.Context, q comm.Call) [4]uint32 {
				return [4]uint32{q.Args[0], 100 * (h + 1), q.Args[2] + 1}
			})
		}
		for h := range uint32(2) {
			t.Ends[0].Answered(uint8(2+h), func(_ *host.Context, q comm.Call) {
				answers++
				if q.Args[0]%2 == h && q.Args[1] == 100*(h+1) && q.Args[2] == q.Args[0]+8 {
					right++
				}
			})
		}
		t.Serve(0, 1, requests*set/2, func(c *host.Context) {
			for i := range uint32(requests) {
				t.Keep(t.Ends[0].Request(c, 1, uint8(2+i%2), [4]uint32{i, 0, i + 7}))
			}
			if set == 2 {
				t.Collect(c, 0)
			}
		})
		return holds(right == requests && answers == requests, "%d of %d requests answered once by the handler that they named", right, requests)
	}
}

// landed tells whether handlers find the data of their store, and of their get.
// Without that, the handler of a request that came just before looks.
func landed(own bool) func(*testbed.Calls) judge.Measured {
	return func(t *testbed.Calls) judge.Measured {
		const n = 4000
		near, far := t.Ends[0].Space(), t.Ends[1].Space()
		from, into, at := t.Ends[0].Buffer(n), near.Alloc(n), far.Alloc(n)
		for i := 0; i < n; i += 4 {
			near.Store32(from+host.Addr(i), uint32(i)+1)
		}
		whole := func(s *host.Space, at host.Addr) bool {
			for i := 0; i < n; i += 4 {
				if s.Load32(at+host.Addr(i)) != uint32(i)+1 {
					return false
				}
			}
			return true
		}
		var stored, early, got bool
		t.Handle(1, 2, func(*host.Context, comm.Call) [4]uint32 { stored = whole(far, at); return [4]uint32{} })
		t.Handle(1, 3, func(*host.Context, comm.Call) [4]uint32 { early = whole(far, at); return [4]uint32{} })
		t.Handle(1, 4, func(*host.Context, comm.Call) [4]uint32 { return [4]uint32{} })
		t.Ends[0].Answered(4, func(*host.Context, comm.Call) { got = whole(near, into) })
		t.Serve(0, 1, 3, func(c *host.Context) {
			t.Keep(t.Ends[0].Request(c, 1, 3, [4]uint32{}))
			t.Keep(t.Ends[0].Store(c, 1, from, at, n, 2, [4]uint32{}))
			t.Collect(c, 0)
			t.Keep(t.Ends[0].Get(c, 1, at, into, n, 4, [4]uint32{}))
			t.Collect(c, 0)
		})
		if !own {
			stored = early
		}
		return holds(stored && got, "data there: store %t, get %t", stored, got)
	}
}

// crossing tells whether two nodes that each send far more than the tokens to
// the other get through. Otherwise the second one neither sends nor looks.
func crossing(both bool) func(*testbed.Calls) judge.Measured {
	return func(t *testbed.Calls) judge.Measured {
		const messages = 200
		side := func(i int) func(*host.Context) {
			return func(c *host.Context) {
				if !both && i == 1 {
					c.Spend(10 * sim.Millisecond)
					return
				}
				for range messages {
					t.Send(c, i, 1-i)
				}
				for t.Served[i] < messages || t.Ends[i].Outstanding() > 0 {
					t.Ends[i].Wait(c)
				}
			}
		}
		ended := t.Bed.Ends(side(0), side(1))
		return holds(ended, "%d and %d of %d each way", t.Served[1], t.Served[0], messages)
	}
}

// pollModes tells whether arrivals are handled by a program that sends, that waits
// for a reply, that polls, and by an interrupt of one that does none of these.
func pollModes(t *testbed.Calls) judge.Measured {
	var sending, waiting, polling, computing bool
	var doing string
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) {
		switch doing {
		case "send":
			sending = true
		case "wait":
			waiting = true
		case "poll":
			polling = true
		case "compute":
			computing = true
		}
	})
	const pause = 200 * sim.Microsecond
	t.Serve(0, 1, 5, func(c *host.Context) {
		step := func(what string, f func()) {
			doing = "send"
			t.Send(c, 0, 1)
			doing = what
			f()
		}
		step("none", func() { c.Spend(pause) }) // its reply waits
		step("wait", func() { t.Collect(c, 0) })
		step("none", func() { c.Spend(pause) })
		step("compute", func() { c.Spend(pause) })
		doing = "poll"
		t.Ends[0].Poll(c)
		step("wait", func() { t.Collect(c, 0) })
	})
	return holds(sending && waiting && polling && computing, "sending %t, waiting %t, polling %t, by interrupt %t", sending, waiting, polling, computing)
}

// computing is pollModes of a program that never calls the layer.
func computing(t *testbed.Calls) judge.Measured {
	handled := 0
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { handled++ })
	var before int
	t.Serve(0, 1, 1, func(c *host.Context) {
		t.Send(c, 0, 1)
		c.Spend(sim.Millisecond)
		before = handled
		t.Collect(c, 0)
	})
	return holds(before > 0, "%d handled", before)
}

// implicit tells whether requests handle the replies that have come, and wait for one
// where the network is full. Otherwise the program computes meanwhile.
func implicit(request bool) func(*testbed.Calls) judge.Measured {
	return func(t *testbed.Calls) judge.Measured {
		const messages = 200
		handled, stalled := 0, false
		t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { handled++ })
		var issued int
		t.Serve(0, 1, messages, func(c *host.Context) {
			for i := range messages {
				before, begin := handled, us(c)
				t.Send(c, 0, 1)
				stalled = stalled || i > messages/2 && us(c)-begin > 5 && handled > before
				if !request {
					c.Spend(sim.Millisecond)
					issued = handled
					break
				}
				issued = handled
			}
			for range messages - 1 {
				if request {
					break
				}
				t.Send(c, 0, 1)
			}
			t.Collect(c, 0)
		})
		return holds(issued > messages/2 && stalled, "%d replies handled inside requests, one that had no room waited for a reply: %t", issued, stalled)
	}
}

// capacity tells whether a sender stalls once the network holds what it can.
func (a *assessment) capacity(c change) judge.Measure {
	return a.talking(machine{myrinet, c}, 2, 0, func(t *testbed.Calls) judge.Measured {
		const messages, late = 100, sim.Millisecond
		issued := 0
		var took float64
		t.Play(func(c *host.Context) {
			begin := us(c)
			for range messages {
				t.Send(c, 0, 1)
				if c.Now().Sub(0).Us()-begin < late.Us() {
					issued++
				}
			}
			took = us(c) - begin
			t.Collect(c, 0)
		}, func(c *host.Context) {
			c.Spend(late)
			t.Answer(1, messages)(c)
		})
		return holds(issued < messages && took > late.Us(), "%d of %d issued in a millisecond", issued, messages)
	})
}

// legs tells whether a request is handled o_s + L + o_r after its sender began
// it. The receiver may be one that looks only now and then.
func (a *assessment) legs(everyUs float64) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		f, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		there, _, err := a.ways(ctx, everyUs, 0)
		want := f.sum() + f.l
		return holds(near(there, want, 0.1), "%.2f µs, o_s + L + o_r %.2f", there, want), err
	}
}

// halves tells whether both ways of a round trip take o_s + L + o_r.
func (a *assessment) halves(computeUs float64) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		f, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		there, back, err := a.ways(ctx, 0, computeUs)
		one := f.sum() + f.l
		return holds(near(there, one, 0.1) && near(back, one, 0.1) && near(there+back, 2*one, 0.05),
			"%.2f there and %.2f µs back, 2(o_s + L + o_r) = %.2f", there, back, 2*one), err
	}
}

// ways is the mean time from the beginning of a request to the end of its
// handling, and from there to the end of its reply's, µs.
func (a *assessment) ways(ctx context.Context, everyUs, computeUs float64) (there, back float64, err error) {
	_, err = a.talking(machine{name: myrinet}, 2, 0, func(t *testbed.Calls) judge.Measured {
		const times = 100
		var handled float64
		t.Handle(1, testbed.Counted, func(c *host.Context, _ comm.Call) [4]uint32 {
			handled = us(c)
			c.Spend(sim.Microseconds(computeUs))
			return [4]uint32{}
		})
		all := []func(*host.Context){func(c *host.Context) {
			for range times {
				c.Sleep(1 + t.Pause.Upto(200*sim.Microsecond))
				begin := us(c)
				t.Ask(c, 0, 1)
				there += (handled - begin) / times
				back += (us(c) - handled) / times
			}
		}, t.Answer(1, times)}
		if everyUs > 0 {
			all[1] = func(c *host.Context) {
				for t.Served[1] < times {
					c.Spend(sim.Microseconds(everyUs))
					t.Ends[1].Poll(c)
				}
			}
		}
		t.Play(all...)
		return judge.Measured{}
	})(ctx)
	return there, back, err
}

// train tells whether n requests have been handled after o + (n-1)·g + L + o.
func (a *assessment) train(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll(assessed, "a thousand: %s", ", ", func(name string) (judge.Measured, error) {
			f, err := a.of(ctx, name, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			const n = 1000
			m, err := a.talking(machine{name, c}, 2, 0, func(t *testbed.Calls) judge.Measured {
				var begin, last float64
				t.Handle(1, testbed.Counted, func(c *host.Context, _ comm.Call) [4]uint32 {
					last = us(c)
					return [4]uint32{}
				})
				t.Serve(0, 1, n, func(c *host.Context) {
					begin = us(c)
					for range n {
						t.Send(c, 0, 1)
					}
					t.Collect(c, 0)
				})
				return value(last-begin, "")
			})(ctx)
			if err != nil {
				return m, err
			}
			want := f.os + float64((n-1)*f.g) + f.l + f.or
			return holds(near(m.Value, want, 0.05), "%s %.0f of %.0f µs", name, m.Value, want), nil
		})
	}
}
