package shrimp

import (
	_ "embed"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/testbed"
)

// Rows says how the rows of the paper are measured. Nothing runs before a row
// is judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{seed: seed, Rows: judge.Rows{}, experiments: newExperiments(seed)}
	r.hardware()
	r.layer()
	r.monitor()
	r.histograms()
	r.latencies()
	r.clocks()
	r.probes()
	r.perturbation()
	r.baseline()
	r.programs()
	r.contention()
	return r.Rows
}

// rows are the checks, with the experiments that several of them read.
type rows struct {
	judge.Rows
	seed uint64
	experiments
}

var value, states = judge.Value, judge.States

// bed makes a measurement on a bed of its own.
func (r *rows) bed(s testbed.Spec, f func(*testbed.Bed) judge.Measured) judge.Measure {
	s.Seed = r.seed
	return beds.On(s, f)
}

// beds adds a row that f measures on a bed. The counter-experiment is f on
// another bed.
func (r *rows) beds(id, experiment string, s testbed.Spec, counter string, c testbed.Spec, f func(*testbed.Bed) judge.Measured, criterion ...string) {
	r.Versus(id, experiment, r.bed(s, f), counter, r.bed(c, f), criterion...)
}

// once is an experiment on a bed, which runs when a row first reads it.
func once[T any](r *rows, spec testbed.Spec, f func(*testbed.Bed) T) judge.Experiment[T] {
	spec.Seed = r.seed
	return judge.Once(judge.Run(func(s *judge.Session) T { return beds.Use(s, spec, f) }))
}

// clocked gives a bed the clocks that a run may ask for.
func clocked(s cluster.Clock) func(*cluster.Spec) {
	return func(c *cluster.Spec) { c.Clock = s }
}

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/shrimp/overlays.toml", overlayFile)

// overlaid adds a row that f measures on a bed. The counter-experiment is f with
// an overlay on the profile.
func (r *rows) overlaid(id, experiment string, s testbed.Spec, overlay string, f func(*testbed.Bed) judge.Measured, criterion ...string) {
	c := s
	c.Overlay = overlays.Of(overlay)
	r.beds(id, experiment, s, overlay, c, f, criterion...)
}
