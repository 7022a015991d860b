package logp

import (
	"bytes"
	"math/bits"
	"sort"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// messages adds the rows of Generic Active Messages and of the model itself
// (logp, sections 2.1 and 2.2).
func (r rows) messages() {
	of(r, "logp-gam-words", "request whose words are all ones", words, myrinet)
	versus(r, "logp-gam-handler", "requests that name two handlers", onEach(handled), 2, "one of them not set", 1)
	versus(r, "logp-gam-bulk", "data that the handlers of a store and a get find", onEach(landed), own, "the handler of a request before the store", before)
	versus(r, "logp-gam-deadlock", "two nodes that send each other more than the network holds", onEach(crossing), 2, "one of them never calls the layer", 1)
	versus(r, "logp-gam-pollmodes", "replies to programs that send, wait, poll and compute", onEach(pollModes), modes, "programs that only compute", modes[3:])
	versus(r, "logp-implicit-poll", "replies handled inside requests", implicit, 0, "computing in their place", sim.Millisecond)
	r.under("logp-f-capacity", "requests to a node that polls once in a millisecond", capacity, "room for any number of requests")
	r.under("logp-f-nmsgs", "time of the last of n requests", train, oneToken)
	r.under("logp-b-replygap", "times of replies", replies, oneToken)
	trip := traffic{messages: 100, alone: true}
	looking, handling := trip, trip
	looking.every, handling.compute = 50*sim.Microsecond, 20*sim.Microsecond
	versus(r, "logp-f-oneway", "true times of requests", oneWay, trip, "a receiver that polls every 50 µs", looking)
	versus(r, "logp-f-rtt", "true times of requests and replies", bothWays, trip, "handlers that compute for 20 µs", handling)
}

// onEach makes a statement about programs on two nodes of each assessed machine.
func onEach[T any](f func(*testbed.Calls, T) judge.Measured) func(session, T) judge.Measured {
	return func(s session, arg T) judge.Measured {
		return each(func(name string) judge.Measured {
			return calls(s, name, 2, pageStore, func(t *testbed.Calls) judge.Measured { return f(t, arg) })
		})
	}
}

// words counts the words of a request that reach its handler with all their bits.
func words(s session, name string) judge.Measured {
	return calls(s, name, 2, 0, func(t *testbed.Calls) judge.Measured {
		const ones = ^uint32(0)
		got := 0
		t.Handle(1, 2, func(_ *host.Context, q comm.Call) [4]uint32 {
			for _, w := range q.Args {
				got += bits.OnesCount32(w) / 32
			}
			return q.Args
		})
		t.Serve(0, 1, 1, func(c *host.Context) { t.Keep(t.Ends[0].Request(c, 1, 2, [4]uint32{ones, ones, ones, ones})) })
		return value(float64(got), "")
	})
}

// handled states that each request runs the handler that it names, with its
// words, and is answered once with what that returns. Only the first set of two
// handlers exist.
func handled(t *testbed.Calls, set int) judge.Measured {
	const requests = 20
	right := 0
	for h := range uint32(2) {
		if int(h) < set {
			t.Handle(1, uint8(2+h), func(_ *host.Context, q comm.Call) [4]uint32 {
				return [4]uint32{q.Args[0], 100 * (h + 1), q.Args[2] + 1}
			})
		}
		t.Ends[0].Answered(uint8(2+h), func(_ *host.Context, q comm.Call) {
			if q.Args[0]%2 == h && q.Args[1] == 100*(h+1) && q.Args[2] == q.Args[0]+8 {
				right++
			}
		})
	}
	ended := t.Bed.Ends(func(c *host.Context) {
		for i := range uint32(requests) {
			t.Keep(t.Ends[0].Request(c, 1, uint8(2+i%2), [4]uint32{i, 0, i + 7}))
		}
		t.Collect(c, 0)
	}, t.Answer(1, requests))
	return judge.All(judge.True(ended && right == requests, "all requests are answered once by the handler that they name", "%d of %d requests", right, requests))
}

// landed states that the handlers of a store and of a get find their data. The
// one that looks for the store's data is the store's own, or that of a request
// just before it.
func landed(t *testbed.Calls, looks uint8) judge.Measured {
	const n = 4000
	near, far, data := t.Ends[0].Space(), t.Ends[1].Space(), testbed.Pattern(1, n)
	from, into, at := t.Ends[0].Buffer(n), near.Alloc(n), far.Alloc(n)
	near.WriteAt(from, data)
	var found [4]bool // by handler
	look := func(handler uint8, s *host.Space, at host.Addr) func(*host.Context, comm.Call) [4]uint32 {
		return func(*host.Context, comm.Call) [4]uint32 {
			there := make([]byte, n)
			s.ReadAt(at, there)
			found[handler] = bytes.Equal(there, data)
			return [4]uint32{}
		}
	}
	t.Handle(1, before, look(before, far, at))
	t.Handle(1, own, look(own, far, at))
	t.Ends[0].Answered(testbed.Counted, func(c *host.Context, q comm.Call) { look(testbed.Counted, near, into)(c, q) })
	t.Serve(0, 1, 3, func(c *host.Context) {
		t.Keep(t.Ends[0].Request(c, 1, before, [4]uint32{}))
		t.Keep(t.Ends[0].Store(c, 1, from, at, n, own, [4]uint32{}))
		t.Collect(c, 0)
		t.Keep(t.Ends[0].Get(c, 1, at, into, n, testbed.Counted, [4]uint32{}))
		t.Collect(c, 0)
	})
	stored, got := found[looks], found[testbed.Counted]
	return judge.All(judge.True(stored && got, "handlers find the data", "data there: store %t, get %t", stored, got))
}

// Handlers that landed sets.
const before, own = 2, 3

// crossing states that two nodes can send each other far more than there are
// tokens. So many of them call the layer.
func crossing(t *testbed.Calls, calling int) judge.Measured {
	const messages = 200
	side := func(i int) func(*host.Context) {
		return func(c *host.Context) {
			for range messages {
				t.Send(c, i, 1-i)
			}
			t.Answer(i, messages-t.Served[i])(c)
			t.Collect(c, i)
		}
	}
	ended := t.Bed.Ends([]func(*host.Context){side(0), side(1)}[:calling]...)
	return judge.All(judge.True(ended, "both programs end", "%d and %d of %d each way", t.Served[1], t.Served[0], messages))
}

// mode is what a program does while a reply waits.
type mode struct {
	name string
	do   func(*testbed.Calls, *host.Context)
}

// modes are the four of Generic Active Messages (section 2.2). A program that
// computes takes an interrupt.
var modes = []mode{
	{"sending", func(t *testbed.Calls, c *host.Context) { t.Send(c, 0, 1) }},
	{"waiting", func(t *testbed.Calls, c *host.Context) { t.Collect(c, 0) }},
	{"polling", func(t *testbed.Calls, c *host.Context) { t.Ends[0].Poll(c) }},
	{"computing", func(_ *testbed.Calls, c *host.Context) { c.Spend(sim.Millisecond) }},
}

// pollModes states that replies are handled in some modes.
func pollModes(t *testbed.Calls, modes []mode) judge.Measured {
	var doing string
	seen := map[string]bool{}
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { seen[doing] = true })
	t.Serve(0, 1, 2*len(modes), func(c *host.Context) {
		for _, m := range modes {
			t.Send(c, 0, 1)
			c.Spend(200 * sim.Microsecond) // its reply waits
			doing = m.name
			m.do(t, c)
			doing = ""
			t.Collect(c, 0)
		}
		for t.Served[1] < 2*len(modes) {
			t.Ask(c, 0, 1)
		}
	})
	var claims []judge.Claim
	for _, m := range modes {
		claims = append(claims, judge.True(seen[m.name], "a reply is handled while "+m.name, "%s %t", m.name, seen[m.name]))
	}
	return judge.All(claims...)
}

