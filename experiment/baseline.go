package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/usercache"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// BaselineSpec asks for the unloaded latencies of a platform.
type BaselineSpec struct {
	Platform string `json:"platform"`
	Layer    string `json:"layer"` // "": the platform's own
	Seed     uint64 `json:"seed" range:"0.."`
	// Operations names a program. Its operations are played one at a time, instead of
	// single messages.
	Operations string `json:"operations" optional:"yes"`
}

// Validate checks the specification.
func (s BaselineSpec) Validate(known Catalogue) error {
	if s.Operations != "" {
		if err := names.Check("workload", s.Operations, Names(known.Workloads)); err != nil {
			return err
		}
		if _, ok := operationsOf(s.Operations, RunSpec{}); !ok {
			return wrong("operations", s.Operations, "a program on shared memory, message passing or sockets")
		}
		return s.program().Validate(known)
	}
	return known.checkPlace(s.Platform, s.Layer)
}

// program returns the run whose operations are played.
func (s BaselineSpec) program() RunSpec {
	r := DefaultRun(s.Operations)
	r.Platform, r.Layer, r.Seed = s.Platform, s.Layer, s.Seed
	return r
}

// A baseline is measured with messages of every size bin, one by one between
// neighbours. They go both ways, so that an error of the clock cancels in the mean.
const (
	baselineRounds = 24
	baselineGap    = 300 * sim.Microsecond
	baselineStep   = 32 // bytes
)

// Baseline measures an otherwise idle pair of nodes over all packet sizes.
func Baseline(ctx context.Context, spec BaselineSpec, watch Watch) (*trace.Run, error) {
	p, err := loaded(spec, spec.Platform)
	if err != nil {
		return nil, err
	}
	if o, ok := operationsOf(spec.Operations, spec.program()); ok {
		return o.run(ctx, p, spec.program(), watch)
	}
	watch.Report(Progress{Stage: "baseline of " + p.Name})
	asked := DefaultRun("baseline")
	asked.Platform, asked.Layer, asked.Seed = spec.Platform, spec.Layer, spec.Seed
	asked.Variance = true // of every size; on an idle interface its cycles delay nothing
	c, began, err := unloaded(asked, p)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := collected{
		spec: asked, profile: p, nodes: 2,
		programs: []finished{{"baseline", outcome{took: c.Engine.Now().Sub(began), how: "messages one by one, nothing lost"}}},
		began:    began, ended: c.Engine.Now(),
	}
	return d.tables(c)
}

// unloaded runs the baseline's program.
func unloaded(asked RunSpec, p *platform.Profile) (*cluster.Cluster, sim.Time, error) {
	at, err := p.At(asked.Layer)
	if err != nil {
		return nil, 0, err
	}
	spec, err := clusterSpec(asked, p, 2, traffic{kinds: withKinds([]trace.Kind{trace.Data}, at.Traits.Kinds)})
	if err != nil {
		return nil, 0, err
	}
	c, err := cluster.New(spec)
	if err != nil {
		return nil, 0, err
	}
	if err := c.Warm(); err != nil {
		return nil, 0, err
	}
	c.Record()
	began := c.Engine.Now()
	most := c.Payload()
	pair, err := c.Pair(0, 1, most)
	if err != nil {
		return nil, 0, err
	}
	// The upper half of each bin: hardly any message is shorter than 16 bytes,
	// and most have round sizes.
	var sizes []int
	for n := baselineStep; n <= most; n += baselineStep {
		sizes = append(sizes, n-baselineStep/2, n-baselineStep/4, n)
	}
	if err := pair.Unloaded(sizes, baselineRounds, baselineGap); err != nil {
		return nil, 0, err
	}
	return c, began, c.Engine.Run(c.Engine.Now().Add(settle))
}

// baselines keeps baselines measured in this process, by what determines them. Each is
// measured once, by the first run that needs it; others wait for it.
var baselines = struct {
	sync.Mutex
	of map[string]func() (*trace.Run, error)
}{of: map[string]func() (*trace.Run, error){}}

// maxBaselines limits the memory that they take; when there are more, all are forgotten.
const maxBaselines = 200

// measured returns a baseline. If the run that measures it is cancelled, another that waits
// for it measures it again.
func measured(ctx context.Context, key string, measure func() (*trace.Run, error)) (analysis.Signature, error) {
	for {
		run, err := onlyOnce(key, measure)()
		if err == nil {
			return analysis.Of(*run), nil
		}
		baselines.Lock()
		delete(baselines.of, key)
		baselines.Unlock()
		if ctx.Err() != nil || !errors.Is(err, context.Canceled) {
			return analysis.Signature{}, fmt.Errorf("baseline: %w", err)
		}
	}
}

// onlyOnce returns the call that measures the baseline of a key, or has done so.
func onlyOnce(key string, measure func() (*trace.Run, error)) func() (*trace.Run, error) {
	baselines.Lock()
	defer baselines.Unlock()
	if once, ok := baselines.of[key]; ok {
		return once
	}
	if len(baselines.of) == maxBaselines {
		clear(baselines.of)
	}
	baselines.of[key] = sync.OnceValues(measure)
	return baselines.of[key]
}

// baselineKey is all that determines the baseline of a run, beside the program.
type baselineKey struct {
	Place      string
	Operations []string // of each program
}

// baselineFor returns the baseline of a run: single messages on its platform, and for each
// program with operations these. It is from the user's cache, or measured and then cached.
func baselineFor(ctx context.Context, spec RunSpec, watch Watch) (analysis.Baseline, error) {
	p, err := platform.Load(spec.Platform)
	if err != nil {
		return analysis.Baseline{}, err
	}
	key := fmt.Sprintf("%s %s %d", p.Digest(), spec.Layer, spec.Seed)
	cached := baselineKey{Place: key}
	for _, name := range spec.Programs() {
		o, _ := operationsOf(name, spec)
		cached.Operations = append(cached.Operations, o.key)
	}
	cache := usercache.Open("baselines")
	var b analysis.Baseline
	if cache.Get(cached, &b) {
		return b, nil
	}
	single, err := measured(ctx, key, func() (*trace.Run, error) {
		return Baseline(ctx, BaselineSpec{Platform: spec.Platform, Layer: spec.Layer, Seed: spec.Seed}, watch)
	})
	if err != nil {
		return analysis.Baseline{}, err
	}
	if b, err = analysis.NewBaseline(single, 0); err != nil {
		return b, err
	}
	for tag, name := range spec.Programs() {
		o, ok := operationsOf(name, spec)
		if !ok {
			continue
		}
		idle, err := measured(ctx, key+" "+o.key, func() (*trace.Run, error) { return o.run(ctx, p, spec, watch) })
		if err != nil {
			return b, err
		}
		b = b.WithOperations(trace.Tag(tag), idle)
	}
	cache.Put(cached, b)
	return b, nil
}
