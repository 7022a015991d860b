package tui

import (
	"context"
	"errors"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Lab is everything that takes time or touches files.
type Lab struct {
	Known func() experiment.Catalogue
	Run   func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	// Read reads a run without its trace: what every run has.
	Read func(dir string) (trace.Run, error)
	// Measured reads what measuring layers left, or says ErrNotMeasured; it may
	// be nil.
	Measured func(dir string) (*Measured, error)
	// Trace hands the trace of a run over piece by piece.
	Trace func(dir string, take TraceTaker) error
	// Keep writes a run that was made here and says where.
	Keep func(context.Context, *trace.Run) (dir string, err error)
}

// load reads a run or, where there is none, a measurement.
func (lab Lab) load(dir string, base *analysis.Baseline) (*Data, *Measured, error) {
	if lab.Measured != nil {
		if m, err := lab.Measured(dir); !errors.Is(err, ErrNotMeasured) {
			return nil, m, err
		}
	}
	run, err := lab.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	return NewData(dir, run, base), nil, nil
}

// baseline reads a run as a baseline.
func (lab Lab) baseline(dir string) (*analysis.Baseline, error) {
	run, err := lab.Read(dir)
	if err != nil {
		return nil, err
	}
	b, err := analysis.BaselineOf(run)
	if err != nil {
		return nil, err
	}
	return &b, nil
}
