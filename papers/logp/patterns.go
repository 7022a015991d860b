package logp

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/workloads/microbench"
)

// assessPatterns holds the rows of several nodes at once (logp, section 3.5 and
// Table 4).
func (r *rows) assessPatterns(a *assessment) {
	r.Versus("logp-allpairs", "half of the nodes ask the other half", a.allPairs(unchanged), string(slowLinks), a.allPairs(slowLinks))
	gain := func(names []string, of func(ratio float64) float64, c change) judge.Measure {
		return func(ctx context.Context) (judge.Measured, error) {
			sum := 0.0
			var seen []string
			for _, name := range names {
				ratio, err := a.ratio(ctx, machine{name, c}, microbench.OneToMany, fanOut)
				if err != nil {
					return judge.Measured{}, err
				}
				sum += of(ratio) / float64(len(names))
				seen = append(seen, fmt.Sprintf("%s %.3f", name, ratio))
			}
			return value(sum, "mean; gap against that of one pair: %s", strings.Join(seen, ", ")), nil
		}
	}
	gained := []string{myrinet, paragon}
	less := func(ratio float64) float64 { return 100 * (1 - ratio) }
	more := func(ratio float64) float64 { return 1 / ratio }
	what := fmt.Sprintf("one node asks %d in turn", fanOut)
	r.Of("logp-1tok-gap", what, gain(gained, less, unchanged))
	r.Of("logp-1tok-bw", what, gain(gained, more, unchanged))
	r.Versus("logp-1tok-meiko", what, gain([]string{meiko}, more, unchanged), "the same on myrinet", gain([]string{myrinet}, more, unchanged))

	r.Of("logp-kto1-myr", "three nodes ask one", func(ctx context.Context) (judge.Measured, error) {
		v, err := a.ratio(ctx, machine{name: myrinet}, microbench.ManyToOne, 3)
		return value(v, ""), err
	})
	r.Versus("logp-b-kto1", "2, 3, 7 and 15 nodes ask one", a.shares(unchanged, 0.15, 2, 3, 7, 15), string(oneToken), a.shares(oneToken, 0.15, 2, 3))
	r.Versus("logp-f-kto1", "2, 3 and 7 nodes ask one, and 8 one each", a.rates(unchanged), string(oneToken), a.rates(oneToken))
}

// fanOut is how many nodes one asks in turn.
const fanOut = 3

// ratio is the gap of a pattern against that of a pair.
func (a *assessment) ratio(ctx context.Context, m machine, pattern microbench.Pattern, peers int) (float64, error) {
	many, err := a.gap(signatureKey{machine: m, pattern: pattern, peers: peers})(ctx)
	if err != nil {
		return 0, err
	}
	one, err := a.gap(signatureKey{machine: m, peers: 1})(ctx)
	return many / one, err
}

// shares tells whether the gap of K that ask one is K times that of one.
func (a *assessment) shares(c change, tolerance float64, ks ...int) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		worst := 0.0
		var seen []string
		for _, name := range assessed {
			for _, k := range ks {
				ratio, err := a.ratio(ctx, machine{name, c}, microbench.ManyToOne, k)
				if err != nil {
					return judge.Measured{}, err
				}
				worst = max(worst, math.Abs(ratio/float64(k)-1))
				seen = append(seen, fmt.Sprintf("%.2f", ratio))
			}
		}
		return holds(worst <= tolerance, "ratios %s; at most %.1f %% off", strings.Join(seen, ", "), 100*worst), nil
	}
}

// rates tells whether K senders get a K-th of the rate each from one receiver, and
// all of it from one receiver each.
func (a *assessment) rates(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		to, err := a.shares(c, 0.05, 2, 3, 7)(ctx)
		if err != nil || !to.Holds {
			return to, err
		}
		apart, err := a.ratio(ctx, machine{myrinet, c}, microbench.AllPairs, 8)
		return holds(to.Holds && near(apart, 1, 0.05), "%s; one receiver each %.3f", to.Note, apart), err
	}
}

// allPairs tells whether parameters with all pairs active are those of one pair to
// two digits. Pairs are as far apart as the lone one.
func (a *assessment) allPairs(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll(assessed, "all/one: %s", "; ", func(name string) (judge.Measured, error) {
			m := machine{name, c}
			all, err := a.signature(signatureKey{machine: m, pattern: microbench.AllPairs, peers: 8})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			one, err := a.pair(m)(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			p, err := one.figures()
			if err != nil {
				return judge.Measured{}, err
			}
			q, err := all.figures()
			if err != nil {
				return judge.Measured{}, err
			}
			rtt, err := a.farTrips(ctx, m)
			if err != nil {
				return judge.Measured{}, err
			}
			l := rtt/2 - p.sum()
			return holds(twoDigits(q.os, p.os) && twoDigits(q.or, p.or) && twoDigits(q.g, p.g) && twoDigits(q.l, l), "%s o_s %.2f/%.2f o_r %.2f/%.2f L %.2f/%.2f g %.2f/%.2f", name, q.os, p.os, q.or, p.or, q.l, l, q.g, p.g), nil
		})
	}
}

// twoDigits tells whether two figures differ by less than one of the second
// digit.
func twoDigits(a, b float64) bool {
	return math.Abs(a-b) < math.Pow(10, math.Floor(math.Log10(b))-1)
}

// farTrips is the mean round trip of the pairs that the pattern all-pairs has,
// one at a time, µs.
func (a *assessment) farTrips(ctx context.Context, m machine) (float64, error) {
	return talk(a.spec(m, testbed.AllNodes, 1), func(t *testbed.Calls) (sum float64) {
		half := len(t.Ends) / 2
		for i := range half {
			sum += t.Trip(i, i+half, tripsPerPair) / float64(half)
		}
		return sum
	})(ctx)
}
