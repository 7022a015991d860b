package logp

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// assessParameters holds the rows of the LogP parameters (logp, Table 3 and
// section 3.3). Round trips are those of all pairs of 16 nodes.
func (r *rows) assessParameters(a *assessment) {
	const pairs, both = "round trips of all pairs of nodes", "signature, and round trips of all pairs"
	for _, name := range assessed {
		m, id := machine{name: name}, "logp-"+short[name]
		r.Of(id+"-rtt", pairs, judge.Using(a.trips(m), func(t trips) judge.Measured {
			return value(t.mean, "mean of pairs, %.2f to %.2f", t.least, t.most)
		}))
		r.Of(id+"-os", "signature", a.figure(m, func(f figures) float64 { return f.os }))
		r.Of(id+"-or", "signature", a.figure(m, func(f figures) float64 { return f.or }))
		r.Of(id+"-g", "signature", a.figure(m, func(f figures) float64 { return f.g }))
		r.Of(id+"-osum", "steady cost with a delay of three gaps", a.lifted(m))
		r.Of(id+"-idle", "longest delay that costs nothing", judge.Using(a.idle(m), func(us float64) judge.Measured {
			return value(us, "steady cost over delays")
		}))
		r.Of(id+"-rate", "messages of long bursts", judge.Using(a.steady(steadyKey{machine: m}), func(us float64) judge.Measured {
			return value(1000/us, "message %d to %d of a burst", shortSteady, longSteady)
		}))
		r.Of(id+"-Mknee", both, a.tripMessages(m))
	}
	r.Of("logp-par-gprime", "steady cost with a delay of 16 µs", judge.Using(a.steady(steadyKey{machine: machine{name: paragon}, deltaUs: 16}), justValue))
	for id, name := range map[string]string{
		"mei-L": meiko, "myr-L": myrinet, "par-L-63": paragon, "par-L-text75": paragon, "par-L-derived": paragon,
	} {
		r.Of("logp-"+id, both, a.latency(machine{name: name}))
	}
	r.assessRatios(a)
}

// figure is one parameter of two nodes.
func (a *assessment) figure(m machine, of func(figures) float64) judge.Measure {
	return judge.Using(a.params(m), func(f figures) judge.Measured { return value(of(f), "two nodes") })
}

// justValue is a figure that needs no words.
func justValue(v float64) judge.Measured { return value(v, "") }

// lifted is o_s + o_r, from a delay that the processor cannot hide.
func (a *assessment) lifted(m machine) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		delta := measure.Round(3 * judge.Get(s, a.steady(steadyKey{machine: m})))
		cost := judge.Get(s, a.steady(steadyKey{machine: m, deltaUs: delta}))
		return value(cost-delta, "delay %.3g µs", delta)
	})
}

// latency is L as the paper extracts it: from the longest round trip.
func (a *assessment) latency(m machine) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		f, t := judge.Get(s, a.params(m)), judge.Get(s, a.trips(m))
		return value(t.most/2-f.sum(), "from the longest round trip; %.2f from the shortest", t.least/2-f.sum())
	})
}

// tripMessages is how many messages are issued in a round trip.
func (a *assessment) tripMessages(m machine) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		sig, t := judge.Get(s, a.pair(m)), judge.Get(s, a.trips(m))
		return value(t.mean/sig.Os.Value, "RTT/o_s; the cost is 5 %% higher from M = %d on", sig.Curves[0].Knee.To)
	})
}

// assessRatios holds the rows that compare the machines.
func (r *rows) assessRatios(a *assessment) {
	// ratio is a figure of Myrinet over the mean of the other two.
	ratio := func(note string, of func(figures, trips) float64) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			var v [3]float64
			for i, name := range assessed {
				v[i] = of(judge.Get(s, a.params(machine{name: name})), judge.Get(s, a.trips(machine{name: name})))
			}
			return value(2*v[2]/(v[0]+v[1]), note, v[0], v[1], v[2])
		})
	}
	r.Of("logp-rtt-ratio", "round trips of all pairs of nodes", ratio("round trips of %.2f, %.2f and %.2f µs",
		func(_ figures, t trips) float64 { return t.mean }))
	r.Of("logp-oneway-ratio", "signatures, and round trips of all pairs", ratio("o_s + L + o_r %.2f, %.2f and %.2f µs",
		func(_ figures, t trips) float64 { return t.most / 2 }))
	spread := func(c change) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			most := 0.0
			var each []string
			for _, name := range assessed {
				t := judge.Get(s, a.trips(machine{name, c}))
				pct := 100 * (t.most/t.least - 1)
				each = append(each, fmt.Sprintf("%s %.1f", name, pct))
				most = max(most, pct)
			}
			return value(most, "the largest of %s %%", strings.Join(each, ", "))
		})
	}
	r.Versus("logp-rtt-dist", "round trips of all pairs of nodes", spread(unchanged), "switches ten times as slow", spread(slowSwitches))
	for _, x := range []struct {
		id     string
		of     func(figures) float64
		names  [3]string // in the order of their figures
		moving machine   // and what moves the order
	}{
		{"logp-b-gorder", func(f figures) float64 { return f.g }, [3]string{paragon, myrinet, meiko}, machine{meiko, fastWords}},
		{"logp-b-Lorder", func(f figures) float64 { return f.l }, [3]string{paragon, meiko, myrinet}, machine{myrinet, fastCard}},
		{"logp-b-oorder", figures.sum, [3]string{meiko, paragon, myrinet}, machine{myrinet, nearCard}},
	} {
		r.Versus(x.id, "signatures", a.inOrder(x.of, x.names, machine{}),
			string(x.moving.change)+" on "+x.moving.name, a.inOrder(x.of, x.names, x.moving))
	}
}

// inOrder tells whether a figure of three machines rises in their order; one of
// them may be changed.
func (a *assessment) inOrder(of func(figures) float64, names [3]string, changed machine) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		var v [3]float64
		for i, name := range names {
			m := machine{name: name}
			if name == changed.name {
				m = changed
			}
			v[i] = of(judge.Get(s, a.params(m)))
		}
		return holds(v[0] < v[1] && v[1] < v[2], "%s %.2f, %s %.2f, %s %.2f", names[0], v[0], names[1], v[1], names[2], v[2])
	})
}
