package logp

import (
	"bytes"
	"fmt"
	"math/bits"
	"sort"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// messages adds the rows of Generic Active Messages and of the model itself
// (logp, sections 2.1 and 2.2).
func (r rows) messages() {
	of(r, "logp-gam-words", "request whose words are all ones", words, myrinet)
	versus(r, "logp-gam-handler", "requests that name two handlers", onEach(handled), 2, "one of them not set", 1)
	versus(r, "logp-gam-bulk", "data that the handlers of a store and a get find", onEach(landed), own, "the handler of a request before the store", before)
	versus(r, "logp-gam-deadlock", "two nodes that send each other more than the network holds", onEach(crossing), 2, "one of them never calls the layer", 1)
	versus(r, "logp-gam-pollmodes", "replies to programs that send, wait and poll, and with interrupts to ones that compute", pollModes, byInterrupt, "no interrupts", unchanged)
	versus(r, "logp-implicit-poll", "replies handled inside requests", implicit, 0, "computing in their place", sim.Millisecond)
	r.under("logp-f-capacity", "requests to a node that polls once in a millisecond", capacity, "room for any number of requests")
	r.under("logp-f-nmsgs", "time of the last of n requests", statement(train).each, oneToken)
	r.under("logp-b-replygap", "times of replies", replies, oneToken)
	idle := traffic{messages: 100, alone: true}
	looking, handling := idle, idle
	looking.every, handling.compute = 50*sim.Microsecond, 20*sim.Microsecond
	versus(r, "logp-f-oneway", "true times of requests", oneWay, idle, "a receiver that polls every 50 µs", looking)
	versus(r, "logp-f-rtt", "true times of requests and replies", bothWays, idle, "handlers that compute for 20 µs", handling)
}

// onEach makes a statement about programs on two nodes of each assessed machine.
func onEach[T any](f func(*testbed.Calls, T) judge.Measured) func(session, T) judge.Measured {
	return func(s session, arg T) judge.Measured {
		return statement(func(s session, name string) judge.Measured {
			return calls(s, name, 2, pageStore, func(t *testbed.Calls) judge.Measured { return f(t, arg) })
		}).each(s)
	}
}

// words counts the words of a request that reach its handler intact.
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

// handled states that each request runs the handler that it names, with its words,
// and that its only reply carries what the handler returns. Of the two handlers, only
// the first set exist.
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
	ended := t.Testbed.Ends(func(c *host.Context) {
		for i := range uint32(requests) {
			t.Keep(t.Ends[0].Request(c, 1, uint8(2+i%2), [4]uint32{i, 0, i + 7}))
		}
		t.Collect(c, 0)
	}, t.Answer(1, requests))
	return judge.All(judge.True(ended && right == requests, "all requests are answered once by the handler that they name", "%d of %d requests", right, requests))
}

// landed states that the handlers of a store and of a get find their data. The
// handler that looks for the store's data is the store's own, or that of a request
// sent just before it.
func landed(t *testbed.Calls, looks uint8) judge.Measured {
	const n = 4000
	near, far, data := t.Ends[0].Space(), t.Ends[1].Space(), testbed.Pattern(1, n)
	from, into, at := t.Ends[0].Buffer(n), near.Alloc(n), far.Alloc(n)
	near.WriteAt(from, data)
	var found [4]bool // by handler
	for _, handler := range []uint8{before, own} {
		t.Handle(1, handler, func(*host.Context, comm.Call) [4]uint32 {
			found[handler] = holds(far, at, data)
			return [4]uint32{}
		})
	}
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { found[testbed.Counted] = holds(near, into, data) })
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

// holds reports whether data are in a buffer.
func holds(s *host.Space, at host.Addr, data []byte) bool {
	there := make([]byte, len(data))
	s.ReadAt(at, there)
	return bytes.Equal(there, data)
}

// Handlers that landed sets.
const before, own = 2, 3

// crossing states that two nodes can send each other far more requests than there are
// tokens. If calling is 1, node 1 never calls the layer.
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
	ended := t.Testbed.Ends([]func(*host.Context){side(0), side(1)}[:calling]...)
	return judge.All(judge.True(ended, "both programs end", "%d and %d of %d each way", t.Served[1], t.Served[0], messages))
}

// mode is what a program does while a reply waits for it.
type mode struct {
	name string
	do   func(*testbed.Calls, *host.Context)
}

// modes are the four modes of Generic Active Messages (section 2.2). The last needs
// interrupts.
var modes = []mode{
	{"sending", func(t *testbed.Calls, c *host.Context) { t.Send(c, 0, 1) }},
	{"waiting", func(t *testbed.Calls, c *host.Context) { t.Collect(c, 0) }},
	{"polling", func(t *testbed.Calls, c *host.Context) { t.Ends[0].Poll(c) }},
	{"computing", func(_ *testbed.Calls, c *host.Context) { c.Spend(sim.Millisecond) }},
}

