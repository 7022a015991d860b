package logp

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// shapes adds the rows of the form of a signature (logp, sections 3.1 and 3.2).
func (r rows) shapes() {
	versus(r, "logp-b-3regimes", "signatures of requests", fewestRegimes, requests, "stores of 2 KB", measure.Stores(2048))
	r.under("logp-b-sendonly", "bursts shorter than RTT/o_s", sendOnly, fourTokens)
	r.under("logp-b-knee", "where cost rises, with tokens for more and for less than a round trip", knees, "arrivals always before requests")
	r.under("logp-b-asym", "signature, and the longest delay that costs nothing", asymptote, oneToken)
	r.under("logp-b-delta", "steady cost over delays", delays, oneToken)
}

// fewestRegimes is how many the curves without delay have at least.
func fewestRegimes(s session, q measure.Asked) judge.Measured {
	names := assessed
	if q != requests {
		names = []string{myrinet} // the others do not copy
	}
	least := math.Inf(1)
	var seen []string
	for _, name := range names {
		n, text := regimes(s.signature(name, q))
		least, seen = min(least, float64(n)), append(seen, name+" "+text)
	}
	return value(least, "%s", strings.Join(seen, "; "))
}

// regimes counts those of the curve without delay: a beginning of more than
// one message that costs the overhead, a rise between it and the gap, and a gap
// that it tends to.
func regimes(s measure.Found) (n int, text string) {
	flat, rising := 0, 0
	for _, p := range s.Points {
		switch {
		case p.DeltaUs > 0:
		case p.Cost.Value <= 1.05*s.Os.Value:
			flat++
		case s.G.OK() && p.Cost.Value < 0.95*s.G.Value:
			rising++
		}
	}
	for _, there := range []bool{flat > 1, rising > 0, s.G.OK()} {
		if there {
			n++
		}
	}
	return n, fmt.Sprintf("%d points at o_s, %d between, g %s", flat, rising, s.G)
}

// costs are those of messages in bursts of 1 to most, without delay, µs.
func (s session) costs(name string, most int) []float64 {
	return asking(s, name, requests, func(r *measure.Requests) (us []float64) {
		for n := range most {
			us = append(us, r.Point(n+1, 0).Cost.Value)
		}
		return us
	})
}

// sendOnly states that all bursts that fit into a round trip cost o_s.
func sendOnly(s session) judge.Measured {
	return each(func(name string) judge.Measured {
		f := s.usual().of(name)
		dearest := slices.Max(s.costs(name, int(f.rtt/f.os)))
		return judge.All(judge.Near(judge.Fig("dearest of the bursts up to RTT/o_s", dearest, "µs"), judge.Fig("o_s", f.os, "µs"), 5))
	})
}

// kneePct is how much later than after a round trip the cost may have risen by
// 5 %: the first reply waits for requests at two interfaces, and one reply
// alone does not make 5 % of a longer burst.
const kneePct = 30

// knees states that the cost of a message rises after a round trip and, where
// the network takes only four messages, after these.
func knees(s session) judge.Measured {
	return each(func(name string) judge.Measured {
		f := s.of(name)
		flat := func(x session) float64 { // messages of the longest burst before the cost is 5 % higher
			return float64(slices.IndexFunc(x.costs(name, 40), func(us float64) bool { return us > 1.05*f.os }))
		}
		last, trip := flat(s), judge.Fig("RTT/o_s", f.rtt/f.os)
		return judge.All(judge.Near(judge.Fig("longest burst at o_s", last), trip, kneePct), judge.Above(judge.Fig("one more", last+1), trip, 0),
			judge.Near(judge.Fig("longest with four tokens", flat(s.with(fourTokens))), judge.Limit(4), 0))
	})
}

// asymptote states that the cost tends to the gap of an undisturbed machine,
// and that the gap is the overheads and the idle time.
func asymptote(s session) judge.Measured {
	return each(func(name string) judge.Measured {
		end := judge.Fig("asymptote", s.signature(name, requests).Curves[0].AsymptoteUs.Value, "µs")
		sum := judge.Fig("o_s + o_r + Idle", overheads(s.usual(), name)+s.usual().idle(name), "µs")
		return judge.All(judge.Near(end, judge.Fig("g", gap(s.usual(), name), "µs"), 2), judge.Near(sum, end, 3))
	})
}

// delays states that the steady cost is the gap or the overheads and the delay,
// whichever is more.
func delays(s session) judge.Measured {
	return each(func(name string) judge.Measured {
		f := s.usual().of(name)
		var off judge.Deviation
		for _, share := range []float64{0.25, 0.5, 0.75, 1.25, 2, 4} { // of the idle time
			delta := measure.Round(share * f.idle)
			off.Add(s.steady(name, requests, delta), max(f.g, f.sum()+delta))
		}
		return judge.All(off.Within("the steady cost with delays Δ of a quarter to four times Idle", "max(g, o_s + o_r + Δ)", 3))
	})
}
