package main

import (
	"context"
	"errors"
	"io"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/ablate"
	"github.com/sigview/sigview/experiment/calibrate"
	"github.com/sigview/sigview/experiment/selftest"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/live/capture"
	"github.com/sigview/sigview/papers"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/export"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// lab has all that commands do apart from parsing and printing. Tests replace it.
type lab struct {
	known     func() experiment.Catalogue
	run       func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	live      func(context.Context, liveSpec, experiment.Watch) (*trace.Run, error)
	liveLogP  func(context.Context, liveLogP, experiment.Watch) (*bench.LogP, error)
	calibrate func(context.Context, calibrate.Spec, experiment.Watch) (*calibrate.Result, error)
	fitCard   func(context.Context, calibrate.CardSpec, experiment.Watch) (*calibrate.CardResult, error)
	many      func(context.Context, []experiment.Job, experiment.Watch, func(i int, run *trace.Run, err error) error) error
	baseline  func(context.Context, experiment.BaselineSpec, experiment.Watch) (*trace.Run, error)
	perturb   func(context.Context, experiment.PerturbSpec, experiment.Watch) (*bench.Perturb, error)
	clocktest func(context.Context, experiment.ClockTestSpec, experiment.Watch) (*experiment.ClockQuality, error)
	logp      func(context.Context, experiment.LogPSpec, experiment.Watch) ([]bench.LogP, error)
	bandwidth func(context.Context, experiment.BandwidthSpec, experiment.Watch) ([]bench.Bandwidth, error)
	tpil      func(context.Context, experiment.TPILSpec, experiment.Watch) (*bench.Injection, error)
	verbs     func(context.Context, experiment.VerbsSpec, experiment.Watch) ([]bench.Verbs, error)
	messages  func(context.Context, experiment.MessagesSpec, experiment.Watch) (*experiment.Messages, error)
	why       func(context.Context, ablate.Spec, experiment.Watch) (why.Explanation, error)
	cache     func() ablate.Cache // of runs of why
	selftest  func(context.Context, selftest.Spec, experiment.Watch) (*selftest.Result, error)
	besides   func(context.Context, experiment.BesideSpec, experiment.Watch) (*experiment.Besides, error)
	validate  func(context.Context, papers.ValidateSpec, experiment.Watch) (*judge.Document, error)

	plan    func(file string) (*sweep.Plan, error)
	sweep   func(context.Context, sweep.Spec, experiment.Watch) (sweep.Status, error)
	capture func(context.Context, capture.Spec) (*trace.Run, error)
	collect func(ctx context.Context, p *sweep.Plan, dir string) (trace.SweepManifest, error)

	readSweep func(dir string) (trace.SweepManifest, []trace.SweepRun, error)

	checkTarget func(dir string) error
	write       func(ctx context.Context, dir string, run trace.Run) error
	writeDir    func(ctx context.Context, dir string, parts []rundir.Part) error
	checkFiles  func(dir string) error
	// read reads a run, or the mean of a directory of runs.
	read func(dir string) (trace.Run, error)
	// summary reads it without the tables of its trace; trace reads those.
	summary func(dir string) (trace.Run, error)
	trace   tui.TraceReader
	// passages reads what is counted of all packets.
	passages func(dir string, take func([]activity.Passage) error) error
	export   func(context.Context, export.Spec) ([]rundir.Part, error)

	// printRun and printDiff write a report in one of the formats.
	printRun  func(w io.Writer, run *trace.Run, format string, s report.Style) error
	printDiff func(w io.Writer, d report.Diff, format string, s report.Style) error

	// show runs the views on the terminal until the user quits.
	show func(context.Context, *app, tui.Lab, tui.Options, *tui.State) error
}

func realLab() lab {
	return lab{
		known:       experiment.Known,
		run:         experiment.Run,
		live:        runLive,
		liveLogP:    runLiveLogP,
		calibrate:   calibrate.Run,
		fitCard:     calibrate.Card,
		many:        experiment.RunMany,
		baseline:    experiment.Baseline,
		perturb:     experiment.Perturb,
		clocktest:   experiment.ClockTest,
		logp:        experiment.LogP,
		bandwidth:   experiment.Bandwidth,
		tpil:        experiment.TPIL,
		verbs:       experiment.Verbs,
		messages:    experiment.RunMessages,
		why:         ablate.Explain,
		cache:       ablate.UserCache,
		selftest:    selftest.Run,
		besides:     experiment.RunBesides,
		validate:    papers.Validate,
		plan:        sweep.Load,
		sweep:       sweep.Run,
		collect:     sweep.Collect,
		capture:     capture.Import,
		readSweep:   rundir.ReadSweep,
		checkTarget: rundir.CheckTarget,
		write:       rundir.WriteRun,
		writeDir:    rundir.WriteDir,
		checkFiles:  rundir.CheckFiles,
		read:        orMean(rundir.ReadRun),
		summary:     orMean(rundir.ReadSummary),
		trace:       tui.TraceReader{Spans: scanOperations[trace.SpanRow], Steps: scanOperations[trace.StepRow], Index: rundir.ReadIndex, Windows: scanWindows, Section: scanSection, Waits: scanWaits},
		passages:    rundir.Scan[activity.Passage],
		export:      func(ctx context.Context, s export.Spec) ([]rundir.Part, error) { return s.Files(ctx) },
		printRun:    printRun,
		printDiff:   printDiff,
		show:        show,
	}
}

// scanOperations reads a table of operations, if a run has one. The mean of several runs has
// none.
func scanOperations[R trace.Row](dir string, take func([]R) error) error {
	if members, err := rundir.Members(dir); err != nil || len(members) > 0 {
		return err
	}
	if err := rundir.Scan(dir, take); !errors.Is(err, rundir.ErrNoTable) {
		return err
	}
	return nil
}

// scanSection reads a section of the packets of a run, if it has any.
func scanSection(dir string, in rundir.Section, take func([]trace.PacketRow) error) error {
	if err := rundir.ScanSection(dir, in, take); !errors.Is(err, rundir.ErrNoTable) {
		return err
	}
	return nil
}

// scanWindows reads what windows of time hold of the packets of a run: nothing of a short trace.
func scanWindows(dir string) (out []trace.WindowRow, err error) {
	err = rundir.Scan(dir, func(rows []trace.WindowRow) error { out = append(out, rows...); return nil })
	if errors.Is(err, rundir.ErrNoTable) {
		return nil, nil
	}
	return out, err
}
