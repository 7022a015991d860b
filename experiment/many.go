package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
)

// Job is one of many runs.
type Job struct {
	Spec   RunSpec
	Change platform.Overlay // of the run's platform
	Label  string           // names the run in progress and errors
}

// RunMany runs jobs on all cores. Jobs begin in their order. It calls ended with the index
// of each run that has ended and its records or error, on the goroutine of the run, so that
// several calls can be under way. If ended returns an error, no further run begins.
// RunMany then returns the error of the first such job in their order, with its label.
// That is the same on every machine.
func RunMany(ctx context.Context, jobs []Job, watch Watch, ended func(i int, run *trace.Run, err error) error) error {
	count := watch.Counting(len(jobs), "runs")
	return parallel.Each(ctx, len(jobs), func(i int) error {
		j := jobs[i]
		run, err := RunChanged(ctx, j.Spec, j.Change, nil)
		if err := ended(i, run, err); err != nil {
			return fmt.Errorf("%s: %w", j.Label, err)
		}
		count(j.Label)
		return nil
	})
}

// SameAs returns an error unless a run was made by this version with the specification, whatever
// its seed.
func (s RunSpec) SameAs(m trace.Manifest) error {
	var made RunSpec
	if err := json.Unmarshal(m.Spec, &made); err != nil {
		return fmt.Errorf("specification: %w", err)
	}
	made.Seed = s.Seed
	have, err := json.Marshal(made)
	want, err1 := json.Marshal(s)
	switch {
	case err != nil || err1 != nil:
		return errors.Join(err, err1)
	case m.ToolVersion != version.Tool():
		return fmt.Errorf("a run by sigview %s, want one by %s or a new directory", m.ToolVersion, version.Tool())
	case string(have) != string(want):
		return errors.New("a run with another specification, want the same or a new directory")
	}
	return nil
}