// pollModes states that replies are handled in all four modes, in the last one on
// machines with a change.
func pollModes(s session, interrupts change) judge.Measured {
	return statement(func(s session, name string) judge.Measured {
		in := func(c change, modes []mode) []judge.Claim {
			return calls(s.with(c), name, 2, pageStore, func(t *testbed.Calls) []judge.Claim { return handledIn(t, modes) })
		}
		return judge.All(append(in(unchanged, modes[:3]), in(interrupts, modes[3:])...)...)
	}).each(s)
}

// handledIn claims that a reply that comes before or during each of some modes is
// handled in it.
func handledIn(t *testbed.Calls, modes []mode) (claims []judge.Claim) {
	var doing string
	seen := map[string]bool{}
	t.Ends[0].Answered(testbed.Counted, func(*host.Context, comm.Call) { seen[doing] = true })
	t.Serve(0, 1, 2*len(modes), func(c *host.Context) {
		for _, m := range modes {
			t.Send(c, 0, 1)
			if m.name != "computing" {
				c.Spend(200 * sim.Microsecond) // its reply waits
			}
			doing = m.name
			m.do(t, c)
			doing = ""
			t.Collect(c, 0)
		}
		for t.Served[1] < 2*len(modes) {
			t.Ask(c, 0, 1)
		}
	})
	for _, m := range modes {
		claims = append(claims, judge.True(seen[m.name], "a reply is handled while "+m.name, "%s %t", m.name, seen[m.name]))
	}
	return claims
}

// traffic is a series of requests from node 0 to node 1.
type traffic struct {
	messages int
	alone    bool         // each begins at a random time after the previous one's reply
	pause    sim.Duration // how long node 0 computes after each
	every    sim.Duration // how long node 1 computes before each poll
	compute  sim.Duration // how long each handler computes
}

// message holds the times of one request, µs: the start and the end of its issue, and
// the ends of its handling and of its reply's.
type message struct{ begun, issued, handled, answered float64 }

// us returns the present time, µs.
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

// implicit states that sending a request handles the replies that have arrived, and
// waits for one when the network is full. With a pause, the statement is about the
// computing between requests instead.
func implicit(s session, pause sim.Duration) judge.Measured {
	return statement(func(s session, name string) judge.Measured {
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
			judge.Above(judge.Fig("late requests that take over 5 µs and handle a reply", waited), judge.Limit(0), 0))
	}).each(s)
}

// capacity states that a sender stalls when the network is full.
func capacity(s session) judge.Measured {
	const messages, late = 100, sim.Millisecond
	all := traffic{messages: messages, every: late}.instants(s, myrinet)
	issued := sort.Search(messages, func(i int) bool { return all[i].issued > all[0].begun+late.Us() })
	return judge.All(judge.Below(judge.Fig("issued in a millisecond", float64(issued)), judge.Limit(messages), 0))
}

// train states that it takes o_s + (n-1)·g + L + o_r until the last of n requests is
// handled.
func train(s session, name string) judge.Measured {
	const n = 1000
	f, all := s.usual().of(name), traffic{messages: n}.instants(s, name)
	law := judge.Fig("o_s + 999 g + L + o_r", f.os+float64((n-1)*f.g)+f.l+f.or, "µs")
	return judge.All(judge.Near(judge.Fig("1000 requests", all[n-1].handled-all[0].begun, "µs"), law, 5))
}

