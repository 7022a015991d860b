package grim

import (
	"slices"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// benchmarks adds how the study measures messages (grim §5.1.1, §5.5.1).
func (r *rows) benchmarks() {
	r.Versus("grim-meth-median", "round trips of 4 KB, three of them disturbed", r.steady("median", middle), "their mean", r.steady("mean", mean))
	formula := func(part float64) judge.Measure {
		t := roundTrip{on: p3L4, face: physical, bytes: longBytes}
		return judge.Run(func(s *judge.Session) judge.Measured {
			way := part * r.bounced(s, t, roundTrip.measure).cycle()
			return judge.All(
				judge.Near(judge.Fig("latency, µs", r.us(s, t)), judge.Fig("half of the time from a packet of the first node to its next", way), 1),
				judge.Near(judge.Fig("bandwidth, MB/s", r.mbps(s, t)), judge.Fig("bytes in that time", longBytes/way), 1))
		})
	}
	r.Versus("grim-meth-rtt", "packets of back and forth", formula(0.5), "the whole of a round", formula(1))
	r.Versus("grim-bench-am", "packets and host DMAs of back and forth", r.inTurns(active, 1, roundTrip.measure), "a stream one way", r.inTurns(active, 1, roundTrip.stream))
	r.Versus("grim-bench-rm", "packets and host DMAs of back and forth", r.inTurns(physical, 0, roundTrip.measure), "active messages", r.inTurns(active, 0, roundTrip.measure))
}

// inTurns states that the nodes answer one another's packets, and that an interface writes so many
// pointers behind each into host memory.
func (r *rows) inTurns(f face, pointers int, run func(roundTrip, *testbed.Testbed) float64) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		x := r.bounced(s, roundTrip{on: p3L4, face: f, bytes: longBytes}, run)
		same, written := 0, 0
		for i, p := range x.packets {
			if i > 0 && p.src == x.packets[i-1].src {
				same++
			}
		}
		for _, m := range slices.Concat(x.moves[0], x.moves[1]) {
			if m.bytes < longBytes {
				written++
			}
		}
		return judge.All(
			judge.Near(judge.Fig("packets that follow one of the same node", float64(same)), judge.Limit(0), 0),
			judge.Near(judge.Fig("pointers written into host memory", float64(written)), judge.Fig("what the packets need", float64(pointers*len(x.packets))), 0),
			judge.Near(judge.Fig("interrupts", float64(x.hosts[0].Interrupts+x.hosts[1].Interrupts)), judge.Limit(0), 0))
	})
}

// stream sends messages one way.
func (t roundTrip) stream(b *testbed.Testbed) float64 {
	return b.Pair(0, 1, t.bytes).Stream(t.bytes, 20).BytesPerSecond()
}

// bounced returns the trail of a program.
func (r *rows) bounced(s *judge.Session, t roundTrip, run func(roundTrip, *testbed.Testbed) float64) *trail {
	return testbeds.Use(s, t.spec(r.seed), func(b *testbed.Testbed) *trail {
		x := watch(b)
		run(t, b)
		x.count(b)
		return x
	})
}

// cycle returns the mean time from a packet of node 0 to its next, µs, without the first
// round.
func (x *trail) cycle() float64 {
	var at []sim.Time
	for _, p := range x.packets {
		if p.src == 0 {
			at = append(at, p.t3)
		}
	}
	return at[len(at)-1].Sub(at[1]).Us() / float64(len(at)-2)
}

// steady states that a statistic of round trips does not change when a few are disturbed, and
// that data comes from memory, not from caches.
func (r *rows) steady(name string, of func([]float64) float64) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		fig := func(what string, disturbed int, polluted bool) judge.Figure {
			return judge.Fig(what, of(r.rounds(s, disturbed, polluted)), "µs")
		}
		return judge.All(
			judge.Near(fig("with disturbed trips", 3, true), fig(name+" of trips", 0, true), 2),
			judge.Above(fig(name+" of trips", 0, true), fig("with caches left as they are", 0, false), 1))
	})
}

// rounds returns the times of round trips of active messages between idle nodes, µs. The
// interface of the second node stands still in some of them. With polluted caches the data is in memory only.
func (r *rows) rounds(s *judge.Session, disturbed int, polluted bool) []float64 {
	const bytes, rounds = 4096, 21
	spec := roundTrip{on: p3L4, face: active}.spec(r.seed)
	spec.Bytes = bytes
	return testbeds.Use(s, spec, func(b *testbed.Testbed) (all []float64) {
		var ends [2]*grim.Endpoint
		var from [2]host.Addr
		for i := range ends {
			ends[i] = b.Endpoint(i).(*grim.Endpoint)
			from[i] = ends[i].Space().Alloc(bytes)
		}
		send := func(c *host.Context, i int) {
			if polluted {
				b.Nodes[i].Host.Evict(ends[i].Space(), from[i], bytes)
			}
			b.Keep(ends[i].Send(c, 1-i, from[i], bytes, trace.Meta{Kind: trace.Data}))
		}
		receive := func(c *host.Context, i int) {
			_, err := ends[i].Receive(c, 1-i, 0, bytes)
			b.Keep(err)
		}
		b.Play(func(c *host.Context) {
			for k := range rounds {
				c.Sleep(apart)
				if k >= rounds-disturbed {
					b.Nodes[1].NIC.Stall(sim.Millisecond)
				}
				began := c.Now()
				send(c, 0)
				receive(c, 0)
				all = append(all, c.Now().Sub(began).Us())
			}
		}, func(c *host.Context) {
			for range rounds {
				receive(c, 1)
				send(c, 1)
			}
		})
		return all[1:] // in the first one tables and caches are cold
	})
}
