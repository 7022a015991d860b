package logp

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// assessMethod holds the rows of how signatures are measured (logp, sections
// 3.1 to 3.3).
func (r *rows) assessMethod(a *assessment) {
	r.Versus("logp-bench-fn", "cost of bursts of one, whose reply is handled untimed", a.timed(false), "the timer stopped when the reply has been handled", a.timed(true))
	r.Versus("logp-bench-acc", "a point under noise", a.accuracy(logp.Culler()), "the rule for hosts without noise", a.accuracy(measure.Fewer()))
	r.Versus("logp-bench-conf", "interval of a hundred samples", judge.Plain(func() (judge.Measured, error) {
		return confidence(1), nil
	}), "one of half the width", judge.Plain(func() (judge.Measured, error) { return confidence(0.5), nil }))
	r.Versus("logp-bench-batch", "samples without noise until there are enough", a.batch(logp.Culler()), "the rule for hosts without noise", a.batch(measure.Fewer()))
	r.Of("logp-sig-Mmax", "bursts of a signature", func(ctx context.Context) (judge.Measured, error) {
		s, err := a.pair(machine{name: myrinet})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		most := 0
		for _, p := range s.points {
			if p.DeltaUs > 0 {
				most = max(most, p.M)
			}
		}
		return value(float64(most), "with delays; without one longer where the cost has not settled, %.2f of %.2f µs at 128", s.cost(128), s.G.Value), nil
	})
	r.Versus("logp-lim-events", "points on noisy hosts", a.noisy(experiment.Noises()), "hosts without noise", a.noisy(nil))
	r.Versus("logp-lim-traditional", "signature of layers that send messages", func(ctx context.Context) (judge.Measured, error) { return refusals(ctx, "bip", "fm", "pm", "vmmc") },
		"of a layer of requests", func(ctx context.Context) (judge.Measured, error) { return refusals(ctx, "gam") })
}

// timed tells whether one request costs o_s; reply stops the timer later.
func (a *assessment) timed(reply bool) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		f, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		s, err := a.subject(ctx, machine{name: myrinet})
		if err != nil {
			return judge.Measured{}, err
		}
		r, err := s.Ask(signatureKey{peers: 1}.asked())
		if err != nil {
			return judge.Measured{}, err
		}
		defer r.Engine.Close()
		costs := r.Asks.Costs(microbench.Burst{M: 1})
		if reply {
			costs = r.Asks.Trips(microbench.Ask, 0)
		}
		m, err := s.Mean(costs)
		return holds(near(m.Value, f.os, 0.02), "%.2f µs, o_s %.2f", m.Value, f.os), err
	}
}

// sampled measures one point under a rule of when there are enough samples.
func (a *assessment) sampled(ctx context.Context, e logp.Enough, noise []string) (logp.Mean, error) {
	s, err := a.subject(ctx, machine{name: myrinet})
	if err != nil {
		return logp.Mean{}, err
	}
	s.Noise, s.Enough = measure.Noise(noise), e
	r, err := s.Ask(signatureKey{peers: 1}.asked())
	if err != nil {
		return logp.Mean{}, err
	}
	defer r.Engine.Close()
	return s.Mean(r.Asks.Costs(microbench.Burst{M: 4}))
}

// accuracy is what a rule asks of a point and, under noise, gets.
func (a *assessment) accuracy(e logp.Enough) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		m, err := a.sampled(ctx, e, experiment.Noises())
		got := (m.Hi - m.Lo) / 2 / m.Value
		if got > e.Relative || m.Capped {
			return value(100*got, "not reached with %d samples", m.N), err
		}
		return value(100*e.Relative, "%d samples, whose interval is ±%.1f %%", m.N, 100*got), err
	}
}

// batch is how many samples are taken at least.
func (a *assessment) batch(e logp.Enough) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		m, err := a.sampled(ctx, e, nil)
		return value(float64(m.N), ""), err
	}
}

// confidence is the level of an interval of samples that are known, from its
// width; share scales it.
func confidence(share float64) judge.Measured {
	const n = 100
	s := logp.NewSampler(logp.Enough{Batch: n, Relative: 1, MaxBatches: 1})
	draw := sim.NewStream(1, "row")
	var sum, squares float64
	for range n {
		x := 10 + draw.Float64()
		sum += x
		squares += x * x
		s.Add(x)
	}
	mean := sum / n
	deviation := math.Sqrt((squares - n*mean*mean) / (n - 1))
	m := s.Mean()
	widths := share * (m.Hi - m.Lo) / 2 / (deviation / math.Sqrt(n))
	level := 2*distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(widths) - 1
	return value(100*level, "half of it is %.3f standard errors", widths)
}

// noisy tells whether points scatter and the parameters stay within 5 % all the
// same.
func (a *assessment) noisy(noise []string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		quiet, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		s, err := a.subject(ctx, machine{name: myrinet})
		if err != nil {
			return judge.Measured{}, err
		}
		s.Disturb(measure.Noise(noise))
		sig, found, err := s.FindSignature(signatureKey{peers: 1}.asked())
		if err != nil {
			return judge.Measured{}, err
		}
		f, err := shape{found, sig.Points}.figures()
		scattered := 0
		for _, p := range sig.Points {
			if p.Cost.Hi-p.Cost.Lo > 0.01*p.Cost.Value {
				scattered++
			}
		}
		return holds(4*scattered > len(sig.Points) && near(f.os, quiet.os, 0.05) && near(f.g, quiet.g, 0.05),
			"%d of %d points have intervals wider than 1 %%; o_s %.2f and g %.2f instead of %.2f and %.2f", scattered, len(sig.Points), f.os, f.g, quiet.os, quiet.g), err
	}
}

// refusals tells whether layers have no signature, but the parameters of code
// fragments.
func refusals(ctx context.Context, layers ...string) (judge.Measured, error) {
	ok := true
	for _, layer := range layers {
		spec := experiment.DefaultLogP()
		spec.Platforms, spec.Layers, spec.Method = []string{"ppro"}, []string{layer}, experiment.MethodSignature
		var refused *experiment.FieldError
		if _, err := experiment.LogP(ctx, spec, nil); !errors.As(err, &refused) {
			return holds(false, "refused for %v: %t", layers, false), err
		}
		spec.Method, spec.Sizes = experiment.MethodSweep, []int64{4}
		_, err := experiment.LogP(ctx, spec, nil)
		ok = ok && err == nil
	}
	return holds(ok, "refused for %v: %t", layers, ok), nil
}
