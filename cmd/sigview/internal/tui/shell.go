package tui

import (
	"context"
	"encoding/json"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cmd/sigview/internal/folder"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Shell is what the command line does for the views.
type Shell interface {
	// Commands are those that can be run from here.
	Commands() []string
	// Blank returns the form of a command; what made an earlier run fills it in, unless it is nil.
	Blank(command string, made json.RawMessage) (Blank, error)
	// Prepare checks a command line.
	Prepare(line []string) (Task, error)
	Run(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	// Keep stores a run that was started from the views and returns its directory.
	Keep(context.Context, *trace.Run) (dir string, err error)
	// Shelf lists directories that can be opened, newest first.
	Shelf() ([]folder.Entry, error)
	// Why runs the program of a directory with each resource free.
	Why(ctx context.Context, dir string, watch experiment.Watch) (*why.Explanation, error)
	// Tested returns the answer of an earlier Why without running anything, if it is kept.
	Tested(dir string) (*why.Explanation, bool)
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
