package logp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// method adds the rows of how signatures are measured (logp, sections 3.1 to
// 3.3).
func (r rows) method() {
	const fewer = "the rule for noiseless hosts"
	versus(r, "logp-bench-fn", "cost of bursts of one, reply handled after timing", timed, false, "timer stopped when the reply has been handled", true)
	versus(r, "logp-bench-acc", "a point under noise", accuracy, logp.Culler(), fewer, measure.Fewer())
	versus(r, "logp-bench-conf", "interval of a hundred samples", confidence, 1, "one of half the width", 0.5)
	versus(r, "logp-bench-batch", "number of samples without noise", func(s session, e logp.Enough) judge.Measured { return value(float64(sampled(s, e, nil).N), "") }, logp.Culler(), fewer, measure.Fewer())
	of(r, "logp-sig-Mmax", "bursts of a signature", longestBurst, myrinet)
	versus(r, "logp-lim-events", "points on noisy hosts", noisy, measure.Source("").All(), "hosts without noise", nil)
	versus(r, "logp-lim-traditional", "signature of layers without requests", refused, []string{"bip", "fm", "pm", "vmmc"}, "of a layer with requests", []string{"gam"})
}

// timed states that a burst of one costs o_s. If reply, the timer stops after the
// reply is handled.
func timed(s session, reply bool) judge.Measured {
	cost := asking(s, myrinet, requests, func(r *measure.Requests) logp.Mean {
		if reply {
			return r.RoundTrips()
		}
		return r.Point(1, 0).Cost
	})
	return judge.All(judge.Near(judge.Fig("cost", cost.Value, "µs"), judge.Fig("o_s", overheadS(s, myrinet), "µs"), 2))
}

// sampled measures one point. The rule says when there are enough samples.
func sampled(s session, e logp.Enough, noise []measure.Source) logp.Mean {
	x := s.subject(myrinet)
	x.Noise, x.Enough = measure.Noise(noise), e
	return judge.Must(measure.Asking(x, requests, func(r *measure.Requests) logp.Mean { return r.Point(4, 0).Cost }))
}

// accuracy measures the accuracy that a rule requires of a point and reaches under
// noise, in per cent.
func accuracy(s session, e logp.Enough) judge.Measured {
	m := sampled(s, e, measure.Source("").All())
	got := (m.Hi - m.Lo) / 2 / m.Value
	if got > e.Relative || m.Capped {
		return value(100*got, "not reached with %d samples", m.N)
	}
	return value(100*e.Relative, "%d samples, whose interval is ±%.1f %%", m.N, 100*got)
}

// confidence measures the level of a confidence interval around the mean of known
// samples, scaled by share, in per cent.
func confidence(_ session, share float64) judge.Measured {
	const n = 100
	sampler := logp.NewSampler(logp.Enough{Batch: n, Relative: 1, MaxBatches: 1})
	draw := sim.NewStream(1, "row")
	var samples []float64
	for range n {
		samples = append(samples, 10+float64(draw.Float64()))
		sampler.Add(samples[len(samples)-1])
	}
	m, deviation := sampler.Mean(), stat.StdDev(samples, nil)
	widths := share * (m.Hi - m.Lo) / 2 / (deviation / math.Sqrt(n))
	level := 2*distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(widths) - 1
	return value(100*level, "half width %.3f standard errors", widths)
}

// longestBurst measures the longest burst of a signature with delays.
func longestBurst(s session, name string) judge.Measured {
	x := s.signature(name, requests)
	var most [2]int // without a delay and with one
	for _, p := range x.Points {
		k := min(1, int(math.Ceil(p.DeltaUs)))
		most[k] = max(most[k], p.M)
	}
	return value(float64(most[1]), "with delays; up to %d without delay, where the cost has not settled", most[0])
}

// noisy states that points scatter under noise but the parameters stay the same.
func noisy(s session, noise []measure.Source) judge.Measured {
	quiet := s.of(myrinet)
	x := s.subject(myrinet)
	x.Disturb(measure.Noise(noise))
	found := judge.Must(x.FindSignature(requests))
	scattered := 0.0
	for _, p := range found.Points {
		if p.Cost.Hi-p.Cost.Lo > 0.01*p.Cost.Value {
			scattered++
		}
	}
	return judge.All(
		judge.Above(judge.Fig("points with confidence intervals wider than 1 %", 100*scattered/float64(len(found.Points)), "%"), judge.Limit(25, "%"), 0),
		judge.Near(judge.Fig("o_s", found.Os.Value, "µs"), judge.Fig("quiet o_s", quiet.os, "µs"), 5),
		judge.Near(judge.Fig("g", found.G.Value, "µs"), judge.Fig("quiet g", quiet.g, "µs"), 5))
}

