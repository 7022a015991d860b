package shrimp

import (
	"context"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
)

// Rows says how the rows of the paper are measured. Nothing runs before a row
// is judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{seed: seed, Rows: judge.Rows{}, shared: newShared(seed)}
	r.hardware()
	r.layer()
	r.monitor()
	r.histograms()
	r.latencies()
	r.clocks()
	r.probes()
	r.perturbation()
	r.baseline()
	r.transform()
	r.contention()
	r.memory()
	r.programs()
	r.messages()
	return r.Rows
}

// rows are the checks, with the experiments that several of them read.
type rows struct {
	judge.Rows
	seed uint64
	shared
}

var value, holds = judge.Value, judge.Holds

// bed makes a measurement on a bed of its own.
func (r *rows) bed(s testbed.Spec, f func(*testbed.Bed) judge.Measured) judge.Measure {
	s.Seed = r.seed
	return beds.On(s, f)
}

// open builds a bed, whose user closes its engine.
func (r *rows) open(s testbed.Spec) (*testbed.Bed, error) {
	s.Seed = r.seed
	return testbed.Build(context.Background(), s)
}

// clocked gives a bed the clocks that a run may ask for.
func clocked(s cluster.Clock) func(*cluster.Spec) {
	return func(c *cluster.Spec) { c.Clock = s }
}
