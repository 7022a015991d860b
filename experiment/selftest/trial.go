package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/trace"
)

// trial is a program under test, with its runs.
type trial struct {
	seeds      experiment.Seeds // of the program with and without each plant
	pairs      int              // of sets that are compared
	side       int              // runs of a set
	run        experiment.RunSpec
	conditions []compare.Condition
	random     *rand.Rand
	ended      func(stage string)
	work       []string
	profile    *platform.Profile
	base       []compare.Run // without plants, by seed
}

// runs runs the program with the first seeds on a changed platform.
func (t *trial) runs(ctx context.Context, change platform.Overlay, what string, seeds int) ([]compare.Run, error) {
	out := make([]compare.Run, seeds)
	err := parallel.Each(ctx, len(out), func(i int) error {
		spec := t.run
		spec.Seed = t.seeds.First + uint64(i)
		run, err := experiment.RunChanged(ctx, spec, change, nil)
		if err != nil {
			return fmt.Errorf("%s, %s, seed %d: %w", spec.Workload, what, spec.Seed, err)
		}
		out[i] = compare.Of(trimmed(*run))
		t.ended(spec.Workload + ", " + what)
		return nil
	})
	return out, err
}

// trimmed leaves a run what a comparison reads.
func trimmed(run trace.Run) trace.Run {
	kept := trace.Run{Manifest: run.Manifest, Clock: run.Clock}
	for _, r := range run.Signature {
		if r.Kind == trace.AllKinds && !r.First.OK {
			kept.Signature = append(kept.Signature, r)
		}
	}
	kept.Classes = run.Classes
	for _, r := range run.Pairs {
		if r.Kind == trace.AllKinds && !r.First.OK && r.Stage == trace.Net {
			kept.Pairs = append(kept.Pairs, r)
		}
	}
	return kept
}
