package experiment

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
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
	all := make([]*subject, len(places))
	steps := 0
	for i, p := range places {
		if all[i], err = newSubject(ctx, spec, p); err != nil {
			return nil, err
		}
		steps += all[i].steps()
	}
	done := watch.counting(steps, "measurements")
	out := make([]bench.LogP, len(all))
	err = parallel(ctx, len(all), func(i int) error {
		all[i].done = func(what string) { done(all[i].place.String() + ", " + what) }
		if err := all[i].measure(&out[i]); err != nil {
			return fmt.Errorf("%s: %w", all[i].place, err)
		}
		out[i].Platform = names[i]
		return nil
	})
	return out, err
}

// subject is a layer on a platform that is measured.
type subject struct {
	place
	ctx    context.Context
	spec   LogPSpec
	method string
	peers  int
	enough logp.Enough
	done   func(what string)
	seen   *stages // what the monitor saw of round trips
}

// fewer is the rule for samples without noise, which differ only by the point
// of the interface's main loop that a message meets.
func fewer() logp.Enough { return logp.Enough{Batch: 4, Relative: 0.01, MaxBatches: 12} }

func newSubject(ctx context.Context, spec LogPSpec, p place) (*subject, error) {
	s := &subject{place: p, ctx: ctx, spec: spec, enough: fewer()}
	if len(spec.Noise) > 0 {
		s.enough = logp.Culler()
	}
	var err error
	if s.method, err = spec.methodFor(p); err != nil {
		return nil, err
	}
	if s.peers, err = spec.peersFor(p); err != nil {
		return nil, err
	}
	if s.method == MethodSweep && len(s.spec.Sizes) == 0 {
		s.spec.Sizes = SweepSizes()
	}
	if s.method == MethodSignature && slices.Contains(s.spec.Sizes, 0) {
		return nil, wrong("size", 0, "at least 1 byte for bulk transfers; small messages are measured anyhow")
	}
	return s, p.accepts(s.spec.Sizes)
}

// steps is how many measurements are reported as done.
func (s *subject) steps() int {
	n := len(s.spec.Sizes)
	if s.method == MethodSweep {
		return n
	}
	n += signatureSteps
	if s.hasRatio() {
		n += signatureSteps
	}
	for _, bytes := range s.spec.Sizes {
		if bytes <= longStore {
			n += signatureSteps
		}
	}
	return n
}

func (s *subject) measure(out *bench.LogP) error {
	*out = bench.LogP{
		Place: s.record(), Method: s.method, Pattern: s.spec.Pattern, Peers: s.peers,
		Monitor: string(s.spec.Monitor), Noise: "none",
	}
	if len(s.spec.Noise) > 0 {
		out.Noise = strings.Join(s.spec.Noise, "+")
	}
	if s.method == MethodSweep {
		return s.sweep(out)
	}
	return s.signature(out)
}

// build makes a cluster of so many nodes. Monitors record only what comes
// after Record.
func (s *subject) build(nodes int) (*cluster.Cluster, error) {
	c, err := s.cluster(s.spec.Seed, nodes, s.spec.Monitor)
	if err != nil || len(s.spec.Noise) == 0 {
		return c, err
	}
	noise, err := c.Noise(s.spec.noise())
	if err != nil {
		c.Engine.Close()
		return nil, err
	}
	noise.Start()
	return c, nil
}

// mean takes samples, each a time per process, until there are enough.
func (s *subject) mean(samples iter.Seq2[[]sim.Duration, error]) (logp.Mean, error) {
	m := logp.NewSampler(s.enough)
	for sample, err := range samples {
		if err == nil {
			err = s.ctx.Err()
		}
		if err != nil {
			return logp.Mean{}, err
		}
		var sum sim.Duration
		for _, d := range sample {
			sum += d
		}
		if m.Add(sum.Us() / float64(len(sample))); m.Done() {
			break
		}
	}
	if n := m.Bad(); n > 0 {
		return logp.Mean{}, fmt.Errorf("%d samples of %s are no times", n, s.place)
	}
	return resolved(m.Mean()), nil
}

// resolution is the least half width of an interval, in parts of the mean.
// Samples of a simulation may all be alike; what still differs from one burst
// length or delay to another, by how messages meet the interface's main loop, is
// then no error of chance that would show in them.
const resolution = 0.001

func resolved(m logp.Mean) logp.Mean {
	least := float64(resolution * m.Value)
	m.Lo, m.Hi = min(m.Lo, m.Value-least), max(m.Hi, m.Value+least)
	return m
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
