package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// runsFolder holds the runs for which no directory is given.
const runsFolder = "sigview-runs"

// keepRun runs a specification, writes the run's directory (dir, or the next one of the
// name), and prints the run. It first checks the specification and the directory.
func keepRun[S specification](ctx context.Context, a *app, spec S, dir, name string, json bool, make func(context.Context, S, experiment.Watch) (*trace.Run, error)) (*trace.Run, error) {
	run, t, err := measure(ctx, a, spec, dir, name, make)
	if err != nil {
		return nil, err
	}
	return run, a.keep(ctx, t, run, json)
}

// errReady ends a command that is only checked.
var errReady = errors.New("ready")

// ready checks a specification. If nothing else is to be done it returns errReady.
func (a *app) ready(spec specification) error {
	if err := spec.Validate(experiment.Known()); err != nil {
		return err
	}
	return a.begin(spec)
}

// begin returns errReady if commands are only checked, and notes what this one would do.
func (a *app) begin(what any) error {
	if !a.checkOnly {
		return nil
	}
	a.checked = what
	return errReady
}

// keep writes the directory of a run and prints the run.
func (a *app) keep(ctx context.Context, t target, run *trace.Run, json bool) error {
	if err := a.writeRun(ctx, t, run); err != nil {
		return err
	}
	run.Dir = t.dir
	format := formatText
	if json {
		format = formatJSON
	}
	if err := a.data("", func(w io.Writer) error { return printRun(w, run, format, a.style()) }); err != nil {
		return err
	}
	a.say("run directory: %s", t.dir)
	return nil
}

// Keep writes a run that a view has started into the next free directory.
func (a shell) Keep(ctx context.Context, run *trace.Run) (string, error) {
	t, err := a.newTarget("", strings.ReplaceAll(run.Manifest.Workload, "+", "-"))
	if err != nil {
		return "", err
	}
	return t.dir, a.writeRun(ctx, t, run)
}

func (a *app) writeRun(ctx context.Context, t target, run *trace.Run) error {
	err := rundir.WriteRun(ctx, t.dir, *run)
	if err != nil {
		t.abandon()
	}
	return err
}

// target is the directory that a command is to write.
type target struct {
	dir  string // "": none
	made string // parent folder that was made for it, or ""
}

// newTarget returns the directory for results: the given one, else the next free
// sigview-runs/NAME-NNN, or none without a name. It checks that the directory can be
// written.
func (a *app) newTarget(asked, name string) (target, error) {
	if asked != "" {
		if err := rundir.CheckTarget(asked); err != nil {
			return target{}, usage(err)
		}
		return target{dir: asked}, nil
	}
	t := target{}
	if name == "" {
		return t, nil
	}
	switch err := os.Mkdir(runsFolder, 0o755); {
	case err == nil:
		t.made = runsFolder
	case !errors.Is(err, fs.ErrExist):
		return t, fmt.Errorf("folder of runs: %w", err)
	}
	for n := 1; ; n++ {
		t.dir = filepath.Join(runsFolder, fmt.Sprintf("%s-%03d", name, n))
		if _, err := os.Lstat(t.dir); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return t, err
		}
	}
	if err := rundir.CheckTarget(t.dir); err != nil {
		t.abandon()
		return t, err
	}
	return t, nil
}

// abandon removes the folder that was made for the run, if it is empty.
func (t target) abandon() {
	if t.made != "" {
		_ = os.Remove(t.made) // others may have written there meanwhile
	}
}

// unwritten adds to an error that no directory was written.
func (t target) unwritten(err error) error {
	t.abandon()
	if t.dir == "" {
		return err
	}
	return fmt.Errorf("%w (nothing was written to %s)", err, t.dir)
}
