package plogp

import (
	"context"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/workloads/microbench"
)

// Names of experiments.
const (
	constants = "constants of the method"
	overLFC   = "fast method over LFC"
)

// method adds the rows of the method's constants and rules (plogp, section 3).
func (r rows) method() {
	p := logp.Published()
	number := func(id string, v float64) {
		r.Of(id, constants, func(context.Context) (judge.Measured, error) { return judge.Measured{Value: v}, nil })
	}
	number("pl-eps", 100*p.Epsilon)
	number("pl-km", float64(p.Exponent))
	r.Of("pl-atm", "link", judge.Run(func(*judge.Session) judge.Measured {
		return judge.Measured{Value: 8 * float64(judge.Must(place(wan, mpi)).Network.LinkRate) / 1e6}
	}))
	all := whole(myrinet)
	r.Of("pl-n0", overLFC, r.of(all, func(f measure.Fast) judge.Measured {
		return judge.Value(float64(f.Trains[0]), "trains of %d messages", f.Trains)
	}))
	r.Of("pl-sizes", overLFC, r.of(all, firstSizes))
	r.Of("pl-halve", overLFC, r.of(all, leastStep))
	r.Of("pl-trips", overLFC, r.of(all, tripsPerRound))
	r.Of("pl-params", overLFC, r.of(all, parameters))
	raw := upTo(myrinet, "lfc", 4)
	short := raw.with(func(s *logp.Search) { s.ShortTrains = true })
	r.Versus("pl-dbl", "trains of empty messages, and a loop of sends", r.settled(raw), "trains that end as soon as the gap settles", r.settled(short))
	r.Of("pl-g0", "trains of empty messages, and a train as long by itself", r.lastTrain(raw))
	inexact := func(s *logp.Search) { s.Epsilon, s.MostTrain = 1e-9, 1000 }
	bound := func(id string, k int) {
		r.Of(id, "an accuracy that is never reached", r.of(upTo(wan, mpi, k).with(inexact), func(f measure.Fast) judge.Measured {
			last := f.Sizes[len(f.Sizes)-1]
			return judge.Value(float64(last.Rounds), "%d B", last.Bytes)
		}))
	}
	bound("pl-itsmall", 10)
	bound("pl-itlarge", 11)
	far := upTo(myrinet, mpi, p.Exponent)
	r.Versus("pl-km-inc", "sizes beyond 256 KB allowed", r.of(far.with(func(s *logp.Search) { s.MostExponent = p.MostExponent }), endsOnALine),
		"none allowed", r.of(far, endsOnALine))
}

// firstSizes measures the largest of the first sizes, all of which must be there.
func firstSizes(f measure.Fast) judge.Measured {
	n := 1
	for ; n <= 1<<logp.Published().Exponent; n *= 2 {
		if at(f, n).Rounds == 0 {
			return judge.Value(0, "no %d B", n)
		}
	}
	return judge.Value(float64(n/2), "0, and powers of two from 1 B")
}

// leastStep measures the least distance between a size that was added and its neighbour.
func leastStep(f measure.Fast) judge.Measured {
	least, added := math.Inf(1), 0
	for i, s := range f.Sizes[1:] {
		if !s.First() {
			added++
			least = min(least, float64(s.Bytes-f.Sizes[i].Bytes))
		}
	}
	return judge.Value(least, "%d sizes added", added)
}

// tripsPerRound counts the round trips of a round: the messages of all sizes, less those that
// announce that the mirror is ready.
func tripsPerRound(f measure.Fast) judge.Measured {
	rounds := 0
	for _, s := range f.Sizes {
		rounds += s.Rounds
	}
	messages := f.Costs[1].Messages + f.Costs[2].Messages
	return judge.Value(float64(messages-int64(len(f.Sizes)))/float64(2*rounds), "%d messages of %d rounds of %d sizes", messages, rounds, len(f.Sizes))
}

