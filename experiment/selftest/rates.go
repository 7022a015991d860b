package selftest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/compare"
)

// Rate counts how often the gate failed with a plant.
type Rate struct {
	Program string
	Plant   Plant
	Size    string  // of the delay
	Effect  float64 // the share by which the quantity rose, over all seeds
	Pairs   int     // of sets that were compared
	Alarms  int     // of which failed
	Found   int     // of which failed for the quantity with the plant
	Open    int     // of which could not be told
}

// nothing compares sets of the same runs without a plant, with no seed in both.
func (t *trial) nothing() Rate {
	r := Rate{Program: t.run.Workload, Plant: Plant{Name: "nothing"}, Size: "none"}
	for range t.pairs {
		drawn := t.random.Perm(len(t.base))[:2*t.side]
		r.count(t, t.set(t.base, drawn[:t.side]), t.set(t.base, drawn[t.side:]))
	}
	return r
}

// plant runs the program with a plant, and compares sets with those without it and the same
// seeds.
func (t *trial) plant(ctx context.Context, x Plant) (Rate, error) {
	size, err := t.sized(ctx, x)
	if err != nil {
		return Rate{}, err
	}
	change, text := t.change(x, size)
	planted, err := t.runs(ctx, change, x.Name, t.seeds.N)
	if err != nil {
		return Rate{}, err
	}
	r := Rate{Program: t.run.Workload, Plant: x, Size: text, Effect: x.effect(t.base, planted)}
	for range t.pairs {
		drawn := t.random.Perm(len(t.base))[:t.side]
		r.count(t, t.set(t.base, drawn), t.set(planted, drawn))
	}
	return r, nil
}

// set returns the runs at some places, by seed.
func (t *trial) set(runs []compare.Run, at []int) compare.Side {
	at = slices.Sorted(slices.Values(at))
	s := compare.Side{Name: t.run.Workload}
	for _, i := range at {
		s.Runs = append(s.Runs, runs[i])
	}
	return s
}

// count applies the gate to two sets.
func (r *Rate) count(t *trial, a, b compare.Side) {
	c := compare.Compare(a, b, compare.LeastPackets)
	verdict, judgements := c.Check(t.conditions)
	r.Pairs++
	switch verdict {
	case compare.Fail:
		r.Alarms++
	case compare.Inconclusive:
		r.Open++
	}
	for _, j := range judgements {
		if slices.ContainsFunc(j.Failed, func(k compare.Key) bool { return k.Quantity == r.Plant.Quantity }) {
			r.Found++
			break
		}
	}
}

func (r Rate) share(n int) float64 { return float64(n) / float64(max(r.Pairs, 1)) }

// interval returns the share of a count with its 95 % interval by Wilson's score. Pairs
// that were drawn from the same runs are not independent, so that it is rather too narrow.
func (r Rate) interval(n int) string {
	const z = 1.96
	m, p := float64(r.Pairs), r.share(n)
	middle, half := p+z*z/(2*m), float64(z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m)))
	return fmt.Sprintf("%.1f%%, %.1f to %.1f", 100*p, 100*max(0, (middle-half)/(1+z*z/m)), 100*min(1, (middle+half)/(1+z*z/m)))
}
