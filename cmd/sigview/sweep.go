package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

type sweepFlags struct {
	out                        string
	part                       sweep.Part
	slurm, collect, list, json bool
}

func (a *app) sweepCommand() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep FILE.toml",
		Short: "Make many runs, and one table of them all",
		Long: `Runs every combination of the programs, platforms, layers, nodes, sizes, sets of
uncontended resources and seeds that a file lists, on all cores:

  programs  = ["alltoall", "random"]
  platforms = ["ppro"]            # default: shrimp
  layers    = ["all"]             # default: each platform's own
  nodes     = [2, 4, 8]           # default: the platform's own
  sizes     = ["4K", "16K"]       # default: the program's own; by program as
                                  # sizes = { fft = ["4K"], ocean = [130] }
  message_bytes = [64, 1024]      # of patterns
  uncontended   = ["", "pci,membus"]
  seeds     = "1..5"
  [run]                           # what all runs have in common, with the keys of
  gang = true                     # the specification in run.json
  pattern.count = 200

Combinations that cannot work are skipped, with the reason. A run that fails, or
whose program has a wrong result, does not stop the others; the exit code is then 1.

A sweep that is stopped goes on with the same command: finished runs are not
repeated, those that failed are. At the end the directory (-o, or sigview-runs/FILE) has the results as
Parquet files, sweep/platform=…/layer=…/ with a row per run and
signature/platform=…/layer=…/ with the signatures. sigview report shows them.

--slurm writes a script that makes the runs that are missing as a job array of
Slurm, and then the tables. When all runs have ended, it makes the tables itself.
--part makes a part of the runs, and --collect the tables, for other ways to use
several machines.`,
		Example: `  sigview sweep layers.toml
  sigview sweep layers.toml --list
  sigview sweep layers.toml --slurm -o layers    # then sh layers/slurm.sh --time=1:00:00
  sigview sweep layers.toml --part 0/4 -o shared`,
		Args: exactly("FILE.toml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.part.N > 0 && (f.slurm || f.collect) {
				return usagef("--part is given beside --slurm or --collect, want one of them")
			}
			return a.sweep(cmd.Context(), args[0], f)
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.out, "output", "o", "", "directory of the sweep, new or begun")
	fs.Var(flags.Own(&f.part, "i/n", "a part and the number of parts, as 0/4 to 3/4", parsePart, func(p sweep.Part) string { return fmt.Sprintf("%d/%d", p.I, p.N) }),
		"part", "make only this part of the runs, and no tables")
	fs.BoolVar(&f.slurm, "slurm", false, "write a script for Slurm or, when all runs have ended, the tables")
	fs.BoolVar(&f.collect, "collect", false, "run nothing, and make the tables if all runs have ended")
	fs.BoolVar(&f.list, "list", false, "list the combinations and those that are skipped, and run nothing")
	jsonFlag(fs, &f.json)
	return cmd
}

func parsePart(text string) (p sweep.Part, err error) {
	i, n, _ := strings.Cut(text, "/")
	p.I, err = strconv.Atoi(i)
	var err1 error
	if p.N, err1 = strconv.Atoi(n); p.I < 0 || p.I >= p.N {
		err1 = flags.Want("")
	}
	return p, errors.Join(err, err1)
}

func (a *app) sweep(ctx context.Context, file string, f sweepFlags) error {
	plan, err := sweep.Load(file)
	if err == nil {
		err = a.begin(plan)
	}
	if err != nil {
		return err
	}
	if f.list {
		return a.listSweep(plan)
	}
	if f.out == "" {
		f.out = filepath.Join(runsFolder, plan.Name)
	}
	for _, s := range plan.Skipped {
		a.say("skipped: %v", s)
	}
	switch {
	case f.collect:
	case f.slurm:
		if err := sweep.Open(plan, f.out); err != nil {
			return err
		}
		if st := sweep.Look(plan, f.out); st.Missing > 0 {
			return a.sweepScript(plan, file, f.out, st)
		}
	default:
		if err := a.sweepRuns(ctx, plan, f); err != nil || f.part.N > 0 {
			return err
		}
	}
	if _, err := sweep.Collect(ctx, plan, f.out); err != nil {
		return err
	}
	m, runs, err := rundir.ReadSweep(f.out)
	if err != nil {
		return err
	}
	format := formatText
	if f.json {
		format = formatJSON
	}
	err = a.data("", func(w io.Writer) error { return printSweep(w, report.SweepOf(m, runs), format, a.style()) })
	if err != nil {
		return err
	}
	a.say("sweep directory: %s", f.out)
	if n := len(m.Failed); n > 0 {
		return &verdictError{exitFailure, fmt.Sprintf("%d of %d runs failed; the first: %s: %s", n, m.Runs, m.Failed[0].Title, m.Failed[0].Error)}
	}
	return nil
}

// sweepRuns makes the runs that are missing.
func (a *app) sweepRuns(ctx context.Context, plan *sweep.Plan, f sweepFlags) error {
	watch, done := a.watch()
	notes := noteProgress(f.out)
	defer notes.end()
	var lock sync.Mutex // runs fail on several goroutines
	shown := func(p experiment.Progress) {
		lock.Lock()
		defer lock.Unlock()
		watch.Report(p)
		notes.note(p)
	}
	st, err := sweep.Run(ctx, sweep.Spec{Plan: plan, Dir: f.out, Part: f.part, Failed: func(title string, err error) {
		lock.Lock()
		defer lock.Unlock()
		done()
		first, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintln(a.stderr, cell.Visible(fmt.Sprintf("failed: %s: %s", title, first)))
	}}, shown)
	done()
	if err != nil && st.Missing > 0 {
		return fmt.Errorf("%w (%d of %d runs of %s have ended; the same command makes the others)", err, st.Runs-st.Missing, st.Runs, f.out)
	}
	if err == nil && f.part.N > 0 {
		a.say("part %d/%d of the sweep: %d runs have ended, %d of them now", f.part.I, f.part.N, st.Runs, st.Made)
	}
	if err == nil && st.Failed > 0 && f.part.N > 0 {
		return &verdictError{exitFailure, fmt.Sprintf("%d of %d runs failed", st.Failed, st.Runs)}
	}
	return err
}

// sweepScript writes the script of a job array.
func (a *app) sweepScript(plan *sweep.Plan, file, dir string, st sweep.Status) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	logs := filepath.Join(dir, "logs")
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return fmt.Errorf("-o %s: %w", dir, err)
	}
	s := sweep.Script{Name: plan.Name, Program: program, Folder: here, File: file, Dir: dir, Log: logs}
	s.Tasks, s.Open = plan.Tasks(dir)
	script := filepath.Join(dir, "slurm.sh")
	if err := a.data(script, func(w io.Writer) error { return text(w, s.String()) }); err != nil {
		return err
	}
	a.say("%d runs are missing: sh %s submits them as %d tasks", st.Missing, script, len(s.Open))
	return nil
}

// listSweep prints the combinations of a file, and why others are skipped.
func (a *app) listSweep(plan *sweep.Plan) error {
	list := report.Tables{
		Title: fmt.Sprintf("%d combinations with seeds %s: %d runs", len(plan.Cells), trace.SeedsText(plan.Seeds), len(plan.Cells)*len(plan.Seeds)),
		Views: []analysis.View{analysis.Tabulate(plan.Cells, analysis.Text("<combination", sweep.Cell.Title))},
	}
	for _, s := range plan.Skipped {
		list.Remarks = append(list.Remarks, fmt.Sprintf("skipped: %v", s))
	}
	return a.print(false, nil, list)
}
