package main

import (
	"context"
	"errors"
	"io"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/validate"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/arrowio"
)

// lab is everything that the commands do beside parsing and printing. Tests
// bring their own.
type lab struct {
	known     func() experiment.Catalogue
	run       func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	baseline  func(context.Context, experiment.BaselineSpec, experiment.Watch) (*trace.Run, error)
	perturb   func(context.Context, experiment.PerturbSpec, experiment.Watch) (*experiment.Perturbation, error)
	clocktest func(context.Context, experiment.ClockTestSpec, experiment.Watch) (*experiment.ClockQuality, error)
	validate  func(context.Context, experiment.ValidateSpec, experiment.Watch) (*validate.Document, error)

	checkTarget func(dir string) error
	write       func(ctx context.Context, dir string, run trace.Run) error
	read        func(dir string) (trace.Run, error)

	// report prints a run in one of the formats.
	report func(w io.Writer, run *trace.Run, format string, s style) error
	// rebase sets a run's signature beside another baseline.
	rebase func(run, baseline *trace.Run) (*trace.Run, error)
	// diff prints what moved from the first run to the second and returns the
	// moves, for --fail-on.
	diff func(w io.Writer, a, b *trace.Run, format string, s style) ([]move, error)
}

func realLab() lab {
	return lab{
		known:       experiment.Known,
		run:         experiment.Run,
		baseline:    experiment.Baseline,
		perturb:     experiment.Perturb,
		clocktest:   experiment.ClockTest,
		validate:    experiment.Validate,
		checkTarget: arrowio.CheckTarget,
		write:       arrowio.WriteRun,
		read:        arrowio.ReadRun,
		report:      printRun,
		rebase:      rebase,
		diff:        printDiff,
	}
}

// errNoAnalysis stands where the analysis packages are still to be called.
var errNoAnalysis = errors.New("reports are not part of this build")

func printRun(io.Writer, *trace.Run, string, style) error { return errNoAnalysis }

func rebase(*trace.Run, *trace.Run) (*trace.Run, error) { return nil, errNoAnalysis }

func printDiff(io.Writer, *trace.Run, *trace.Run, string, style) ([]move, error) {
	return nil, errNoAnalysis
}
