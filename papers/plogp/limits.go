package plogp

import (
	"math"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/workloads/microbench"
)

// limits adds the rows of what the method assumes (plogp, section 3.1).
func (r rows) limits() {
	lfc := testbed.Spec{Platform: myrinet, Layer: mpi, Seed: r.seed, Monitor: "off"}
	fm := testbed.Spec{Platform: "ppro", Layer: "fm", Seed: r.seed, Monitor: "off"}
	const lazy = "FM, whose credits return in messages of their own"
	r.Versus("pl-pairs", "packets of round trips over LFC", testbeds.On(lfc, drained), lazy, testbeds.On(fm, drained))
	r.Versus("pl-lim-app", "round trips of "+lazy, testbeds.On(fm, dependent), "over LFC", testbeds.On(lfc, dependent))
	r.Versus("pl-sym", "one host busy with interrupts, and a circuit whose directions differ, roles swapped", judge.Run(func(s *judge.Session) judge.Measured {
		return judge.All(append(r.swapped(s, true), r.uneven(s, true)...)...)
	}),
		"hosts and directions alike", judge.Run(func(s *judge.Session) judge.Measured {
			return judge.All(append(r.swapped(s, false), r.uneven(s, false)...)...)
		}))
	wide := testbed.Spec{Platform: "shrimp", Seed: r.seed}
	r.Versus("pl-clock", "clocks set by messages of processes", testbeds.On(wide, useless(false)), "by the monitors' protocol", testbeds.On(wide, useless(true)))
}

// roundTrips sends messages of one packet there and empty ones back. It returns the packets on
// the network for each round trip, and each round trip's time, µs.
func roundTrips(b *testbed.Testbed) (packets float64, us []float64) {
	const bytes, rounds = 64, 64
	p, err := b.Cluster.Pair(0, 1, bytes)
	if !b.Keep(err) {
		return 0, nil
	}
	seen := 0
	b.Keep(p.Mirrored(func(m *microbench.Mirror) error {
		for k := range 8 + rounds {
			if k == 8 { // buffers and tables are warm
				b.Tap(func(*fabric.Packet) { seen++ })
			}
			_, d, err := m.There(bytes)
			if err != nil {
				return err
			}
			if k >= 8 {
				us = append(us, d.Us())
			}
		}
		return nil
	}))
	return float64(seen) / rounds, us
}

// drained states that a round trip is two packets, so that credits return with replies.
func drained(b *testbed.Testbed) judge.Measured {
	packets, _ := roundTrips(b)
	return judge.All(judge.Near(judge.Fig("packets of a round trip", packets), judge.Fig("message and reply", 2), 0.1))
}

// dependent states that some round trips take longer because earlier ones have used up
// credits.
func dependent(b *testbed.Testbed) judge.Measured {
	packets, us := roundTrips(b)
	least, most := math.Inf(1), 0.0
	for _, x := range us {
		least, most = min(least, x), max(most, x)
	}
	return judge.All(judge.Above(judge.Fig("packets of a round trip", packets), judge.Fig("message and reply", 2), 1),
		judge.Above(judge.Fig("the longest round trip", most, "µs"), judge.Fig("the shortest", least, "µs"), 5))
}

// swapped states that o_s and o_r of the two directions differ, which one measurement does
// not show.
func (r rows) swapped(s *judge.Session, busy bool) []judge.Claim {
	overheads := func(ends [2]int) (send, receive float64) {
		x := judge.Must(r.subject(s.Context(), myrinet, mpi))
		c := judge.Must(x.Cluster(2))
		defer c.Engine.Close()
		if busy {
			n := judge.Must(microbench.NewNoise([]*host.Host{c.Nodes[1].Host}, microbench.NoiseSpec{TickPeriod: 50 * sim.Microsecond, TickCost: 20 * sim.Microsecond}))
			n.Start()
		}
		const bytes, rounds = 4096, 100
		p := judge.Must(c.Pair(ends[0], ends[1], bytes))
		s.Check(p.Mirrored(func(m *microbench.Mirror) error {
			for range rounds {
				a, roundTrip, err := m.There(bytes)
				if err != nil {
					return err
				}
				b, err := m.Back(bytes, 2*roundTrip)
				if err != nil {
					return err
				}
				send, receive = send+a.Us()/rounds, receive+b.Us()/rounds
			}
			return nil
		}))
		return send, receive
	}
	send, receive := overheads([2]int{0, 1})
	backSend, backReceive := overheads([2]int{1, 0})
	return []judge.Claim{
		judge.Above(judge.Fig("o_s with roles swapped", backSend, "µs"), judge.Fig("o_s", send, "µs"), 10),
		judge.Above(judge.Fig("o_r with roles swapped", backReceive, "µs"), judge.Fig("o_r", receive, "µs"), 10),
	}
}