// replies states that the replies of a long burst arrive a gap apart and cost o_r
// each: issuing n messages takes n·o_s, and o_r for each reply that arrives meanwhile.
func replies(s session) judge.Measured {
	const n = 32 // longer than a round trip, and fewer than the tokens
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

// ways claims that the mean times of a request, its reply and both follow from the
// parameters. A request takes from its start to the end of its handling, a reply from
// there to the end of the reply's handling.
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

// bulk adds the rows of bulk transfers and of asynchronous RPC (logp, sections 4
// and 5).
func (r rows) bulk() {
	const upToPage = "stores of 8 B to 4 KB"
	line := func(most int) func(session, string) judge.Measured {
		return func(s session, name string) judge.Measured { return onLine(s.stores(name, most)) }
	}
	r.Versus("logp-bulk-T0", "line through T(n) up to 4 KB", given(r, line(pageStore), meiko), "on Myrinet up to 128 KB, where copies leave the cache", given(r, line(farStore), myrinet))
	r.under("logp-bulk-negT0", "line through T(n) up to 128 KB", func(s session) judge.Measured { return value(s.stores(myrinet, farStore).T.T0Us, "") }, "all copies at the same rate")
	of(r, "logp-bulk8-g", "signature of stores of 8 B", gapOf8.value, myrinet)
	of(r, "logp-bulk8-dma", "signatures of requests and of stores of 8 B", figure(func(s session, name string) float64 { return gapOf8(s, name) - gap(s, name) }).value, myrinet)
	versus(r, "logp-bulk8-3reg", "signature of stores of 8 B", fewestRegimes, measure.Stores(shortStore), "of 2 KB", measure.Stores(2048))
	versus(r, "logp-bulk2k-shape", "signature of stores of 2 KB: no gap, and a delay of 5 µs adds more than 3.5 µs", overheadLimited, 2048, "of 8 B", shortStore)
	versus(r, "logp-bulk-tofo", "signatures of stores of 8, 256 and 1024 B", surface, myrinet, "on paragon, which copies nothing", paragon)
	of(r, "logp-bulk4k-o", "overhead of stores", overhead4K.value, myrinet)
	// The rate of the copy into pinned memory, without the cost of a request.
	of(r, "logp-bulk4k-copy", "overhead of stores", figure(func(s session, name string) float64 { return pageStore / (overhead4K(s, name) - overheadS(s, name)) }).value, myrinet)
	r.under("logp-bulk-const", "overhead of "+upToPage, constant, "data copied into a pinned area")
	r.under("logp-bulk-linear", "overhead of "+upToPage, linear, uncopied)
	r.under("logp-bulk-oltT", "overhead and time of "+upToPage, overlaps, oneToken)
	r.under("logp-bulk-pin", "a buffer overwritten right after its store", rewritten, uncopied)
	r.Of("logp-fig9", "times and bandwidths of "+upToPage, r.session.measure(statement(curves).each))
	versus(r, "logp-bulk-bw-def", upToPage, bandwidths, true, "timer stopped when the data have arrived", false)
	r.under("logp-rpc-sig", signature, busy, "a wire at a tenth of its rate")
}

// Figures of stores, µs.
var (
	gapOf8 figure = func(s session, name string) float64 {
		return s.identified(s.signature(name, measure.Stores(shortStore)).G, name)
	}
	overhead8  figure = func(s session, name string) float64 { return s.stores(name, pageStore).Sizes[0].O.Value }
	overhead4K figure = func(s session, name string) float64 { return s.stores(name, pageStore).Sizes[9].O.Value }
)

// onLine states that T(n) = T0 + n/Rinf. The paper prints n times Rinf, which is no
// time.
func onLine(b logp.BulkResult) judge.Measured {
	t0, rate := b.T.T0Us, b.T.Rinf
	var off judge.Deviation
	for _, z := range b.Sizes {
		off.Add(t0+float64(z.SizeBytes)/rate.Value, z.T.Value)
	}
	return judge.All(judge.True(rate.OK(), "Rinf is identified", "T0 %.1f µs, Rinf %s MB/s", t0, rate), off.Within("T0 + n/Rinf", "T(n)", 10))
}

// overheadLimited measures the size if its signature shows no gap and every delay
// adds to the cost, otherwise 0.
func overheadLimited(s session, bytes int) judge.Measured {
	const delta = 5
	q := measure.Stores(bytes)
	x := s.signature(myrinet, q)
	none, some := s.steady(myrinet, q, 0), s.steady(myrinet, q, delta)
	n, text := regimes(x)
	if x.G.OK() || n == 3 || some-none <= 0.7*delta {
		bytes = 0
	}
	return value(float64(bytes), "%s; steady cost %.1f µs, with a delay of %d µs %.1f", text, none, delta, some)
}

// surface states that o_s and the asymptote grow with the length.
func surface(s session, name string) judge.Measured {
	of := func(bytes int) (o, end judge.Figure) {
		x := s.signature(name, measure.Stores(bytes))
		return judge.Fig(fmt.Sprintf("o_s of %d B", bytes), x.Os.Value, "µs"), judge.Fig(fmt.Sprintf("asymptote of %d B", bytes), x.Curves[0].AsymptoteUs.Value, "µs")
	}
	o8, end8 := of(shortStore)
	o256, _ := of(256)
	o1024, end1024 := of(1024)
	return judge.All(judge.Above(o256, o8, 50), judge.Above(o1024, o256, 50), judge.Above(end1024, end8, 20))
}

// constant states that the overheads of two machines do not depend on the
// length.
func constant(s session) judge.Measured {
	return judge.Each([]string{paragon, meiko}, func(name string) judge.Measured {
		short, long := shortAndLong(s, name)
		return judge.All(judge.Near(long, short, 2))
	})
}

// linear states that the overhead grows linearly with the length.
func linear(s session) judge.Measured {
	short, long := shortAndLong(s, myrinet)
	off := judge.Fig("largest distance from a line", s.stores(myrinet, pageStore).O.Residual.MaxUs, "µs")
	return judge.All(judge.Above(long, short, 900), judge.Below(off, long, 95))
}

func shortAndLong(s session, name string) (short, long judge.Figure) {
	return judge.Fig("overhead of 8 B", overhead8(s, name), "µs"), judge.Fig("overhead of 4 KB", overhead4K(s, name), "µs")
}

// overlaps states that the sender is free before the store has ended, at every
// length. On changed machines the steady cost of stores is taken as the overhead.
func overlaps(s session) judge.Measured {
	most := 0.0
	for _, z := range s.usual().stores(myrinet, pageStore).Sizes {
		o := z.O.Value
		if s.change != unchanged {
			o = s.steady(myrinet, measure.Stores(z.SizeBytes), 0)
		}
		most = max(most, o/z.T.Value)
	}
	return judge.All(judge.Below(judge.Fig("largest share of T(n) in which the sender is busy", 100*most, "%"), judge.Limit(95, "%"), 0))
}

// rewritten states that a store delivers what its buffer held when it was issued,
// although the buffer is overwritten at once.
func rewritten(s session) judge.Measured {
	return calls(s, myrinet, 2, pageStore, func(t *testbed.Calls) judge.Measured {
		own, far := t.Ends[0].Space(), t.Ends[1].Space()
		from, at := t.Ends[0].Buffer(pageStore), far.Alloc(pageStore)
		old := testbed.Pattern(7, pageStore)
		own.WriteAt(from, old)
		t.Serve(0, 1, 1, func(c *host.Context) {
			store(t, c, from, at, pageStore)
			own.WriteAt(from, testbed.Pattern(8, pageStore))
			t.Collect(c, 0)
		})
		same := holds(far, at, old)
		return judge.All(judge.True(same, "the data arrive as they were when the store was issued", "unchanged: %t", same))
	})
}

// store stores from node 0 into node 1.
func store(t *testbed.Calls, c *host.Context, from, at host.Addr, n int) {
	t.Keep(t.Ends[0].Store(c, 1, from, at, n, testbed.Counted, [4]uint32{}))
}

// curves states that time and bandwidth of a store rise with its length, and that the
// link's rate bounds the bandwidth.
func curves(s session, name string) judge.Measured {
	var time, rate []judge.Figure
	for _, z := range s.stores(name, pageStore).Sizes {
		label := fmt.Sprintf("%d B", z.SizeBytes)
		time = append(time, judge.Fig("T of "+label, z.T.Value, "µs"))
		rate = append(rate, judge.Fig("BW of "+label, z.Bandwidth.Value, "MB/s"))
	}
	link := judge.Fig("the link", float64(s.subject(name).Profile.Network.LinkRate)/1e6, "MB/s")
	return judge.All(judge.Ordered(time...), judge.Ordered(append(rate, link)...))
}

// bandwidths states that the reported bandwidth of a store is its length over the
// time until its reply, or, without reply, until its handler runs.
func bandwidths(s session, reply bool) judge.Measured {
	sizes := s.stores(myrinet, pageStore).Sizes
	return calls(s, myrinet, 2, pageStore, func(t *testbed.Calls) judge.Measured {
		from, at := t.Ends[0].Buffer(pageStore), t.Ends[1].Space().Alloc(pageStore)
		var end sim.Time // of the last store
		t.Handle(1, testbed.Counted, func(c *host.Context, _ comm.Call) [4]uint32 {
			end = c.Now()
			return [4]uint32{}
		})
		var off judge.Deviation
		for _, z := range sizes {
			us := t.Mean(0, 1, 8, func(c *host.Context) sim.Time {
				store(t, c, from, at, z.SizeBytes)
				t.Collect(c, 0)
				if reply {
					end = c.Now()
				}
				return end
			})
			off.Add(float64(z.SizeBytes)/us, z.Bandwidth.Value)
		}
		return judge.All(off.Within("n/T(n)", "the reported bandwidth", 5))
	})
}

// busy states that the processor never idles: a delay raises the steady cost by its full length,
// and the gap is the sum of both overheads.
func busy(s session) judge.Measured {
	const delta = 20
	x, none, some := s.signature(sunRPC, requests), s.steady(sunRPC, requests, 0), s.steady(sunRPC, requests, delta)
	return judge.All(judge.Near(judge.Fig("increase by a delay of 20 µs", some-none, "µs"), judge.Limit(delta, "µs"), 20),
		judge.Near(judge.Fig("steady cost", none, "µs"), judge.Fig("o_s + o_r", x.Os.Value+x.Or.Value, "µs"), 2))
}
