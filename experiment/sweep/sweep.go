package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Spec asks for the runs of a plan.
type Spec struct {
	Plan *Plan
	Dir  string // of the sweep
	Part Part
	// Failed, if not nil, is called when a run fails or has a wrong result, with its name.
	Failed func(title string, err error)
}

// Run makes the runs of a part that have not finished, on all cores. A run that fails is noted
// in the directory and does not stop the others; it is tried again by the next call.
func Run(ctx context.Context, s Spec, watch experiment.Watch) (Status, error) {
	d := store(s.Dir)
	if err := Open(s.Plan, s.Dir); err != nil {
		return Status{}, err
	}
	var missing []item
	var jobs []experiment.Job
	all := s.Plan.part(s.Part)
	for _, r := range all {
		if d.finished(r.Cell, r.seed) {
			continue
		}
		job := experiment.Job{Spec: r.Spec, Label: fmt.Sprintf("%s, %s, %d nodes", r.Spec.Workload, r.Spec.Layer, r.Spec.Nodes)}
		job.Spec.Seed = r.seed
		missing, jobs = append(missing, r), append(jobs, job)
	}
	st := Status{Runs: len(all)}
	var lock sync.Mutex
	err := experiment.RunMany(ctx, jobs, watch, func(i int, run *trace.Run, err error) error {
		failed, err := d.ended(ctx, missing[i], run, err)
		lock.Lock()
		defer lock.Unlock()
		if failed != nil {
			st.Failed++
			if s.Failed != nil {
				s.Failed(missing[i].title(), failed)
			}
		}
		if err == nil {
			st.Made++
		}
		return err
	})
	st.Missing = len(jobs) - st.Made
	return st, err
}

// ended stores a run that has ended. It returns why the run failed or its result is wrong, and
// an error that stops the sweep.
func (d store) ended(ctx context.Context, r item, run *trace.Run, err error) (failed, stop error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return err, d.fail(r.Cell, r.seed, err)
	}
	dir := d.run(r.Cell, r.seed)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	// Every run has these tables; in a sweep they would take most of the room.
	run.Pairs, run.Histograms, run.Extra = nil, nil, nil
	if err := rundir.WriteRun(ctx, dir, *run); err != nil && !d.finished(r.Cell, r.seed) { // another process may have made it
		return nil, err
	}
	if err := os.Remove(dir + failedEnding); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if !run.Manifest.Verified {
		failed = fmt.Errorf("the program's result is wrong: %s", run.Manifest.Verification)
	}
	return failed, nil
}
