package logp

import (
	"context"

	"github.com/sigview/sigview/papers/judge"
)

// assessVariants holds the rows of the older Meiko and of the other
// SPARCstations (logp, section 3.4).
func (r *rows) assessVariants(a *assessment) {
	of := func(name string, c change, f func(figures) float64) func(context.Context) (float64, error) {
		return func(ctx context.Context) (float64, error) {
			v, err := a.of(ctx, name, c)
			return f(v), err
		}
	}
	gap := func(f figures) float64 { return f.g }
	for id, f := range map[string]func(figures) float64{"logp-m50-L": func(f figures) float64 { return f.l }, "logp-m50-g": gap} {
		r.Of(id, "signatures of both machines", func(ctx context.Context) (judge.Measured, error) {
			old, err := of(meiko50, unchanged, f)(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			now, err := of(meiko, unchanged, f)(ctx)
			return value(100*(old/now-1), "%.2f after %.2f µs", old, now), err
		})
	}
	r.Of("logp-m50-L-d", "signature, and round trips of all pairs", a.latency(machine{name: meiko50}))
	r.Of("logp-m50-g-d", "signature", a.figure(machine{name: meiko50}, gap))
	r.Versus("logp-m50-o", "signatures of both machines", a.slightly(unchanged), string(clockedLibrary), a.slightly(clockedLibrary))
	r.Versus("logp-b-m50-anomaly", "signatures of both machines, and with the bus alone slower", a.anomaly(unchanged), string(busWordsOnly), a.anomaly(busWordsOnly))

	r.Of("logp-m10-os", "signature", a.figure(machine{name: myrinet10}, func(f figures) float64 { return f.os }))
	r.Of("logp-m10-or", "signature", a.figure(machine{name: myrinet10}, func(f figures) float64 { return f.or }))
	r.Of("logp-m10-osum", "steady cost with a delay of three gaps", a.lifted(machine{name: myrinet10}))
	r.Versus("logp-m10-g", "signatures of both machines", a.slower(unchanged), string(fasterSBus), a.slower(fasterSBus))
	r.Versus("logp-b-m10-l2", "signatures of both machines", a.delayed(unchanged), string(noController), a.delayed(noController))
}

// slightly tells whether both overheads of the older Meiko are higher, and by
// less than its clock is lower.
func (a *assessment) slightly(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		now, err := a.of(ctx, meiko, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		old, err := a.of(ctx, meiko50, c)
		s, r := old.os/now.os-1, old.or/now.or-1
		return holds(s > 0.01 && r > 0.01 && s < 0.15 && r < 0.15, "o_s %+.0f %%, o_r %+.0f %%", 100*s, 100*r), err
	}
}

// anomaly tells whether L and g of the older Meiko are higher by more than its
// bus is slower, while the overheads are not by what its clock is; the bus alone explains only
// a part.
func (a *assessment) anomaly(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		now, err := a.of(ctx, meiko, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		bus, err := a.of(ctx, meiko, slowBusOnly)
		if err != nil {
			return judge.Measured{}, err
		}
		old, err := a.of(ctx, meiko50, c)
		l, g, o := old.l/now.l-1, old.g/now.g-1, old.sum()/now.sum()-1
		lb, gb := bus.l/now.l-1, bus.g/now.g-1
		const ratio = 45.0/40 - 1
		return holds(l > 1.5*ratio && g > 1.5*ratio && lb < l/2 && gb < g/2 && o < 66.0/50-1,
			"L %+.0f %%, g %+.0f %%, o_s + o_r %+.0f %%; by the bus alone L %+.0f %%, g %+.0f %%", 100*l, 100*g, 100*o, 100*lb, 100*gb), err
	}
}

// slower tells whether the gap of the other SPARCstations is larger.
func (a *assessment) slower(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		fast, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		slow, err := a.of(ctx, myrinet10, c)
		return holds(slow.g > 1.02*fast.g, "%.2f after %.2f µs", slow.g, fast.g), err
	}
}

// delayed tells whether both overheads of the other SPARCstations are as much
// higher as there are accesses to the card, for one delay.
func (a *assessment) delayed(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		fast, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		slow, err := a.of(ctx, myrinet10, c)
		if err != nil {
			return judge.Measured{}, err
		}
		s, err := a.subject(ctx, machine{name: myrinet10})
		if err != nil {
			return judge.Measured{}, err
		}
		g := s.Profile.GAM
		perStore := (slow.os - fast.os) / float64(g.RequestWords+1) // and a look at the queue
		perLoad := (slow.or - fast.or) / float64(g.MessageWords)
		return holds(perStore > 0.1 && near(perLoad, perStore, 0.1), "%.0f ns more per access of a send, %.0f ns of a receive", 1000*perStore, 1000*perLoad), err
	}
}