// refused states that layers have no signature, but parameters by code fragments.
func refused(s session, layers []string) judge.Measured {
	var field *experiment.FieldError
	n := 0
	for _, layer := range layers {
		spec := experiment.DefaultLogP()
		spec.Platforms, spec.Layers, spec.Method = []string{"ppro"}, []string{layer}, experiment.MethodSignature
		if _, err := experiment.LogP(s.Context(), spec, nil); errors.As(err, &field) {
			n++
			spec.Method, spec.Sizes = experiment.MethodSweep, []int64{4}
			judge.Must(experiment.LogP(s.Context(), spec, nil))
		}
	}
	return judge.All(judge.True(n == len(layers), "each has no signature, but parameters by code fragments", "refused %d of %v", n, layers))
}

// shapes adds the rows of the form of a signature (logp, sections 3.1 and 3.2).
func (r rows) shapes() {
	versus(r, "logp-b-3regimes", "signatures of requests, with regimes told apart by 5 %", fewestRegimes, requests, "stores of 2 KB", measure.Stores(2048))
	r.under("logp-b-sendonly", "bursts shorter than RTT/o_s", statement(sendOnly).each, fourTokens)
	r.under("logp-b-knee", "burst length at which the cost rises, with all tokens and with four", statement(knees).each, "arrivals always before requests")
	r.under("logp-b-asym", "signature, and the longest delay without cost", statement(asymptote).each, oneToken)
	r.under("logp-b-delta", "steady cost over delays", statement(delays).each, oneToken)
}

// fewestRegimes measures the number of regimes on the machine that has the fewest.
func fewestRegimes(s session, q measure.Asked) judge.Measured {
	names := assessed
	if q != requests {
		names = []string{myrinet} // the others do not copy
	}
	const all = 3
	least := all
	m := judge.Each(names, func(name string) judge.Measured {
		n, text := regimes(s.signature(name, q))
		least = min(least, n)
		return judge.States(n == all, "3 regimes, told apart by 5 %", "%s", text)
	})
	m.Value = float64(least)
	return m
}

// regimes counts the regimes of the curve without delay: bursts of several messages
// that cost the overhead, a rise, and the gap.
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

// costs returns the cost of a message in bursts of 1 to most, without delay, µs.
func (s session) costs(name string, most int) []float64 {
	return asking(s, name, requests, func(r *measure.Requests) (us []float64) {
		for n := range most {
			us = append(us, r.Point(n+1, 0).Cost.Value)
		}
		return us
	})
}

// sendOnly states that all bursts that fit into a round trip cost o_s.
func sendOnly(s session, name string) judge.Measured {
	f := s.usual().of(name)
	highest := slices.Max(s.costs(name, int(f.rtt/f.os)))
	return judge.All(judge.Near(judge.Fig("highest cost of bursts up to RTT/o_s", highest, "µs"), judge.Fig("o_s", f.os, "µs"), 5))
}

// kneePct is how much longer than a round trip, in per cent, a burst may be before
// its cost is 5 % higher. The first reply waits for requests at two interfaces, and
// one reply costs less than 5 % of a longer burst.
const kneePct = 30

// knees states that the cost of a message rises after a round trip and, with four
// tokens, after four messages.
func knees(s session, name string) judge.Measured {
	f := s.of(name)
	flat := func(x session) float64 { // messages of the longest burst before the cost is 5 % higher
		return float64(slices.IndexFunc(x.costs(name, 40), func(us float64) bool { return us > 1.05*f.os }))
	}
	last, roundTrip := flat(s), judge.Fig("RTT/o_s", f.rtt/f.os)
	return judge.All(judge.Near(judge.Fig("longest burst at o_s", last), roundTrip, kneePct), judge.Above(judge.Fig("next burst", last+1), roundTrip, 0),
		judge.Near(judge.Fig("longest with four tokens", flat(s.with(fourTokens))), judge.Limit(4), 0))
}

// asymptote states that the cost tends to the gap of the unchanged machine, and
// that this is the sum of overheads and idle time.
func asymptote(s session, name string) judge.Measured {
	end := judge.Fig("asymptote", s.signature(name, requests).Curves[0].AsymptoteUs.Value, "µs")
	sum := judge.Fig("o_s + o_r + Idle", overheads(s.usual(), name)+s.usual().idle(name), "µs")
	return judge.All(judge.Near(end, judge.Fig("g", gap(s.usual(), name), "µs"), 2), judge.Near(sum, end, 3))
}

