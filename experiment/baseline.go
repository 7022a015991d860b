package experiment

import (
	"context"
	"fmt"
	"sync"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// BaselineSpec asks for the unloaded latencies of a platform.
type BaselineSpec struct {
	Platform string `json:"platform"`
	Layer    string `json:"layer"` // "": the platform's own
	Seed     uint64 `json:"seed" range:"0.."`
}

// Validate checks the specification.
func (s BaselineSpec) Validate(known Catalogue) error { return known.checkPlace(s.Platform, s.Layer) }

// A baseline is measured with messages of every size bin, one by one between
// neighbours. They go both ways, so that an error of the clock cancels in the mean.
const (
	baselineRounds = 24
	baselineGap    = 300 * sim.Microsecond
	baselineStep   = 32 // bytes
)

// Baseline measures an otherwise idle pair of nodes over all packet sizes.
func Baseline(ctx context.Context, spec BaselineSpec, watch Watch) (*trace.Run, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	p, err := platform.Load(spec.Platform)
	if err != nil {
		return nil, err
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
	spec, err := clusterSpec(asked, p, 2, withKinds([]trace.Kind{trace.Data}, at.Traits.Kinds))
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

// baselines keeps the baselines measured in this process, by the profile's digest, the
// layer and the seed, which determine them.
var baselines struct {
	sync.Mutex
	of map[string]analysis.Baseline
}

// baselineFor returns the baseline of a profile. It measures each once.
func baselineFor(ctx context.Context, p *platform.Profile, spec RunSpec, watch Watch) (analysis.Baseline, error) {
	key := fmt.Sprintf("%s %s %d", p.Digest(), spec.Layer, spec.Seed)
	baselines.Lock()
	defer baselines.Unlock()
	if b, ok := baselines.of[key]; ok {
		return b, nil
	}
	run, err := Baseline(ctx, BaselineSpec{Platform: spec.Platform, Layer: spec.Layer, Seed: spec.Seed}, watch)
	if err != nil {
		return analysis.Baseline{}, fmt.Errorf("baseline: %w", err)
	}
	b, err := analysis.NewBaseline(analysis.Of(*run), 0)
	if err != nil {
		return b, err
	}
	if baselines.of == nil {
		baselines.of = map[string]analysis.Baseline{}
	}
	baselines.of[key] = b
	return b, nil
}
