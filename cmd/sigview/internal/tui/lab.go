package tui

import (
	"context"
	"errors"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Lab does everything that takes time or touches files.
type Lab struct {
	Known func() experiment.Catalogue
	Run   func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	// Read reads a run without its trace.
	Read func(dir string) (trace.Run, error)
	// Side reads the single runs of a directory. It may be nil.
	Side func(dir string) (compare.Side, error)
	// Measured reads a measurement of layers, or returns bench.ErrNotMeasured. It may be
	// nil.
	Measured func(dir string) (*Measured, error)
	// Trace reads traces, or nothing.
	Trace *TraceReader
	// Explain tells who waited for whom in a traced run, which takes seconds. It may be nil.
	Explain func(dir string) (*Explained, error)
	// Keep stores a run that was started from the views and returns its directory.
	Keep func(context.Context, *trace.Run) (dir string, err error)
}

// load reads a measurement or a run.
func (lab Lab) load(dir string, base *analysis.Baseline) (*Data, *Measured, error) {
	if lab.Measured != nil {
		if m, err := lab.Measured(dir); !errors.Is(err, bench.ErrNotMeasured) {
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
