package shrimp

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Rows returns the checks of the paper's rows. No experiment runs before a row is
// judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{Rows: judge.Rows{}, seed: seed}
	r.run = judge.Memo(r.execute)
	r.unloaded = judge.Once(func(ctx context.Context) (*trace.Run, error) {
		return experiment.Baseline(ctx, experiment.BaselineSpec{Platform: experiment.DefaultPlatform, Seed: seed}, nil)
	})
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
	r.future()
	return r.Rows
}

// rows holds the checks, and the experiments that several of them share.
type rows struct {
	judge.Rows
	seed     uint64
	run      func(program) judge.Experiment[*trace.Run]
	unloaded judge.Experiment[*trace.Run] // the baseline of the default platform
}

var value, states = judge.Value, judge.States

// testbed makes a measure on a testbed of its own.
func (r *rows) testbed(s testbed.Spec, f func(*testbed.Testbed) judge.Measured) judge.Measure {
	s.Seed = r.seed
	return testbeds.On(s, f)
}

// testbeds adds a row that f measures on a testbed. The counter-experiment is f on
// another testbed.
func (r *rows) testbeds(id, experiment string, s testbed.Spec, counter string, c testbed.Spec, f func(*testbed.Testbed) judge.Measured, criterion ...string) {
	r.Versus(id, experiment, r.testbed(s, f), counter, r.testbed(c, f), criterion...)
}

// once makes an experiment on a testbed. It runs when a row first reads it.
func once[T any](r *rows, spec testbed.Spec, f func(*testbed.Testbed) T) judge.Experiment[T] {
	spec.Seed = r.seed
	return judge.Once(judge.Run(func(s *judge.Session) T { return testbeds.Use(s, spec, f) }))
}

// clocked sets the clocks of a testbed.
func clocked(s cluster.Clock) func(*cluster.Spec) {
	return func(c *cluster.Spec) { c.Clock = s }
}

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/shrimp/overlays.toml", overlayFile)

// overlaid adds a row that f measures on a testbed. The counter-experiment is f with
// an overlay on the profile.
func (r *rows) overlaid(id, experiment string, s testbed.Spec, overlay string, f func(*testbed.Testbed) judge.Measured) {
	c := s
	c.Overlay = overlays.Of(overlay)
	r.testbeds(id, experiment, s, overlay, c, f)
}

// program is a run of a program. The zero value of each other field is the usual
// size or the full monitor.
type program struct {
	workload  string
	again     int // other random numbers than in run 0
	size      int64
	monitor   monitor.BuildName
	trace     experiment.Trace
	gang      bool
	broadcast experiment.BroadcastName
	free      string // uncontended resources, separated by blanks
	bins      sim.Duration
	homes     string            // "": the program's own
	policy    experiment.Policy // "": none
}

// execute runs a program. A wrong result is an error.
func (r *rows) execute(ctx context.Context, p program) (*trace.Run, error) {
	spec := experiment.DefaultRun(p.workload)
	spec.Seed, spec.Size, spec.Trace, spec.Gang, spec.Bins = r.seed+1000*uint64(p.again), p.size, p.trace, p.gang, p.bins
	if p.policy != "" {
		spec.Policies = []experiment.Policy{p.policy}
	}
	if p.homes != "" {
		if err := spec.Memory.Homes.UnmarshalText([]byte(p.homes)); err != nil {
			return nil, err
		}
	}
	spec.Broadcast = cmp.Or(p.broadcast, spec.Broadcast)
	if err := p.monitor.Into(&spec.Build); err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(p.free) {
		spec.Uncontended = append(spec.Uncontended, experiment.Resource(name))
	}
	run, err := experiment.Run(ctx, spec, nil)
	if err == nil && !run.Manifest.Verified {
		err = fmt.Errorf("%s is wrong: %s", p.workload, run.Manifest.Verification)
	}
	return run, err
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

// of makes a measure of a run.
func of(run judge.Experiment[*trace.Run], f func(reading) judge.Measured) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured { return f(read(s, run)) })
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

// above returns the deviation of a latency of a size class: as a share of its baseline, and in µs
// with half the width of its confidence interval.
func (r reading) above(name string, stage trace.Stage) (share, us, half float64) {
	c := r.class(name, stage)
	if !c.BaselineNs.OK || !c.DeviationNs.OK || !c.DeviationCILoNs.OK {
		r.Fail("%s: no deviation of %v of packets of class %s", r.Manifest.Workload, stage, name)
	}
	return c.DeviationNs.Value / c.BaselineNs.Value, c.DeviationNs.Value / 1000, (c.DeviationCIHiNs.Value - c.DeviationCILoNs.Value) / 2000
}

// runTime returns the time of the slowest program of a run, in seconds.
func (r reading) runTime() float64 {
	slowest := slices.MaxFunc(r.Manifest.Tags, func(a, b trace.Program) int { return cmp.Compare(a.RunTimeNs, b.RunTimeNs) })
	return float64(slowest.RunTimeNs) / 1e9
}
