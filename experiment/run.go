package experiment

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Run runs a workload under the monitor and returns everything that a run
// directory holds, the signature set beside the platform's baseline. A wrong
// result is no error: the manifest says that it was not verified.
func Run(ctx context.Context, spec RunSpec, watch Watch) (*trace.Run, error) {
	r, err := execute(ctx, spec, watch)
	if err != nil {
		return nil, err
	}
	run, err := collect(r.cluster, r.collected)
	if err != nil {
		return nil, err
	}
	if len(run.Signature) == 0 || spec.Monitor != BuildFull {
		return run, nil
	}
	base, err := baselineFor(ctx, r.profile, spec, watch)
	if err != nil {
		return nil, err
	}
	analysis.Of(*run).Against(base).Store(run)
	return run, nil
}

// executed is a program that has run.
type executed struct {
	collected
	cluster *cluster.Cluster
	outcome outcome
}

// execute builds the cluster and runs the program to its end.
func execute(ctx context.Context, spec RunSpec, watch Watch) (*executed, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	p, err := platform.Load(spec.Platform)
	if err != nil {
		return nil, err
	}
	nodes := spec.Nodes
	if nodes == 0 {
		nodes = p.Nodes
	}
	prog, err := newProgram(spec, p, nodes)
	if err != nil {
		return nil, err
	}
	built, err := clusterSpec(spec, p, nodes, prog.kinds())
	if err != nil {
		return nil, err
	}
	c, err := cluster.New(built)
	if err != nil {
		return nil, err
	}
	defer c.Engine.Close()
	log := newClockLog(c, spec)
	watch.report(Progress{Stage: "clock rounds"})
	if err := c.Warm(); err != nil {
		return nil, err
	}
	began := c.Engine.Now()
	if err := injectFaults(c, spec.Faults); err != nil {
		return nil, err
	}
	c.Record()
	ended := false
	if err := prog.start(c, func() { ended = true }); err != nil {
		return nil, err
	}
	if err := steer(ctx, c, spec.Workload, began, &ended, watch); err != nil {
		return nil, err
	}
	out, err := prog.finish()
	if err != nil {
		return nil, err
	}
	if err := c.Engine.Run(c.Engine.Now().Add(settle)); err != nil {
		return nil, err
	}
	how := out.how
	if out.wrong != nil {
		how = out.wrong.Error()
	}
	return &executed{
		cluster: c, outcome: out,
		collected: collected{
			spec: spec, profile: p, nodes: nodes, programs: []string{spec.Workload},
			began: began, ended: began.Add(out.took), verified: out.wrong == nil, how: how,
			shares: out.shares, clock: log.rows,
		},
	}, nil
}

// patience is how long no process may run before a program counts as stuck:
// far more than any computation between two accesses, or the longest pause of
// the data-link protocol, takes.
const patience = 60 * sim.Second

// steer runs the engine until the program has ended.
func steer(ctx context.Context, c *cluster.Cluster, what string, began sim.Time, ended *bool, watch Watch) error {
	for !*ended {
		for range steps {
			if *ended {
				break
			}
			if !c.Engine.Step() {
				return c.Engine.RunUntil(func() bool { return *ended })
			}
		}
		if err := c.Engine.Stuck(patience); err != nil {
			if lost := c.Net.Stats().Undetected; lost > 0 {
				return fmt.Errorf("%s: %d corrupted packets got past their check sum: %w", what, lost, err)
			}
			return fmt.Errorf("%s: %w", what, err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: stopped after %v of simulated time: %w", what, c.Engine.Now().Sub(began), err)
		}
		watch.report(Progress{Stage: what, Done: int64(c.Net.Stats().Delivered), Unit: "packets"})
	}
	return nil
}
