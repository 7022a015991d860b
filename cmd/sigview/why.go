package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/ablate"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// whyFlags are the flags of why that do not describe the run.
type whyFlags struct {
	spec    ablate.Spec
	dir     string // whose run it is, if it is one of a directory
	format  names.Word[formats]
	json    bool
	noCache bool
	out     string
}

// whyOwn are the names of these flags.
var whyOwn = []string{"seeds", "shares", "node", "port", "program", "no-cache", "format", "json", "output", "quiet", "color", "help"}

func (a *app) whyCommand() *cobra.Command {
	f := whyFlags{spec: ablate.Spec{Run: experiment.DefaultRun("")}, format: formatText}
	cmd := &cobra.Command{
		Use:   "why PROGRAM|DIR",
		Short: "Show what a program waits for: run it with each resource free",
		Long: `Runs a program as it is, with each resource free, with all others free, with
each twice as fast, and with everything free; of several programs at once also
without each other. Splits by resource what each stage takes beyond the unloaded
baseline, and the run time, with intervals over seeds.

What is saved when a resource alone becomes free, and what it still costs when
all others are free, differ where resources interact. Both are given; they do not
sum to the whole. --shares adds runs for shares that do (Shapley values).

--node, --port and --program test one place: the resources of a node, a port of a
switch, or one program of several, which is left out or computes twice as fast.

PROGRAM takes the flags of sigview run. DIR is a run directory, whose
specification is repeated, with its seed and the next ones; what its table of
waiting, if it has one, attributes to each resource is shown beside. Runs take all cores. Their
outcomes are kept in the user's cache directory, so that the same question is
answered at once.`,
		Example: `  sigview why fft
  sigview why sigview-runs/fft-001 --seeds 3
  sigview why fft+radix --gang --seeds 10..14
  sigview why fft+radix --program radix
  sigview why hotspot --port 'switch>node0'
  sigview why gauss --broadcast tree --shares --format html -o why.html`,
		Args:              exactly("PROGRAM or DIR"),
		ValidArgsFunction: a.complete(workloads),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.whatToExplain(&f, cmd.Flags(), args[0]); err != nil {
				return err
			}
			return a.why(cmd.Context(), f)
		},
	}
	a.runFlags(cmd, &f.spec.Run)
	fs := cmd.Flags()
	mustHide(fs, "seed")
	fs.Var(flags.Seeds(&f.spec.Seeds), "seeds", "run with so many seeds, from 1 on, or with these (default: 5, from 1 or the directory's own on)")
	fs.BoolVar(&f.spec.Shares, "shares", false, "also shares that sum to the whole, for the resources that take most")
	fs.IntSliceVar(&f.spec.At, "node", nil, "free resources at these nodes only, as one that a trace names")
	fs.StringVar(&f.spec.Port, "port", "", "free this port of a switch only, by its name in the run's tables, as switch>node0")
	fs.StringVar(&f.spec.Program, "program", "", "leave this program out, or let it compute twice as fast, and free nothing")
	fs.BoolVar(&f.noCache, "no-cache", false, "run everything again, and keep nothing")
	word(cmd, &f.format, "format", "output format")
	runOutputFlags(fs, &f.out, &f.json)
	fs.Lookup("output").Usage = "file to write to"
	return cmd
}

// mustHide hides a flag that another one stands for.
func mustHide(fs *pflag.FlagSet, name string) {
	if err := fs.MarkHidden(name); err != nil {
		panic("sigview: " + err.Error())
	}
}