// delays states that the steady cost is the larger of the gap and the sum of overheads
// and delay.
func delays(s session, name string) judge.Measured {
	f := s.usual().of(name)
	var off judge.Deviation
	for _, share := range []float64{0.25, 0.5, 0.75, 1.25, 2, 4} { // of the idle time
		delta := logp.RoundDelay(share * f.idle)
		off.Add(s.steady(name, requests, delta), max(f.g, f.sum()+delta))
	}
	return judge.All(off.Within("steady cost with delays Δ of 0.25 to 4 times Idle", "max(g, o_s + o_r + Δ)", 3))
}

// fanOut is how many nodes one node sends requests to in turn.
const fanOut = 3

// patterns adds the rows of several nodes at once (logp, section 3.5 and Table 4).
func (r rows) patterns() {
	r.under("logp-allpairs", "half of the nodes send requests to the other half", statement(allPairs).each, slowLinks)
	what := fmt.Sprintf("one node sends requests to %d in turn", fanOut)
	less := func(ratio float64) float64 { return 100 * (1 - ratio) }
	more := func(ratio float64) float64 { return 1 / ratio }
	of(r, "logp-1tok-gap", what, meanGain, gain{less, []string{myrinet, paragon}})
	of(r, "logp-1tok-bw", what, meanGain, gain{more, []string{myrinet, paragon}})
	versus(r, "logp-1tok-meiko", what, meanGain, gain{more, []string{meiko}}, "the same on myrinet", gain{more, []string{myrinet}})
	of(r, "logp-kto1-myr", "three nodes send requests to one", figure(func(s session, name string) float64 { return s.ratio(name, microbench.ManyToOne, 3) }).value, myrinet)
	r.under("logp-b-kto1", "2, 3, 7 and 15 nodes send requests to one", func(s session) judge.Measured { return judge.All(s.shares(2, 3, 7, 15)) }, oneToken)
	r.under("logp-f-kto1", "2, 3 and 7 nodes send requests to one, and 8 to one each", rates, oneToken)
}

// gain is the gain of machines by several receivers, from the ratio of the gaps.
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
	return value(sum, "mean; gap relative to one pair: %s", note[2:])
}

// sharePct is by how much the gap of K senders may differ from K times the gap of one.
const sharePct = 5

// shares claims that the gap of K senders to one receiver is K times that of one.
func (s session) shares(counts ...int) judge.Claim {
	var off judge.Deviation
	for _, name := range assessed {
		for _, k := range counts {
			off.Add(s.ratio(name, microbench.ManyToOne, k), float64(k))
		}
	}
	return off.Within("gap of K senders to one receiver", "K times that of one pair", sharePct)
}

// rates states that each of K senders to one receiver gets a K-th of the rate, and
// the whole rate if it has a receiver of its own.
func rates(s session) judge.Measured {
	apart := judge.Fig("gap with a receiver each, relative to one pair", s.ratio(myrinet, microbench.AllPairs, 8))
	return judge.All(s.shares(2, 3, 7), judge.Near(apart, judge.Limit(1), sharePct))
}

// allPairs states that the parameters of all pairs at once equal those of one pair to
// two digits. The round trips of the single pair are those of pairs as far apart.
func allPairs(s session, name string) judge.Measured {
	all, one := s.figures(name, measure.Asked{Pattern: microbench.AllPairs, Peers: 8}), s.of(name)
	rtt := calls(s, name, testbed.AllNodes, 1, func(t *testbed.Calls) (mean float64) {
		half := len(t.Ends) / 2
		for i := range half {
			mean += t.RoundTrip(i, i+half, tripsPerPair) / float64(half)
		}
		return mean
	})
	same := func(name string, a, b float64) judge.Claim {
		return judge.True(twoDigits(a, b), name+" of all pairs equals that of one pair to two digits", "%s %.2f/%.2f", name, a, b)
	}
	return judge.All(same("o_s", all.os, one.os), same("o_r", all.or, one.or), same("g", all.g, one.g), same("L", all.l, float64(rtt/2)-one.sum()))
}

// twoDigits reports whether two figures differ by less than one unit of the second
// digit.
func twoDigits(a, b float64) bool {
	return math.Abs(a-b) < math.Pow10(int(math.Floor(portable.Log10(b)))-1)
}
