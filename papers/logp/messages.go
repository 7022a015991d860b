package logp

import (
	"bytes"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// messages adds the rows of Generic Active Messages and of the model itself
// (logp, sections 2.1 and 2.2).
func (r rows) messages() {
	of(r, "logp-gam-words", "request whose words are all ones", words, as(myrinet))
	versus(r, "logp-gam-handler", "requests that name two handlers", onEach(handled), 2, "one of them not set", 1)
	versus(r, "logp-gam-bulk", "a store and a get, looked at by their handlers", onEach(landed), true, "the handler of a request ahead of the store", false)
	versus(r, "logp-gam-deadlock", "two that send to each other more than the network takes", onEach(crossing), true, "one of them never calls the layer", false)
	versus(r, "logp-gam-pollmodes", "arrivals at programs that send, wait, poll and compute", onEach(pollModes), []string{"sending", "waiting", "polling", computing},
		"programs that only compute", []string{computing})
	versus(r, "logp-implicit-poll", "requests with nobody else to handle replies", onEach(implicit), true, "computing in their place", false)
	r.under("logp-f-capacity", "requests to a node that takes none for a millisecond", capacity, "room for any number of requests")
	versus(r, "logp-f-oneway", "true instants of requests", legs, 0, "a receiver that looks every 50 µs", 50*sim.Microsecond)
	versus(r, "logp-f-rtt", "true instants of requests and replies", halves, 0, "handlers that compute for 20 µs", 20*sim.Microsecond)
	r.under("logp-f-nmsgs", "instants of the last of n requests", train, oneToken)
}

// onEach makes a statement of programs on two nodes of every assessed machine.
func onEach[T any](f func(*testbed.Calls, T) judge.Measured) func(session, T) judge.Measured {
	return func(s session, arg T) judge.Measured {
		return each(unchanged, func(m machine) judge.Measured {
			return calls(s, m, 2, pageStore, func(t *testbed.Calls) judge.Measured { return f(t, arg) })
		})
	}
}

// handles sets a handler of node 1 that sees requests and answers with no words.
func handles(t *testbed.Calls, number uint8, see func(*host.Context, comm.Call)) {
	t.Handle(1, number, func(c *host.Context, q comm.Call) [4]uint32 {
		see(c, q)
		return [4]uint32{}
	})
}

// words counts the words of a request that reach its handler.
func words(s session, m machine) judge.Measured {
	return calls(s, m, 2, 0, func(t *testbed.Calls) judge.Measured {
		got := 0
		handles(t, 2, func(_ *host.Context, q comm.Call) {
			for _, w := range q.Args {
				if w == ^uint32(0) {
					got++
				}
			}
		})
		t.Serve(0, 1, 1, func(c *host.Context) {
			t.Keep(t.Ends[0].Request(c, 1, 2, [4]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}))
			t.Collect(c, 0)
		})
		return value(float64(got), "")
	})
}

// handled states that each request runs the handler that it names, with its
// words, and is answered once with what that returned. So many of two are set.
func handled(t *testbed.Calls, set int) judge.Measured {
	const requests = 20
	right, answers := 0, 0
	for h := range uint32(2) {
		if int(h) < set {
			t.Handle(1, uint8(2+h), func(_ *host.Context, q comm.Call) [4]uint32 {
				return [4]uint32{q.Args[0], 100 * (h + 1), q.Args[2] + 1}
			})
		}
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
	return judge.All(judge.True(right == requests && answers == requests, "all requests are answered once by the handler that they name", "%d of %d requests", right, requests))
}

// landed states that handlers find the data of their store, and of their get.
// Without its own, the handler of a request that came just before looks.
func landed(t *testbed.Calls, own bool) judge.Measured {
	const n = 4000
	near, far, data := t.Ends[0].Space(), t.Ends[1].Space(), testbed.Pattern(1, n)
	from, into, at := t.Ends[0].Buffer(n), near.Alloc(n), far.Alloc(n)
	near.WriteAt(from, data)
	look := func(there *bool, s *host.Space, at host.Addr) func(*host.Context, comm.Call) {
		return func(*host.Context, comm.Call) {
			found := make([]byte, n)
			s.ReadAt(at, found)
			*there = bytes.Equal(found, data)
		}
	}
	var early, stored, got bool
	handles(t, 2, look(&early, far, at))
	handles(t, 3, look(&stored, far, at))
	t.Ends[0].Answered(testbed.Counted, look(&got, near, into))
	t.Serve(0, 1, 3, func(c *host.Context) {
		t.Keep(t.Ends[0].Request(c, 1, 2, [4]uint32{}))
		t.Keep(t.Ends[0].Store(c, 1, from, at, n, 3, [4]uint32{}))
		t.Collect(c, 0)
		t.Keep(t.Ends[0].Get(c, 1, at, into, n, testbed.Counted, [4]uint32{}))
		t.Collect(c, 0)
	})
	if !own {
		stored = early
	}
	return judge.All(judge.True(stored && got, "handlers find the data", "data there: store %t, get %t", stored, got))
}

// crossing states that two nodes that each send far more than the tokens to the
// other get through. Otherwise the second one neither sends nor looks.
func crossing(t *testbed.Calls, both bool) judge.Measured {
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
			t.Answer(i, messages-t.Served[i])(c)
			t.Collect(c, i)
		}
	}
	ended := t.Bed.Ends(side(0), side(1))
	return judge.All(judge.True(ended, "both end", "%d and %d of %d each way", t.Served[1], t.Served[0], messages))
}

const computing = "computing" // by an interrupt