// whatToExplain completes the specification for a program or a run directory.
func (a *app) whatToExplain(f *whyFlags, fs *pflag.FlagSet, asked string) error {
	s := &f.spec
	first := uint64(experiment.DefaultSeed)
	s.Run.Workload = asked
	if fs.Changed("seed") {
		return usagef("--seed is given, want --seeds: one run has no interval")
	}
	if a.isRunDirectory(asked) {
		var given string
		fs.Visit(func(flag *pflag.Flag) {
			if !slices.Contains(whyOwn, flag.Name) {
				given = flag.Name
			}
		})
		if given != "" {
			return usagef("--%s is given for a run directory, which has its own specification", given)
		}
		run, err := explain.ReadSummary(asked)
		if err != nil {
			return err
		}
		if s.Run, err = ranAs(asked, run.Manifest); err != nil {
			return err
		}
		f.dir = asked
		s.Digest, s.DigestSeed, first = run.Manifest.EventDigest, s.Run.Seed, s.Run.Seed
		if n := len(run.Manifest.Seeds); n > 1 && s.Seeds.N == 0 {
			s.Seeds = experiment.Seeds{First: run.Manifest.Seeds[0], N: n}
		}
	}
	if s.Seeds.N == 0 {
		s.Seeds = experiment.Seeds{First: first, N: ablate.DefaultSeeds}
	}
	if !f.noCache {
		s.Cache = ablate.UserCache()
	}
	return nil
}

// ranAs returns the specification of a directory's run.
func ranAs(dir string, m trace.Manifest) (spec experiment.RunSpec, err error) {
	if m.Real() {
		return spec, usagef("%s is of real hosts, want a run of the model: its resources can be freed", dir)
	}
	if err := json.Unmarshal(m.Spec, &spec); err != nil {
		return spec, fmt.Errorf("%s: specification: %w", filepath.Join(dir, trace.ManifestFile), err)
	}
	return spec, nil
}

// isRunDirectory reports whether an argument is a directory and not a program.
func (a *app) isRunDirectory(asked string) bool {
	known := experiment.Names(experiment.Known().Workloads)
	if !slices.ContainsFunc(strings.Split(asked, "+"), func(name string) bool { return !slices.Contains(known, name) }) {
		return false
	}
	info, err := os.Stat(asked)
	return err == nil && info.IsDir() || strings.ContainsRune(asked, filepath.Separator)
}

// Why answers why the run of a directory waits, for the views.
func (a shell) Why(ctx context.Context, dir string, watch experiment.Watch) (*why.Explanation, error) {
	spec, err := a.specOf(dir)
	if err != nil {
		return nil, err
	}
	x, err := ablate.Explain(ctx, spec, watch)
	if err != nil {
		return nil, err
	}
	x.Traced, err = explain.Attributed(dir, x.Parts)
	return &x, err
}

// Tested returns the answer of an earlier test, if all its runs are kept.
func (a shell) Tested(dir string) (*why.Explanation, bool) {
	spec, err := a.specOf(dir)
	if err != nil {
		return nil, false
	}
	spec.KeptOnly = true
	x, err := ablate.Explain(context.Background(), spec, nil)
	return &x, err == nil
}

// specOf asks why the run of a directory waits.
func (a *app) specOf(dir string) (ablate.Spec, error) {
	if !filepath.IsAbs(dir) {
		dir = "." + string(filepath.Separator) + dir // never a program
	}
	var f whyFlags
	err := a.whatToExplain(&f, pflag.NewFlagSet("", pflag.ContinueOnError), dir)
	return f.spec, err
}

func (a *app) why(ctx context.Context, f whyFlags) error {
	format := string(f.format)
	if f.json {
		format = formatJSON
	}
	if err := checkFile(f.out); err != nil {
		return err
	}
	x, _, err := measure(ctx, a, f.spec, "", "", ablate.Explain)
	if err != nil {
		return err
	}
	if f.dir != "" {
		if x.Traced, err = explain.Attributed(f.dir, x.Parts); err != nil {
			return err
		}
	}
	err = a.data(f.out, func(w io.Writer) error { return printWhy(w, x, format, a.styleFor(f.out)) })
	if err == nil {
		a.say("%d runs", len(x.Outcomes)*len(x.Seeds))
	}
	return err
}
