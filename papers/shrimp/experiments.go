package shrimp

import (
	"cmp"
	"context"
	"strings"

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
			return experiment.Run(ctx, spec, nil)
		}),
		unloaded: judge.Once(func(ctx context.Context) (*trace.Run, error) {
			return experiment.Baseline(ctx, experiment.BaselineSpec{Platform: experiment.DefaultPlatform, Seed: seed}, nil)
		}),
		perturbed: judge.Once(func(ctx context.Context) (*experiment.Perturbation, error) {
			return experiment.Perturb(ctx, experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: seed, Sizes: rowSizes(), Programs: []string{}}, nil)
		}),
	}
}

// rowSizes are the sizes of the published measurement and more around the
// change from programmed I/O to DMA, where a loss hides most easily.
func rowSizes() []int64 {
	sizes := []int64{4, 8, 16, 32, 48, 64, 68, 96, 128, 132, 144, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896}
	for n := int64(1024); n <= 4<<20; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

// reading is a run that a row reads.
type reading struct {
	*judge.Session
	*trace.Run
}

// read gets a run in a session.
func read(s *judge.Session, run judge.Experiment[*trace.Run]) reading {
	return reading{s, judge.Get(s, run)}
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
func (r reading) class(name string, stage trace.Stage) trace.ClassRow {
	for _, c := range r.Classes {
		if c.Class == name && c.Stage == stage && c.Kind == trace.AllKinds && !c.First.OK {
			return c
		}
	}
	r.Fail("%s: no %v of packets of class %s", r.Manifest.Workload, stage, name)
	return trace.ClassRow{}
}

// loaded is class with its baseline.
func (r reading) loaded(name string, stage trace.Stage) trace.ClassRow {
	c := r.class(name, stage)
	if !c.BaselineNs.OK || !c.DeviationNs.OK || !c.DeviationCILoNs.OK {
		r.Fail("%s: no baseline of %v of packets of class %s", r.Manifest.Workload, stage, name)
	}
	return c
}

// times is a latency of a size class as a multiple of its baseline.
func (r reading) times(name string, stage trace.Stage) judge.Figure {
	c := r.loaded(name, stage)
	return judge.Fig(stage.String()+" of "+name+" over its baseline", c.MeanNs.Value/c.BaselineNs.Value)
}

// bins returns one latency over sizes, of all packets.
func (r reading) bins(stage trace.Stage) []trace.SignatureRow {
	var out []trace.SignatureRow
	for _, b := range r.Signature {
		if b.Stage == stage && b.Kind == trace.AllKinds && !b.First.OK && b.Count > 0 {
			out = append(out, b)
		}
	}
	return out
}