// traffic is a series of requests from node 0 to node 1.
type traffic struct {
	messages int
	alone    bool         // each begins at a random time after the reply to the one before
	pause    sim.Duration // how long node 0 computes after each
	every    sim.Duration // how long node 1 computes before each poll
	compute  sim.Duration // how long each handler computes
}

// message is one request: when its sender begins and ends to issue it, when it is
// handled, and when its reply is, µs.
type message struct{ begun, issued, handled, answered float64 }

// us is the time, µs.
func us(c *host.Context) float64 { return c.Now().Sub(0).Us() }

// instants runs the requests and returns the times of each.
func (x traffic) instants(s session, name string) []message {
	return calls(s, name, 2, 0, func(t *testbed.Calls) []message {
		all := make([]message, x.messages)
		t.Handle(1, testbed.Counted, func(c *host.Context, q comm.Call) [4]uint32 {
			all[q.Args[0]].handled = us(c)
			c.Spend(x.compute)
			return q.Args
		})
		t.Ends[0].Answered(testbed.Counted, func(c *host.Context, q comm.Call) { all[q.Args[0]].answered = us(c) })
		t.Play(func(c *host.Context) {
			for i := range all {
				if x.alone {
					t.Collect(c, 0)
					c.Sleep(1 + t.Pause.Upto(200*sim.Microsecond))
				}
				all[i].begun = us(c)
				t.Keep(t.Ends[0].Request(c, 1, testbed.Counted, [4]uint32{uint32(i)}))
				all[i].issued = us(c)
				c.Spend(x.pause)
			}
			t.Collect(c, 0)
		}, func(c *host.Context) {
			for x.every > 0 && t.Served[1] < x.messages {
				c.Spend(x.every)
				t.Ends[1].Poll(c)
			}
			t.Answer(1, x.messages-t.Served[1])(c)
		})
		return all
	})
}

