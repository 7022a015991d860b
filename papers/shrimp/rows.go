package shrimp

import (
	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/experiment"
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

// clocks gives a cluster the clocks that a run may ask for.
func clocks(c *cluster.Spec, s experiment.ClockSpec) {
	c.Estimator = map[experiment.Estimator]string{experiment.EstimatorPublished: clock.Cristian, experiment.EstimatorImproved: clock.Filtered}[s.Estimator]
	c.Oscillators, c.Round = s.Oscillators, s.Round
	c.NoPriority, c.NoInline = s.NoPriority, s.NoInlineChecks
}

// bed makes a measurement on a bed of its own.
func (r *rows) bed(s testbed.Spec, f func(*testbed.Bed) judge.Measured) judge.Measure {
	s.Seed = r.seed
	return beds.On(s, f)
}
