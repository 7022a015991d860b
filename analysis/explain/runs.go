package explain

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// ReadRun reads a run directory, or the mean of a directory of runs.
func ReadRun(dir string) (trace.Run, error) { return read(dir, rundir.ReadRun) }

// ReadSummary is ReadRun without the tables of traces.
func ReadSummary(dir string) (trace.Run, error) { return read(dir, rundir.ReadSummary) }

func read(dir string, one func(dir string) (trace.Run, error)) (trace.Run, error) {
	members, err := rundir.Members(dir)
	if err != nil {
		return trace.Run{}, err
	}
	var out trace.Run
	if len(members) == 0 {
		out, err = one(dir)
	} else {
		out, err = mean(dir, members, one)
	}
	out.Dir = dir
	return out, err
}

func mean(dir string, members []string, one func(dir string) (trace.Run, error)) (trace.Run, error) {
	var runs []trace.Run
	for _, d := range members {
		run, err := one(d)
		if err != nil {
			return trace.Run{}, err
		}
		runs = append(runs, run)
	}
	out, err := analysis.Mean(runs)
	if err != nil {
		return trace.Run{}, fmt.Errorf("directory of runs %s: %w", dir, err)
	}
	return out, nil
}