// answered counts the replies that are handled between two times, µs.
func answered(all []message, from, to float64) (n float64) {
	for _, x := range all {
		if from <= x.answered && x.answered <= to {
			n++
		}
	}
	return n
}

// implicit states that requests handle the replies that have arrived, and wait
// for one when the network is full. With a pause it looks at the computing between
// requests instead.
func implicit(s session, pause sim.Duration) judge.Measured {
	return each(func(name string) judge.Measured {
		const messages, roomUs = 200, 5
		all := traffic{messages: messages, pause: pause}.instants(s, name)
		inside, waited := 0.0, 0.0
		for i, x := range all {
			from, to := x.begun, x.issued
			if pause > 0 {
				from, to = x.issued, x.issued+pause.Us()
			}
			n := answered(all, from, to)
			if inside += n; n > 0 && i > messages/2 && to-from > roomUs {
				waited++
			}
		}
		return judge.All(judge.Above(judge.Fig("replies handled inside requests", inside), judge.Limit(messages/2), 0),
			judge.Above(judge.Fig("late requests that take over 5 µs and handle one", waited), judge.Limit(0), 0))
	})
}

// capacity states that a sender stalls when the network holds as much as it can.
func capacity(s session) judge.Measured {
	const messages, late = 100, sim.Millisecond
	all := traffic{messages: messages, every: late}.instants(s, myrinet)
	issued := sort.Search(messages, func(i int) bool { return all[i].issued > all[0].begun+late.Us() })
	return judge.All(judge.Below(judge.Fig("issued in a millisecond", float64(issued)), judge.Limit(messages), 0))
}

// train states that n requests take o_s + (n-1)·g + L + o_r until the last is
// handled.
func train(s session) judge.Measured {
	return each(func(name string) judge.Measured {
		const n = 1000
		f, all := s.usual().of(name), traffic{messages: n}.instants(s, name)
		law := judge.Fig("o_s + 999 g + L + o_r", f.os+float64((n-1)*f.g)+f.l+f.or, "µs")
		return judge.All(judge.Near(judge.Fig("1000 requests", all[n-1].handled-all[0].begun, "µs"), law, 5))
	})
}

// replies states that replies of a long burst come a gap apart and that each
// costs o_r: issuing n messages takes n·o_s, and o_r for each reply that arrives
// meanwhile.
func replies(s session) judge.Measured {
	const n = 32 // within the transition: beyond a round trip, before the tokens end
	f, all := s.usual().of(myrinet), traffic{messages: n}.instants(s, myrinet)
	first, last := all[0], all[n-1]
	inside := answered(all, 0, last.issued)
	issue := judge.Fig("issue of 32 requests", last.issued-first.begun, "µs")
	return judge.All(judge.Above(judge.Fig("replies meanwhile", inside), judge.Limit(0), 0),
		judge.Near(issue, judge.Fig("32 o_s and o_r per reply meanwhile", float64(n*f.os)+float64(inside*f.or), "µs"), 3),
		judge.Near(judge.Fig("time between replies", (last.answered-first.answered)/(n-1), "µs"), judge.Fig("g", f.g, "µs"), 10))
}

// oneWay states that a request is handled o_s + L + o_r after its sender began it.
func oneWay(s session, x traffic) judge.Measured { return judge.All(x.ways(s)[0]) }

// bothWays states that both ways of a round trip take o_s + L + o_r.
func bothWays(s session, x traffic) judge.Measured { return judge.All(x.ways(s)...) }

// ways claims that a request, its reply and both take on average what the
// parameters say: from the beginning of the request to the end of its handling,
// and from there to the end of its reply's.
func (x traffic) ways(s session) []judge.Claim {
	there, back := 0.0, 0.0
	for _, m := range x.instants(s, myrinet) {
		there += (m.handled - m.begun) / float64(x.messages)
		back += (m.answered - m.handled) / float64(x.messages)
	}
	way := overheads(s, myrinet) + latency(s, myrinet)
	one, two := judge.Fig("o_s + L + o_r", way, "µs"), judge.Fig("2(o_s + L + o_r)", 2*way, "µs")
	return []judge.Claim{judge.Near(judge.Fig("request", there, "µs"), one, 10), judge.Near(judge.Fig("reply", back, "µs"), one, 10), judge.Near(judge.Fig("round trip", there+back, "µs"), two, 5)}
}
