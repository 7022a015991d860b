package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Run runs a workload under the monitor and returns everything that a run directory
// holds, with the signature compared to the platform's baseline. A wrong result is not
// an error: the manifest says that it was not verified.
func Run(ctx context.Context, spec RunSpec, watch Watch) (*trace.Run, error) {
	return RunChanged(ctx, spec, platform.Overlay{}, watch)
}

// RunChanged is Run on the run's platform with an overlay's changes. The signature is
// compared with the baseline of the platform without them. A program that cannot go on
// panics: that is an error, which has the stack if the model is at fault.
func RunChanged(ctx context.Context, spec RunSpec, change platform.Overlay, watch Watch) (run *trace.Run, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = fmt.Errorf("the run stopped: %v\n%s", p, debug.Stack())
		default:
			err = fmt.Errorf("the run stopped: %v", p)
		}
	}()
	r, err := execute(ctx, spec, change, watch)
	if err != nil {
		return nil, err
	}
	return conclude(ctx, r.cluster, r.collected, watch)
}

// conclude makes the tables of a run, with the signature compared to the platform's
// baseline.
func conclude(ctx context.Context, c *cluster.Cluster, d collected, watch Watch) (*trace.Run, error) {
	if d.spec.Build == BuildFull {
		d.baseline = func() (analysis.Baseline, error) { return baselineFor(ctx, d.spec, watch) }
	}
	run, err := d.tables(c)
	if err == nil && !d.underWay {
		err = addWaits(run, c)
	}
	return run, err
}

// executed is a run whose programs have ended.
type executed struct {
	collected
	cluster *cluster.Cluster
}

// execute builds the cluster, on a changed platform, and runs the programs to their end.
func execute(ctx context.Context, spec RunSpec, change platform.Overlay, watch Watch) (*executed, error) {
	spec, err := spec.Pinned()
	if err != nil {
		return nil, err
	}
	r, err := prepare(spec, change)
	if err != nil {
		return nil, err
	}
	if err := fits(ctx, spec, r.nodes, r.Traits); err != nil {
		return nil, err
	}
	return perform(ctx, spec, r.Profile, r.nodes, r.programs, r.declared, watch)
}

// perform runs programs on a cluster to their end.
func perform(ctx context.Context, spec RunSpec, p *platform.Profile, nodes int, programs []program, declared traffic, watch Watch) (*executed, error) {
	built, err := clusterSpec(spec, p, nodes, declared)
	if err != nil {
		return nil, err
	}
	if !spec.Detail.costs() {
		return performOn(ctx, spec, p, built, programs, watch)
	}
	at, err := p.At(spec.Layer)
	if err != nil {
		return nil, err
	}
	costs, err := costsOf(ctx, at, spec.Build, watch)
	if err != nil {
		return nil, err
	}
	if spec.Detail != DetailFast {
		return performSampled(ctx, spec, p, built, programs, &costs, watch)
	}
	built.Fast, built.Build = costs.Params, BuildOff
	r, err := performOn(ctx, spec, p, built, programs, watch)
	if err == nil {
		r.costs = &costs
	}
	return r, err
}

// performOn runs programs on a cluster as built.
func performOn(ctx context.Context, spec RunSpec, p *platform.Profile, built cluster.Spec, programs []program, watch Watch) (*executed, error) {
	c, err := cluster.New(built)
	if err != nil {
		return nil, err
	}
	defer c.Engine.Close()
	defer withCause(c)
	log := c.ClockLog(string(spec.Clock.Estimator))
	watch.Report(Progress{Stage: "clock rounds", Cluster: c})
	if err := c.Warm(); err != nil {
		return nil, err
	}
	began := c.Engine.Now()
	c.Net.Begin()
	c.Record()
	running := len(programs)
	for tag, prog := range programs {
		c.Quicken(spec.Quick == spec.Programs()[tag])
		if err := prog.start(c, trace.Tag(tag), func() { running-- }); err != nil {
			return nil, err
		}
	}
	found := finders(programs)
	if slices.Contains(spec.Policies, Coschedule) {
		found = finders(programs, coschedule(c, len(programs), p.Host.Quantum))
	}
	now := func() collected {
		return collected{spec: spec, profile: p, nodes: built.Nodes, began: began, ended: c.Engine.Now(), clock: log.Rows, finders: found}
	}
	if err := steer(ctx, c, spec.Workload, began, &running, func() { watch.underWay(ctx, c, now(), programs) }); err != nil {
		return nil, err
	}
	r := &executed{cluster: c, collected: now()}
	for tag, prog := range programs {
		out, err := prog.finish()
		if err != nil {
			return nil, err
		}
		if out.wrong != nil {
			out.wrong = because(c, out.wrong)
		}
		r.programs = append(r.programs, finished{spec.Programs()[tag], out})
	}
	return r, c.Rest(settle)
}

// underWay reports the progress of a run, with a function that makes its tables.
func (w Watch) underWay(ctx context.Context, c *cluster.Cluster, d collected, programs []program) {
	done, total := together(programs)
	w.Report(Progress{
		Stage: d.spec.Workload, Done: done, Total: total, Packets: int64(c.Net.Stats().Delivered),
		SimulatedNs: int64(d.ended.Sub(d.began) / sim.Nanosecond),
		Look: func() (*trace.Run, error) {
			d.underWay = true
			for _, name := range d.spec.Programs() {
				d.programs = append(d.programs, finished{name, outcome{wrong: errUnderWay}})
			}
			return conclude(ctx, c, d, nil)
		},
	})
}

// together returns the progress of several programs, each of which counts as much. The
// total is 0 if that of one is not known.
func together(programs []program) (done, total int64) {
	const whole = 1_000_000
	for _, p := range programs {
		n, of := p.progress()
		if of == 0 {
			return 0, 0
		}
		done += int64(whole * (float64(n) / float64(of)))
		total += whole
	}
	return done, total
}

var errUnderWay = errors.New("the program has not ended")

// patience is how long every process may wait before the programs count as stuck. It is far
// longer than any message takes. While a layer sends again it is longest, which no layer
// pauses between two tries; each gives up after a number of tries.
const patience, longest = 10 * sim.Second, 1001 * sim.Second

// stuck returns an error if the programs do not go on.
func stuck(c *cluster.Cluster) error {
	if slices.ContainsFunc(c.Nodes, func(n *cluster.Node) bool { return n.Host.Busy() }) {
		return nil
	}
	if c.Retrying() {
		return c.Engine.Stuck(longest)
	}
	return c.Engine.Stuck(patience)
}

// steer runs the engine until all programs have ended, and reports now and
// then.
func steer(ctx context.Context, c *cluster.Cluster, what string, began sim.Time, running *int, report func()) error {
	for *running > 0 {
		for range steps {
			if *running == 0 {
				break
			}
			if !c.Engine.Step() {
				return blame(c, what, c.Engine.RunUntil(func() bool { return *running == 0 }))
			}
		}
		if err := stuck(c); err != nil {
			return blame(c, what, err)
		}
		if c.Packets != nil && c.Packets.Err() != nil {
			return c.Packets.Err()
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: stopped after %v of simulated time: %w", what, c.Engine.Now().Sub(began), err)
		}
		report()
	}
	return nil
}
