package logp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/workloads/microbench"
)

// fanOut is how many nodes one asks in turn.
const fanOut = 3

// patterns adds the rows of several nodes at once (logp, section 3.5 and Table 4).
func (r rows) patterns() {
	r.under("logp-allpairs", "half of the nodes ask the other half", allPairs, slowLinks)
	what := fmt.Sprintf("one node asks %d in turn", fanOut)
	less := func(ratio float64) float64 { return 100 * (1 - ratio) }
	more := func(ratio float64) float64 { return 1 / ratio }
	of(r, "logp-1tok-gap", what, meanGain, gain{less, []string{myrinet, paragon}})
	of(r, "logp-1tok-bw", what, meanGain, gain{more, []string{myrinet, paragon}})
	versus(r, "logp-1tok-meiko", what, meanGain, gain{more, []string{meiko}}, "the same on myrinet", gain{more, []string{myrinet}})
	of(r, "logp-kto1-myr", "three nodes ask one", func(s session, name string) judge.Measured {
		return value(s.ratio(name, microbench.ManyToOne, 3), "")
	}, myrinet)
	r.under("logp-b-kto1", "2, 3, 7 and 15 nodes ask one", func(s session) judge.Measured { return judge.All(s.shares(2, 3, 7, 15)) }, oneToken)
	r.under("logp-f-kto1", "2, 3 and 7 nodes ask one, and 8 one each", rates, oneToken)
}

// gain is what machines gain by asking several nodes: of their gaps' ratio.
type gain struct {
	of    func(ratio float64) float64
	names []string
}

func meanGain(s session, g gain) judge.Measured {
	sum, note := 0.0, ""
	for _, name := range g.names {
		ratio := s.ratio(name, microbench.OneToMany, fanOut)
		sum += g.of(ratio) / float64(len(g.names))
		note += ", " + judge.Fig(name, ratio).Text()
	}
	return value(sum, "mean; gap against that of one pair: %s", note[2:])
}

// sharePct is how much the gap of K senders may differ from K times one's.
const sharePct = 5

// shares claims that the gap of K that ask one is K times that of one.
func (s session) shares(counts ...int) judge.Claim {
	var off judge.Deviation
	for _, name := range assessed {
		for _, k := range counts {
			off.Add(s.ratio(name, microbench.ManyToOne, k), float64(k))
		}
	}
	return off.Within("the gap of K that ask one", "K times one's", sharePct)
}

// rates states that K senders get a K-th of the rate each from one receiver,
// and all of it from one receiver each.
func rates(s session) judge.Measured {
	apart := judge.Fig("gap with one receiver each against one's", s.ratio(myrinet, microbench.AllPairs, 8))
	return judge.All(s.shares(2, 3, 7), judge.Near(apart, judge.Limit(1), sharePct))
}

// allPairs states that parameters with all pairs active are those of one pair
// to two digits. Pairs are as far apart as the lone one.
func allPairs(s session) judge.Measured {
	return each(func(name string) judge.Measured {
		all, one := s.figures(name, measure.Asked{Pattern: microbench.AllPairs, Peers: 8}), s.of(name)
		rtt := calls(s, name, testbed.AllNodes, 1, func(t *testbed.Calls) (mean float64) {
			half := len(t.Ends) / 2
			for i := range half {
				mean += t.Trip(i, i+half, tripsPerPair) / float64(half)
			}
			return mean
		})
		same := func(name string, a, b float64) judge.Claim {
			return judge.True(twoDigits(a, b), name+" of all pairs that of one to two digits", "%s %.2f/%.2f", name, a, b)
		}
		return judge.All(same("o_s", all.os, one.os), same("o_r", all.or, one.or), same("g", all.g, one.g), same("L", all.l, rtt/2-one.sum()))
	})
}

// twoDigits reports whether two figures differ by less than one of the second
// digit.
func twoDigits(a, b float64) bool {
	return math.Abs(a-b) < math.Pow(10, math.Floor(math.Log10(b))-1)
}
