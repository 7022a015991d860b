package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/parallel"
)

// LogP measures the LogP parameters of layers. Results are in the order of platforms
// and, for each, of layers.
func LogP(ctx context.Context, spec LogPSpec, watch Watch) ([]bench.LogP, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	places, records, err := spec.places()
	if err != nil {
		return nil, err
	}
	all := make([]*measure.Subject, len(places))
	steps := 0
	for i, p := range places {
		if all[i], err = spec.subject(ctx, p); err != nil {
			return nil, err
		}
		steps += all[i].Steps()
	}
	var noise []string
	for _, source := range spec.Noise {
		noise = append(noise, source.String())
	}
	done := watch.Counting(steps, "measurements")
	out := make([]bench.LogP, len(all))
	err = parallel.Each(ctx, len(all), func(i int) error {
		x := all[i]
		x.Done = func(what string) { done(x.Place.String() + ", " + what) }
		out[i] = bench.LogP{
			Place: records[i], Method: string(x.Method), Pattern: string(spec.Pattern), Peers: x.Peers,
			Monitor: spec.Monitor.String(), Noise: cmp.Or(strings.Join(noise, "+"), "none"),
			Sizes: []bench.Size{}, Residuals: []logp.Residual{},
		}
		if spec.Pattern == patternPair {
			out[i].Pair = x.Pair
		}
		if err := x.LogP(&out[i]); err != nil {
			return fmt.Errorf("%s: %w", x.Place, err)
		}
		out[i].Warnings = append([]string{}, analysis.Join(out[i].Warnings)...)
		return nil
	})
	return out, err
}

// subject returns the subject of the measurement that the specification asks for.
func (s LogPSpec) subject(ctx context.Context, p platform.Place) (*measure.Subject, error) {
	x := measure.New(ctx, p, s.Seed)
	x.Disturb(measure.Noise(s.Noise))
	x.Sizes = slices.Sorted(slices.Values(s.Sizes))
	var of, peers, pair error
	x.Method, of = s.methodFor(p)
	x.Peers, peers = s.peersFor(p)
	x.Pair, pair = s.pairOn(p)
	x.Monitor, x.Search, x.Saturate = s.Monitor, s.PLogP.Search, s.PLogP.Saturate
	if err := cmp.Or(of, peers, pair, s.Pattern.Into(&x.Pattern)); err != nil {
		return nil, err
	}
	if x.Method == MethodSweep && len(x.Sizes) == 0 {
		x.Sizes = sweepSizes()
	}
	if x.Method == MethodSignature && slices.Contains(x.Sizes, 0) {
		return nil, wrong("size", 0, "at least 1 byte for bulk transfers; small messages are always measured")
	}
	return x, accepts(p, x.Sizes)
}
