package experiment

import (
	"context"
	"errors"

	"github.com/sigview/sigview/trace"
)

// errPending stands where an experiment is still to be written.
var errPending = errors.New("this experiment is not part of this build")

// Known lists the workloads, platforms and layers of this build.
func Known() Catalogue { return Catalogue{} }

// Run runs a workload under the monitor and returns everything that a run
// directory holds, the signature set beside the platform's baseline.
func Run(ctx context.Context, spec RunSpec, watch Watch) (*trace.Run, error) {
	return nil, errPending
}

// BaselineSpec asks for the unloaded latencies of a platform.
type BaselineSpec struct {
	Platform string `json:"platform"`
	Layer    string `json:"layer"` // "": the platform's own
	Seed     uint64 `json:"seed"`
}

// Validate checks the specification.
func (s BaselineSpec) Validate(known Catalogue) error { return known.checkPlace(s.Platform, s.Layer) }

// Baseline measures an otherwise idle cluster over all packet sizes.
func Baseline(ctx context.Context, spec BaselineSpec, watch Watch) (*trace.Run, error) {
	return nil, errPending
}

// Perturb measures the monitor's own cost under five firmware builds.
func Perturb(ctx context.Context, spec PerturbSpec, watch Watch) (*Perturbation, error) {
	return nil, errPending
}

// ClockTest measures the error of the global clock against true time.
func ClockTest(ctx context.Context, spec ClockTestSpec, watch Watch) (*ClockQuality, error) {
	return nil, errPending
}
