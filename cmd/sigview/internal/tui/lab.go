package tui

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/why"
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
	// Explain tells the causes in a traced run that was read by Read, which takes seconds: by who
	// waited for whom, if that is not nil. It may be nil.
	Explain func(dir string, run trace.Run, known *account.Account) (*Explained, error)
	// Commands are those that can be run from here. Blank returns the form of one; what made
	// an earlier run fills it in, unless it is nil.
	Commands []string
	Blank    func(command string, made json.RawMessage) (Blank, error)
	// Prepare checks a command line.
	Prepare func(line []string) (Task, error)
	// Shelf lists directories that can be opened, newest first.
	Shelf func() ([]Shelved, error)
	// Why runs the program of a directory with each resource free. It may be nil.
	Why func(ctx context.Context, dir string, watch experiment.Watch) (*why.Explanation, error)
	// Tested returns the answer of an earlier Why without running anything, if it is
	// kept. It may be nil.
	Tested func(dir string) (*why.Explanation, bool)
	// Keep stores a run that was started from the views and returns its directory.
	Keep func(context.Context, *trace.Run) (dir string, err error)
}

// Blank is the form of a command: its argument, if it has one, and its flags.
type Blank struct {
	Command string
	Fields  []Field
}

// Field is an argument or a flag.
type Field struct {
	Name, Group, Help string
	Default, Value    string // Value is what the form begins with
	Argument          bool   // not a flag
	Switch            bool   // takes true or false
	List              bool   // takes words separated by commas
	// Words lists what can complete the text, given the command's arguments. It may be nil.
	Words func(args []string, typed string) []string
}

// Task is a command line that can be run.
type Task struct {
	Spec *experiment.RunSpec // of a single run, which is shown as it goes; else nil
	// Do does anything else. It returns the directory to look at, or says what came of it.
	Do func(context.Context, experiment.Watch) (dir, said string, err error)
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
