package shrimp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/trace"
)

// experiments are those that users may ask for too.
type experiments struct {
	run       func(program) judge.Experiment[*trace.Run]
	unloaded  judge.Experiment[*trace.Run]               // the baseline of the default platform
	perturbed judge.Experiment[*experiment.Perturbation] // the monitor's own cost in the message programs
}

// program is a run of a program in its usual size, fully monitored, but for
// what the fields change.
type program struct {
	workload  string
	size      int64
	monitor   experiment.Build
	trace     experiment.Trace
	gang      bool
	broadcast string
	free      string // resources without limit, separated by blanks
}

func newExperiments(seed uint64) experiments {
	return experiments{
		run: judge.Memo(func(ctx context.Context, p program) (*trace.Run, error) {
			spec := experiment.DefaultRun(p.workload)
			spec.Seed, spec.Size, spec.Trace, spec.Gang = seed, p.size, p.trace, p.gang
			spec.Monitor, spec.Broadcast = cmp.Or(p.monitor, spec.Monitor), cmp.Or(p.broadcast, spec.Broadcast)
			for _, name := range strings.Fields(p.free) {
				spec.Uncontended = append(spec.Uncontended, experiment.Resource(name))
			}
			run, err := experiment.Run(ctx, spec, nil)
			if err == nil && !run.Manifest.Verified {
				err = fmt.Errorf("%s is wrong: %s", p.workload, run.Manifest.Verification)
			}
			return run, err
		}),
		unloaded: judge.Once(func(ctx context.Context) (*trace.Run, error) {
			return experiment.Baseline(ctx, experiment.BaselineSpec{Platform: experiment.DefaultPlatform, Seed: seed}, nil)
		}),
		perturbed: judge.Once(func(ctx context.Context) (*experiment.Perturbation, error) {
			// More sizes around the change from programmed I/O to DMA, where a
			// loss hides most easily.
			sizes := append(experiment.PerturbSizes(), 8, 48, 68, 96, 132, 144, 160, 224, 320, 448, 640, 896)
			return experiment.Perturb(ctx, experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: seed, Sizes: sizes, Programs: []string{}}, nil)
		}),
	}
}

// reading is a run that a row reads.
type reading struct {
	*judge.Session
	analysis.Signature
	*trace.Run
}

// read gets a run in a session.
func read(s *judge.Session, run judge.Experiment[*trace.Run]) reading {
	got := judge.Get(s, run)
	return reading{s, analysis.Of(*got), got}
}

// of makes a measurement of a run.
func of(run judge.Experiment[*trace.Run], f func(reading) judge.Measured) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured { return f(read(s, run)) })
}

// runs adds a row that f measures in the run of a program. The
// counter-experiment is f in another run.
func (r *rows) runs(id, experiment string, p program, counter string, c program, f func(reading) judge.Measured, criterion ...string) {
	r.Versus(id, experiment, of(r.run(p), f), counter, of(r.run(c), f), criterion...)
}

// class returns one latency of one size class, of all packets.
func (r reading) class(name string, stage trace.Stage) trace.Stat {
	for _, p := range analysis.Whole(r.ByClass(), 0) {
		if s := p.Stat(stage); p.Class == name && s.Count > 0 {
			return s
		}
	}
	r.Fail("%s: no %v of packets of class %s", r.Manifest.Workload, stage, name)
	return trace.Stat{}
}

// above is by how much a latency of a size class is above its baseline: as a
// share of that, and in µs with half the width of the confidence interval.
func (r reading) above(name string, stage trace.Stage) (share, us, half float64) {
	c := r.class(name, stage)
	if !c.BaselineNs.OK || !c.DeviationNs.OK || !c.DeviationCILoNs.OK {
		r.Fail("%s: no deviation of %v of packets of class %s", r.Manifest.Workload, stage, name)
	}
	return c.DeviationNs.Value / c.BaselineNs.Value, c.DeviationNs.Value / 1000, (c.DeviationCIHiNs.Value - c.DeviationCILoNs.Value) / 2000
}

// times is a latency of a size class as a multiple of its baseline.
func (r reading) times(name string, stage trace.Stage) judge.Figure {
	share, _, _ := r.above(name, stage)
	return judge.Fig(fmt.Sprintf("%v of %s over its baseline", stage, name), 1+share)
}

// runTime is how long the slowest program of a run takes, in seconds.
func (r reading) runTime() float64 {
	most := int64(0)
	for _, t := range r.Manifest.Tags {
		most = max(most, t.RunTimeNs)
	}
	return float64(most) / 1e9
}
