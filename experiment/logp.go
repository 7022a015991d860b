package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/workloads/microbench"
)

// LogP measures the LogP parameters of layers, results in the order of
// platforms and, of each, of layers.
func LogP(ctx context.Context, spec LogPSpec, watch Watch) ([]bench.LogP, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	spec.Sizes = slices.Sorted(slices.Values(spec.Sizes))
	places, err := spec.places()
	if err != nil {
		return nil, err
	}
	names, err := spec.names(places)
	if err != nil {
		return nil, err
	}
	all := make([]subject, len(places))
	steps := 0
	for i, p := range places {
		if all[i], err = newSubject(ctx, spec, p); err != nil {
			return nil, err
		}
		steps += all[i].steps()
	}
	done := watch.counting(steps, "measurements")
	out := make([]bench.LogP, len(all))
	err = measure.Parallel(ctx, len(all), func(i int) error {
		all[i].Done = func(what string) { done(all[i].Place.String() + ", " + what) }
		out[i] = bench.LogP{
			Place: record(all[i].Place), Method: all[i].method, Pattern: spec.Pattern, Peers: all[i].Peers,
			Monitor: string(spec.Monitor), Noise: "none",
		}
		out[i].Platform = names[i]
		if len(spec.Noise) > 0 {
			out[i].Noise = strings.Join(spec.Noise, "+")
		}
		if err := all[i].measure(&out[i]); err != nil {
			return fmt.Errorf("%s: %w", all[i].Place, err)
		}
		finish(&out[i])
		return nil
	})
	return out, err
}

// subject is a place that is measured by a method.
type subject struct {
	*measure.Subject
	method string
}

func newSubject(ctx context.Context, spec LogPSpec, p platform.Place) (s subject, err error) {
	s.Subject = measure.New(ctx, p, spec.Seed)
	s.Disturb(measure.Noise(spec.Noise))
	s.Sizes = spec.Sizes
	if s.method, err = spec.methodFor(p); err != nil {
		return
	}
	if s.Peers, err = spec.peersFor(p); err != nil {
		return
	}
	if s.Pattern, err = microbench.ParsePattern(spec.Pattern); err != nil {
		return
	}
	if s.Monitor, err = monitor.ParseBuild(string(spec.Monitor)); err != nil {
		return
	}
	if s.method == MethodSweep && len(s.Sizes) == 0 {
		s.Sizes = SweepSizes()
	}
	if s.method == MethodSignature && slices.Contains(s.Sizes, 0) {
		return s, wrong("size", 0, "at least 1 byte for bulk transfers; small messages are measured anyhow")
	}
	return s, accepts(p, s.Sizes)
}

// steps is how many measurements are reported as done.
func (s subject) steps() int {
	if s.method == MethodSweep {
		return len(s.Sizes)
	}
	return s.Steps()
}

func (s subject) measure(out *bench.LogP) error {
	if s.method == MethodSweep {
		return s.Sweep(out)
	}
	return s.Signature(out)
}

// finish completes a result: lists are never nil and warnings come once.
func finish(out *bench.LogP) {
	if out.Sizes == nil {
		out.Sizes = []bench.Size{}
	}
	if out.Residuals == nil {
		out.Residuals = []logp.Residual{}
	}
	warnings := []string{}
	for _, w := range out.Warnings {
		if !slices.Contains(warnings, w) {
			warnings = append(warnings, w)
		}
	}
	out.Warnings = warnings
}
