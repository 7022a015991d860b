package logp

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
)

// method adds the rows of how signatures are measured (logp, sections 3.1 to
// 3.3).
func (r rows) method() {
	const fewer = "the rule for hosts without noise"
	versus(r, "logp-bench-fn", "cost of bursts of one, replies handled after timing", timed, false, "the timer stopped when the reply has been handled", true)
	versus(r, "logp-bench-acc", "a point under noise", accuracy, logp.Culler(), fewer, measure.Fewer())
	versus(r, "logp-bench-conf", "interval of a hundred samples", confidence, 1, "one of half the width", 0.5)
	versus(r, "logp-bench-batch", "number of samples without noise", func(s session, e logp.Enough) judge.Measured { return value(float64(sampled(s, e, nil).N), "") }, logp.Culler(), fewer, measure.Fewer())
	of(r, "logp-sig-Mmax", "bursts of a signature", longestBurst, myrinet)
	versus(r, "logp-lim-events", "points on noisy hosts", noisy, experiment.Noises(), "hosts without noise", nil)
	versus(r, "logp-lim-traditional", "signature of layers that send messages", refused, []string{"bip", "fm", "pm", "vmmc"}, "of a layer of requests", []string{"gam"})
}

// timed states that a burst of one costs o_s. With reply the timer stops after the
// reply.
func timed(s session, reply bool) judge.Measured {
	cost := asking(s, myrinet, requests, func(r *measure.Requests) logp.Mean {
		if reply {
			return r.Trips()
		}
		return r.Point(1, 0).Cost
	})
	return judge.All(judge.Near(judge.Fig("cost", cost.Value, "µs"), judge.Fig("o_s", overheadS(s, myrinet), "µs"), 2))
}

// sampled measures one point under a rule of when there are enough samples.
func sampled(s session, e logp.Enough, noise []string) logp.Mean {
	x := s.subject(myrinet)
	x.Noise, x.Enough = measure.Noise(noise), e
	p, err := measure.Asking(x, requests, func(r *measure.Requests) logp.Point { return r.Point(4, 0) })
	s.Check(err)
	return p.Cost
}

// accuracy is the accuracy that a rule asks of a point and gets under noise, in
// per cent.
func accuracy(s session, e logp.Enough) judge.Measured {
	m := sampled(s, e, experiment.Noises())
	got := (m.Hi - m.Lo) / 2 / m.Value
	if got > e.Relative || m.Capped {
		return value(100*got, "not reached with %d samples", m.N)
	}
	return value(100*e.Relative, "%d samples, whose interval is ±%.1f %%", m.N, 100*got)
}

// confidence is the level of an interval around the mean of known samples, from
// its width times share, in per cent.
func confidence(_ session, share float64) judge.Measured {
	const n = 100
	sampler := logp.NewSampler(logp.Enough{Batch: n, Relative: 1, MaxBatches: 1})
	draw := sim.NewStream(1, "row")
	var samples []float64
	for range n {
		samples = append(samples, 10+draw.Float64())
		sampler.Add(samples[len(samples)-1])
	}
	m, deviation := sampler.Mean(), stat.StdDev(samples, nil)
	widths := share * (m.Hi - m.Lo) / 2 / (deviation / math.Sqrt(n))
	level := 2*distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(widths) - 1
	return value(100*level, "half of it is %.3f standard errors", widths)
}

// longestBurst is the longest burst of a signature with delays.
func longestBurst(s session, name string) judge.Measured {
	x := s.signature(name, requests)
	var most [2]int // without a delay and with one
	for _, p := range x.Points {
		k := min(1, int(math.Ceil(p.DeltaUs)))
		most[k] = max(most[k], p.M)
	}
	return value(float64(most[1]), "with delays; up to %d without one, where the cost has not settled", most[0])
}

// noisy states that points scatter under noise and that the parameters do not
// change.
func noisy(s session, noise []string) judge.Measured {
	quiet := s.of(myrinet)
	x := s.subject(myrinet)
	x.Disturb(measure.Noise(noise))
	found, err := x.FindSignature(requests)
	s.Check(err)
	scattered := 0.0
	for _, p := range found.Points {
		if p.Cost.Hi-p.Cost.Lo > 0.01*p.Cost.Value {
			scattered++
		}
	}
	return judge.All(
		judge.Above(judge.Fig("points with intervals wider than 1 %", 100*scattered/float64(len(found.Points)), "%"), judge.Limit(25, "%"), 0),
		judge.Near(judge.Fig("o_s", found.Os.Value, "µs"), judge.Fig("quiet o_s", quiet.os, "µs"), 5),
		judge.Near(judge.Fig("g", found.G.Value, "µs"), judge.Fig("quiet g", quiet.g, "µs"), 5))
}

// refused states that layers have no signature, but have the parameters of code
// fragments.
func refused(s session, layers []string) judge.Measured {
	var field *experiment.FieldError
	n := 0
	for _, layer := range layers {
		spec := experiment.DefaultLogP()
		spec.Platforms, spec.Layers, spec.Method = []string{"ppro"}, []string{layer}, experiment.MethodSignature
		if _, err := experiment.LogP(s.Context(), spec, nil); errors.As(err, &field) {
			n++
			spec.Method, spec.Sizes = experiment.MethodSweep, []int64{4}
			_, err = experiment.LogP(s.Context(), spec, nil)
			s.Check(err)
		}
	}
	return judge.All(judge.True(n == len(layers), "each is refused a signature and has parameters of code fragments", "refused %d of %v", n, layers))
}
