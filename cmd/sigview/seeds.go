package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// runSeeds runs a specification with each seed, on all cores, into a directory of runs,
// and prints their means. Runs of the set that are there already are kept: a command that
// was interrupted goes on where it ended.
func (a *app) runSeeds(ctx context.Context, spec experiment.RunSpec, seeds experiment.Seeds, dir string, json bool) error {
	if err := a.ready(spec); err != nil {
		return err
	}
	t, missing, err := a.setTarget(spec, seeds, dir)
	if err != nil {
		return err
	}
	if err := a.fill(ctx, t.dir, spec, missing, seeds.N); err != nil {
		_ = os.Remove(t.dir) // only if it is empty
		t.abandon()
		return err
	}
	return a.showSet(t.dir, seeds.N, json)
}

// showSet prints the means of a directory of runs, and keeps them there.
func (a *app) showSet(dir string, runs int, json bool) error {
	run, err := explain.ReadRun(dir)
	if err != nil {
		return err
	}
	err = a.data(filepath.Join(dir, rundir.SummaryFile), sealed(func(w io.Writer) error {
		return printRun(w, &run, formatJSON, report.Style{})
	}))
	if err != nil {
		return err
	}
	format := formatText
	if json {
		format = formatJSON
	}
	if err := a.data("", func(w io.Writer) error { return printRun(w, &run, format, a.style()) }); err != nil {
		return err
	}
	a.say("directory of %d runs: %s", runs, dir)
	if !run.Manifest.Verified {
		return &verdictError{exitFailure, "the program's result is wrong: " + run.Manifest.Verification}
	}
	return nil
}

// setTarget returns the directory for a set of runs, which it makes, and the seeds that
// have no run there. It returns an error if the directory holds something else.
func (a *app) setTarget(spec experiment.RunSpec, seeds experiment.Seeds, dir string) (t target, missing []uint64, err error) {
	var have []string
	if dir != "" {
		if have, err = rundir.Members(dir); err != nil {
			return t, nil, err
		}
	}
	done := map[uint64]bool{}
	for _, d := range have {
		m, err := explain.ReadSummary(d)
		if err != nil {
			return t, nil, err
		}
		if err := spec.SameAs(m.Manifest); err != nil {
			return t, nil, usagef("-o %s: %s: %v", dir, filepath.Base(d), err)
		}
		done[m.Manifest.Seed] = true
	}
	t.dir = dir
	if len(have) == 0 {
		if t, err = a.newTarget(dir, spec.Workload); err != nil {
			return t, nil, err
		}
	}
	for _, seed := range seeds.All() {
		if !done[seed] {
			missing = append(missing, seed)
		}
	}
	return t, missing, os.MkdirAll(t.dir, 0o755)
}

// fill runs the missing seeds of a set.
func (a *app) fill(ctx context.Context, dir string, spec experiment.RunSpec, missing []uint64, all int) error {
	watch, end := a.watchInto(dir)
	defer end()
	var jobs []experiment.Job
	for _, seed := range missing {
		one := spec
		one.Seed = seed
		jobs = append(jobs, experiment.Job{Spec: one, Label: fmt.Sprintf("%s, seed %d", spec.Workload, seed)})
	}
	err := experiment.RunMany(ctx, jobs, watch, func(i int, run *trace.Run, err error) error {
		if err != nil {
			return err
		}
		return rundir.WriteRun(ctx, rundir.SeedDir(dir, jobs[i].Spec.Seed), *run)
	})
	if err == nil {
		return nil
	}
	if have, _ := rundir.Members(dir); len(have) > 0 {
		return fmt.Errorf("%w (%s holds %d finished runs of %d; the same command runs the others)", err, dir, len(have), all)
	}
	return err
}