// parameters counts what is known: L, o_s, o_r and g of all sizes, and the number of nodes.
func parameters(f measure.Fast) judge.Measured {
	known := []bool{f.L.OK(), true, true, true}
	for _, p := range f.Params() {
		known[1], known[2], known[3] = known[1] && p.Os.OK(), known[2] && p.Or.OK(), known[3] && p.G.OK()
	}
	n := 1 // P, the platform's nodes
	for _, k := range known {
		if k {
			n++
		}
	}
	return judge.Value(float64(n), "L, o_s, o_r, g of %d sizes, and P", len(f.Sizes))
}

// settled states that trains double until the last is a hundred round trips long, and that
// g(0) is then the gap of a long loop.
func (r rows) settled(a asked) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		f := judge.Get(s, r.fast(a))
		doubles := !slices.ContainsFunc(f.Trains[1:], func(n int) bool { return n%f.Trains[0] != 0 || n&(n-1) == 0 })
		last := float64(f.Trains[len(f.Trains)-1])
		loop := pair(s, r, a.platform, a.layer, 64, func(p *microbench.Pair) (float64, error) {
			d, err := p.SendGap(microbench.Loop{Warm: 2000, Messages: 2000})
			return d.Us(), err
		})
		return judge.All(judge.True(doubles, "each train is a doubled first one", "trains of %d", f.Trains),
			judge.Above(judge.Fig("the last train", last*f.G0.Value, "µs"), judge.Fig("100 round trips", 100*f.Sizes[0].RTT.Value, "µs"), 0),
			judge.Near(judge.Fig("g(0)", f.G0.Value, "µs"), judge.Fig("gap of a loop of sends", loop, "µs"), 2))
	})
}

// lastTrain states that g(0) is the time of the sends of the longest train per message.
func (r rows) lastTrain(a asked) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		f := judge.Get(s, r.fast(a))
		n := f.Trains[len(f.Trains)-1]
		sends := pair(s, r, a.platform, a.layer, 64, func(p *microbench.Pair) (us float64, err error) {
			err = p.Mirrored(func(m *microbench.Mirror) error {
				d, _, err := m.Train(0, n)
				us = d.Us()
				return err
			})
			return us, err
		})
		return judge.All(judge.Near(judge.Fig("g(0)", f.G0.Value, "µs"), judge.Fig("sends of a train over its messages", sends/float64(n), "µs"), 1))
	})
}

// endsOnALine states that the gap at the largest size lies on the line through the two
// before it.
func endsOnALine(f measure.Fast) judge.Measured {
	n := len(f.Sizes)
	a, b, c := f.Sizes[n-3], f.Sizes[n-2], f.Sizes[n-1]
	line := b.G.Value + (b.G.Value-a.G.Value)*float64(c.Bytes-b.Bytes)/float64(b.Bytes-a.Bytes)
	m := judge.All(judge.Near(judge.Fig("g at the largest size", c.G.Value, "µs"), judge.Fig("line through the two before", line, "µs"), 1))
	m.Note += ", " + judge.Fig("largest size", float64(c.Bytes), "B").Text()
	return m
}