// pollModes states that a reply is handled by a program that does any of these
// while it waits: send, wait for replies, poll, compute.
func pollModes(t *testbed.Calls, modes []string) judge.Measured {
	var doing string
	var seen []string
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { seen = append(seen, doing) })
	const pause = 200 * sim.Microsecond
	t.Serve(0, 1, 2*len(modes), func(c *host.Context) {
		acts := map[string]func(){
			"sending": func() { t.Send(c, 0, 1) },
			"waiting": func() { t.Collect(c, 0) },
			"polling": func() { t.Ends[0].Poll(c) },
			computing: func() { c.Spend(pause) },
		}
		for _, mode := range modes {
			t.Send(c, 0, 1)
			c.Spend(pause) // its reply waits
			doing = mode
			acts[mode]()
			doing = ""
			t.Collect(c, 0)
		}
		for t.Served[1] < 2*len(modes) {
			t.Ask(c, 0, 1)
		}
	})
	var claims []judge.Claim
	for _, mode := range modes {
		there := slices.Contains(seen, mode)
		claims = append(claims, judge.True(there, "a reply is handled while "+mode, "%s %t", mode, there))
	}
	return judge.All(claims...)
}

// implicit states that requests handle the replies that have come, and wait for
// one where the network is full. Otherwise the program computes in their place.
func implicit(t *testbed.Calls, request bool) judge.Measured {
	const messages = 200
	handled, inside, stalled := 0, 0, false
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { handled++ })
	t.Serve(0, 1, messages, func(c *host.Context) {
		for i := range messages {
			if !request {
				t.Send(c, 0, 1)
			}
			before, begin := handled, us(c)
			if request {
				t.Send(c, 0, 1)
			} else {
				c.Spend(sim.Millisecond)
			}
			inside += handled - before
			stalled = stalled || i > messages/2 && us(c)-begin > 5 && handled > before
		}
		t.Collect(c, 0)
	})
	return judge.All(judge.Above(judge.Fig("replies handled inside requests", float64(inside)), judge.Limit(messages/2), 0),
		judge.True(stalled, "a request takes over 5 µs when there is no room, and handles a reply", "one that waited: %t", stalled))
}

// capacity states that a sender stalls once the network holds what it can.
func capacity(s session, c change) judge.Measured {
	return calls(s, machine{myrinet, c}, 2, 0, func(t *testbed.Calls) judge.Measured {
		const messages, late = 100, sim.Millisecond
		issued := 0
		t.Play(func(c *host.Context) {
			begin := c.Now()
			for range messages {
				t.Send(c, 0, 1)
				if c.Now().Sub(begin) < late {
					issued++
				}
			}
			t.Collect(c, 0)
		}, func(c *host.Context) {
			c.Spend(late)
			t.Answer(1, messages)(c)
		})
		return judge.All(judge.Below(judge.Fig("issued in a millisecond", float64(issued)), judge.Limit(messages), 0))
	})
}

// legs states that a request is handled o_s + L + o_r after its sender began
// it. The receiver may be one that looks only now and then.
func legs(s session, every sim.Duration) judge.Measured {
	there, _ := ways(s, every, 0)
	return judge.All(judge.Near(there, oneWay(s, 1), 10))
}

// halves states that both ways of a round trip take o_s + L + o_r.
func halves(s session, compute sim.Duration) judge.Measured {
	there, back := ways(s, 0, compute)
	return judge.All(judge.Near(there, oneWay(s, 1), 10), judge.Near(back, oneWay(s, 1), 10),
		judge.Near(judge.Fig("both, µs", there.V+back.V), oneWay(s, 2), 5))
}

// oneWay is the sum of the parameters that so many ways take.
func oneWay(s session, ways float64) judge.Figure {
	return judge.Fig("o_s + L + o_r, µs", ways*(overheads(s, as(myrinet))+latency(s, as(myrinet))))
}

// ways are the mean time from the beginning of a request to the end of its
// handling, and from there to the end of its reply's. The receiver computes
// before each look, or in each handler.
func ways(s session, every, compute sim.Duration) (there, back judge.Figure) {
	there.Name, back.Name = "there, µs", "back, µs"
	calls(s, as(myrinet), 2, 0, func(t *testbed.Calls) bool {
		const times = 100
		var handled float64
		handles(t, testbed.Counted, func(c *host.Context, _ comm.Call) {
			handled = us(c)
			c.Spend(compute)
		})
		t.Play(func(c *host.Context) {
			for range times {
				c.Sleep(1 + t.Pause.Upto(200*sim.Microsecond))
				begin := us(c)
				t.Ask(c, 0, 1)
				there.V += (handled - begin) / times
				back.V += (us(c) - handled) / times
			}
		}, func(c *host.Context) {
			for every > 0 && t.Served[1] < times {
				c.Spend(every)
				t.Ends[1].Poll(c)
			}
			t.Answer(1, times-t.Served[1])(c)
		})
		return true
	})
	return there, back
}

// train states that n requests have been handled after o + (n-1)·g + L + o.
func train(s session, c change) judge.Measured {
	return each(c, func(m machine) judge.Measured {
		const n = 1000
		f := s.of(as(m.name))
		took := calls(s, m, 2, 0, func(t *testbed.Calls) float64 {
			var begin, last float64
			handles(t, testbed.Counted, func(c *host.Context, _ comm.Call) { last = us(c) })
			t.Serve(0, 1, n, func(c *host.Context) {
				begin = us(c)
				for range n {
					t.Send(c, 0, 1)
				}
				t.Collect(c, 0)
			})
			return last - begin
		})
		return judge.All(judge.Near(judge.Fig("a thousand, µs", took), judge.Fig("o_s + 999 g + L + o_r", f.os+float64((n-1)*f.g)+f.l+f.or), 5))
	})
}