// uneven states two things of a circuit that is slower and longer towards node 1. With the roles
// swapped, g shows the two rates. Nothing shows the two ways: L is half of their sum in both roles,
// and the monitors' clocks, which take the ways as equal, err by half of their difference.
func (r rows) uneven(s *judge.Session, differ bool) []judge.Claim {
	change := func(p *platform.Profile) {
		if differ {
			p.Network.Inward = []fabric.Link{{Node: 1, LinkRate: p.Network.LinkRate / 2, WireDelay: 5 * p.Network.WireDelay}}
		}
	}
	p := *judge.Must(platform.Load(wan))
	change(&p)
	const bytes = 16 << 10
	x := measure.New(s.Context(), judge.Must(p.At("tcp")), r.seed)
	x.Search = upTo(wan, "tcp", 14).search
	x.Search.MostTrain = 1000 // g(0) adds the same to both
	there, back := judge.Must(x.Fast(false, false)), judge.Must(x.Fast(true, false))
	clock := testbeds.Use(s, testbed.Spec{Platform: wan, Profile: change, Seed: r.seed}, func(b *testbed.Testbed) float64 { return clockError(b, 20) })
	longer := 0.0
	for _, l := range p.Network.Inward {
		longer = (l.WireDelay - p.Network.WireDelay).Us()
	}
	half := judge.Fig("half of the difference of the ways", longer/2, "µs")
	return []judge.Claim{
		judge.Near(judge.Fig("g of 16 KB", at(there, bytes).G.Value, "µs"), judge.Fig("twice that with roles swapped", 2*at(back, bytes).G.Value, "µs"), 10),
		judge.Near(judge.Fig("L", there.L.Value, "µs"), judge.Fig("L with roles swapped", back.L.Value, "µs"), 5),
		judge.Near(judge.Fig("error of the global clock", clock, "µs"), half, 20),
	}
}

// useless states that messages set the clocks of two nodes at best to within half of their one-way
// time. By processes it is half a round trip, whose midpoint may be anywhere in it. The monitors'
// error is measured.
func useless(monitors bool) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
		oneWay := b.Pair(0, 1, 4).PingPong(4, 50).OneWay().Us()
		bound := oneWay
		if monitors {
			bound = clockError(b, 200)
		}
		return judge.All(judge.Above(judge.Fig("error of the clocks up to", bound, "µs"), judge.Fig("half of one way", oneWay/2, "µs"), 0))
	}
}

// clockError returns the largest of so many errors of each node's global time, µs.
func clockError(b *testbed.Testbed, samples int) (us float64) {
	e := b.Cluster.ClockErrors()
	for range samples {
		b.Rest(e.Gap())
		e.Sample()
	}
	for _, x := range e.Us {
		us = max(us, math.Abs(x))
	}
	return us
}

// expected adds the rows of receives that are posted before their messages arrive, or not
// (plogp, section 3.1).
func (r rows) expected() {
	usual := upTo(myrinet, mpi, 10)
	posted := usual.with(func(s *logp.Search) { s.Expected = true })
	r.Versus("pl-or-gt-g", "fast method over LFC, messages unexpected", r.of(usual, largest), "receives posted before the messages arrive", r.of(posted, largest))
	cheaper := func(a asked) judge.Measure {
		return judge.Both(r.fast(a), r.fast(usual), func(x, y measure.Fast) judge.Measured {
			return judge.All(judge.Below(judge.Fig("o_r", at(x, 64).Or.Value, "µs"), judge.Fig("o_r of unexpected messages", at(y, 64).Or.Value, "µs"), 10))
		})
	}
	r.Versus("pl-irecv", "receives posted before the messages arrive", cheaper(posted), "not posted", cheaper(usual))
	r.Versus("pl-lim-sync", "receives that begin before their messages arrive", r.of(usual.with(unwaited), inseparable), "that find them there", r.of(usual, inseparable))
}

// largest states that o_r exceeds g at some size.
func largest(f measure.Fast) judge.Measured {
	most, n := 0.0, 0
	for _, s := range f.Sizes {
		if x := s.Or.Value / s.G.Value; x > most {
			most, n = x, s.Bytes
		}
	}
	m := judge.All(judge.Above(judge.Fig("largest o_r/g", most), judge.Limit(1), 5))
	m.Note += ", at " + judge.Fig("", float64(n), "B").Text()
	return m
}

// inseparable states that the time of a receive is mostly that of waiting for its message.
func inseparable(f measure.Fast) judge.Measured {
	s := at(f, 64)
	return judge.All(judge.Above(judge.Fig("time of the receive", s.Or.Value, "µs"), judge.Fig("half of the round trip", s.RTT.Value/2, "µs"), 0))
}
