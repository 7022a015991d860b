package logp

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// assessParameters holds the rows of the LogP parameters (logp, Table 3 and
// section 3.3). Round trips are those of all pairs of 16 nodes.
func (r *rows) assessParameters(a *assessment) {
	short := map[string]string{paragon: "par", meiko: "mei", myrinet: "myr"}
	for _, name := range assessed {
		id := "logp-" + short[name]
		r.Of(id+"-rtt", "round trips of all pairs of nodes", judge.Read(a.trips(machine{name: name}), func(t trips) (judge.Measured, error) {
			return value(t.mean, "mean of pairs, %.2f to %.2f", t.least, t.most), nil
		}))
		r.Of(id+"-os", "signature", a.figure(name, func(f figures) float64 { return f.os }))
		r.Of(id+"-or", "signature", a.figure(name, func(f figures) float64 { return f.or }))
		r.Of(id+"-g", "signature", a.figure(name, func(f figures) float64 { return f.g }))
		r.Of(id+"-osum", "steady cost with a delay of three gaps", a.lifted(name))
		r.Of(id+"-idle", "longest delay that costs nothing", judge.Read(a.idle(machine{name: name}), func(us float64) (judge.Measured, error) {
			return value(us, "steady cost over delays"), nil
		}))
		r.Of(id+"-rate", "messages of long bursts", judge.Read(a.steady(steadyKey{machine: machine{name: name}}), func(us float64) (judge.Measured, error) {
			return value(1000/us, "message %d to %d of a burst", shortSteady, longSteady), nil
		}))
		r.Of(id+"-Mknee", "signature, and round trips of all pairs", a.tripMessages(name))
	}
	r.Of("logp-par-gprime", "steady cost with a delay of 16 µs", judge.Read(a.steady(steadyKey{machine: machine{name: paragon}, deltaUs: 16}), func(us float64) (judge.Measured, error) {
		return value(us, ""), nil
	}))
	r.Of("logp-mei-L", "signature, and round trips of all pairs", a.latency(meiko))
	r.Of("logp-myr-L", "signature, and round trips of all pairs", a.latency(myrinet))
	for _, id := range []string{"logp-par-L-63", "logp-par-L-text75", "logp-par-L-derived"} {
		r.Of(id, "signature, and round trips of all pairs", a.latency(paragon))
	}
	r.assessRatios(a)
}

// figure is one parameter of two nodes.
func (a *assessment) figure(name string, of func(figures) float64) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		f, err := a.of(ctx, name, unchanged)
		return value(of(f), "two nodes"), err
	}
}

// lifted is o_s + o_r, from a delay that the processor cannot hide.
func (a *assessment) lifted(name string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		g, err := a.steady(steadyKey{machine: machine{name: name}})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		delta := measure.Round(3 * g)
		cost, err := a.steady(steadyKey{machine: machine{name: name}, deltaUs: delta})(ctx)
		return value(cost-delta, "delay %.3g µs", delta), err
	}
}

// latency is L as the paper extracts it: from the longest round trip.
func (a *assessment) latency(name string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		f, err := a.of(ctx, name, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		t, err := a.trips(machine{name: name})(ctx)
		return value(t.most/2-f.sum(), "from the longest round trip; %.2f from the shortest", t.least/2-f.sum()), err
	}
}

// tripMessages is how many messages are issued in a round trip.
func (a *assessment) tripMessages(name string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		s, err := a.pair(machine{name: name})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		t, err := a.trips(machine{name: name})(ctx)
		knee := s.Curves[0].Knee
		return value(t.mean/s.Os.Value, "RTT/o_s; the cost is 5 %% higher from M = %d on", knee.To), err
	}
}

// assessRatios holds the rows that compare the machines.
func (r *rows) assessRatios(a *assessment) {
	all := func(ctx context.Context) (f map[string]figures, t map[string]trips, err error) {
		f, t = map[string]figures{}, map[string]trips{}
		for _, name := range assessed {
			if f[name], err = a.of(ctx, name, unchanged); err != nil {
				return
			}
			if t[name], err = a.trips(machine{name: name})(ctx); err != nil {
				return
			}
		}
		return
	}
	r.Of("logp-rtt-ratio", "round trips of all pairs of nodes", func(ctx context.Context) (judge.Measured, error) {
		_, t, err := all(ctx)
		m := t[myrinet].mean
		return value(2*m/(t[paragon].mean+t[meiko].mean), "%.2f of Paragon's, %.2f of the Meiko's", m/t[paragon].mean, m/t[meiko].mean), err
	})
	r.Of("logp-oneway-ratio", "signatures, and round trips of all pairs", func(ctx context.Context) (judge.Measured, error) {
		f, t, err := all(ctx)
		way := func(name string) float64 { return f[name].sum() + t[name].most/2 - f[name].sum() }
		m := way(myrinet)
		return value(2*m/(way(paragon)+way(meiko)), "o_s + L + o_r %.2f, %.2f and %.2f µs", way(paragon), way(meiko), m), err
	})
	spread := func(c change) judge.Measure {
		return func(ctx context.Context) (judge.Measured, error) {
			most := 0.0
			var each []string
			for _, name := range assessed {
				t, err := a.trips(machine{name, c})(ctx)
				if err != nil {
					return judge.Measured{}, err
				}
				pct := 100 * (t.most/t.least - 1)
				each = append(each, fmt.Sprintf("%s %.1f", name, pct))
				most = max(most, pct)
			}
			return value(most, "the largest of %s %%", strings.Join(each, ", ")), nil
		}
	}
	r.Versus("logp-rtt-dist", "round trips of all pairs of nodes", spread(unchanged), "switches ten times as slow", spread(slowSwitches))
	r.orders(a)
}

// orders holds the rows of which machine is better in what.
func (r *rows) orders(a *assessment) {
	order := func(of func(figures) float64, names [3]string, m machine) judge.Measure {
		return func(ctx context.Context) (judge.Measured, error) {
			var v [3]float64
			for i, name := range names {
				c := unchanged
				if name == m.name {
					c = m.change
				}
				f, err := a.of(ctx, name, c)
				if err != nil {
					return judge.Measured{}, err
				}
				v[i] = of(f)
			}
			return holds(v[0] < v[1] && v[1] < v[2], "%s %.2f, %s %.2f, %s %.2f", names[0], v[0], names[1], v[1], names[2], v[2]), nil
		}
	}
	add := func(id string, of func(figures) float64, names [3]string, m machine) {
		r.Versus(id, "signatures", order(of, names, machine{}), string(m.change)+" on "+m.name, order(of, names, m))
	}
	add("logp-b-gorder", func(f figures) float64 { return f.g }, [3]string{paragon, myrinet, meiko}, machine{meiko, fastWords})
	add("logp-b-Lorder", func(f figures) float64 { return f.l }, [3]string{paragon, meiko, myrinet}, machine{myrinet, fastCard})
	add("logp-b-oorder", figures.sum, [3]string{meiko, paragon, myrinet}, machine{myrinet, nearCard})
}