// formulas adds the rows of what follows from the samples (plogp, section 3, Table 1).
func (r rows) formulas() {
	all := whole(myrinet)
	each := func(id, left, right string, f func(f measure.Fast, s logp.Sized) (float64, float64)) {
		r.Of(id, overLFC, r.of(all, func(x measure.Fast) judge.Measured {
			var d judge.Deviation
			for _, s := range x.Sizes[1:] {
				d.Add(f(x, s))
			}
			return judge.All(d.Within(left, right, 1e-6))
		}))
	}
	empty := func(f measure.Fast) float64 { return f.Sizes[0].RTT.Value }
	each("pl-rtt0", "RTT(0)", "2(L + g(0))", func(f measure.Fast, _ logp.Sized) (float64, float64) { return empty(f), 2 * (f.L.Value + f.G0.Value) })
	each("pl-rttm", "RTT(m)", "L + g(m) + L + g(0)", func(f measure.Fast, s logp.Sized) (float64, float64) {
		return s.RTT.Value, 2*f.L.Value + s.G.Value + f.G0.Value
	})
	each("pl-gm", "g(m)", "RTT(m) - RTT(0) + g(0)", func(f measure.Fast, s logp.Sized) (float64, float64) {
		return s.G.Value, s.RTT.Value - empty(f) + f.G0.Value
	})
	each("pl-L", "L", "(RTT(0) - 2g(0))/2", func(f measure.Fast, _ logp.Sized) (float64, float64) {
		return f.L.Value, float64(empty(f)/2) - f.G0.Value
	})
	each("pl-map-L", "L of LogP", "L + g(1) - o_s(1) - o_r(1)", func(f measure.Fast, _ logp.Sized) (float64, float64) {
		one := at(f, 1)
		return f.LogP().L.Value, f.L.Value + one.G.Value - one.Os.Value - one.Or.Value
	})
	each("pl-map-o", "o of LogP", "(o_s(1) + o_r(1))/2", func(f measure.Fast, _ logp.Sized) (float64, float64) {
		p, one := f.LogP(), at(f, 1)
		return (p.Os.Value + p.Or.Value) / 2, (one.Os.Value + one.Or.Value) / 2
	})
	each("pl-map-g", "g of LogP", "g(1)", func(f measure.Fast, _ logp.Sized) (float64, float64) { return f.LogP().G.Value, at(f, 1).G.Value })
	r.Of("pl-map-G", "fast method, and a stream of its largest messages", r.perByte(all))
	r.Of("pl-os", "fast method, and single sends", r.singleSend(all))
	r.Versus("pl-or", "times of receives", r.of(upTo(myrinet, mpi, 10), waiting),
		"no wait before the receive", r.of(upTo(myrinet, mpi, 10).with(unwaited), waiting))
}

func unwaited(s *logp.Search) { s.Wait = 0 }

// perByte states that m/g(m) of the largest size is the bandwidth of a stream.
func (r rows) perByte(a asked) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		f := judge.Get(s, r.fast(a))
		last := f.Sizes[len(f.Sizes)-1]
		stream := pair(s, r, a.platform, a.layer, last.Bytes, func(p *microbench.Pair) (float64, error) {
			x, err := p.Stream(last.Bytes, 8)
			return x.BytesPerSecond() / 1e6, err
		})
		return judge.All(judge.Near(judge.Fig("m/g(m) of the largest size", float64(last.Bytes)/last.G.Value, "MB/s"), judge.Fig("bandwidth of a stream", stream, "MB/s"), 5))
	})
}

// singleSend states that o_s is the time of a send on an idle machine.
func (r rows) singleSend(a asked) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		f := judge.Get(s, r.fast(a))
		var d judge.Deviation
		for _, n := range []int{64, 1024, 16384} {
			d.Add(at(f, n).Os.Value, pair(s, r, a.platform, a.layer, n, func(p *microbench.Pair) (float64, error) {
				if _, err := p.PingPong(n, 4); err != nil {
					return 0, err
				}
				x, err := p.SendGap(microbench.Loop{Bytes: n, Messages: 1})
				return x.Us(), err
			}))
		}
		return judge.All(d.Within("o_s", "the time of single sends", 2))
	})
}

// waiting states that a receive takes less than a third of a round trip, because the
// message is there.
func waiting(f measure.Fast) judge.Measured {
	var claims []judge.Claim
	for _, n := range []int{1, 64, 1024} {
		s := at(f, n)
		claims = append(claims, judge.Below(judge.Fig("o_r", s.Or.Value, "µs"), judge.Fig("RTT", s.RTT.Value, "µs"), 67))
	}
	return judge.All(claims...)
}
