package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/experiment/selftest"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
)

// selftestSchema is the version of selftest's JSON document.
const selftestSchema = 1

func (a *app) selftestCommand() *cobra.Command {
	spec := selftest.Default()
	var json bool
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Plant delays of known size, and count how often diff finds them",
		Long: `Runs five programs with many seeds as they are, with a delay planted in each of the
four stages of a packet, with slower computing, and with a change that matters to
nothing. Draws sets of runs, compares them as sigview diff does, and counts how
often the gate finds what was planted and how often it fails for nothing. Also
counts how often 95% intervals contain the mean of all runs.

The exit code is 3 when more than 1% of comparisons fail for nothing, or when less
than 95% of the delays of a sort are found.`,
		Example: `  sigview selftest
  sigview selftest --seeds 200 --pairs 200`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := compare.ParseConditions(spec.Gate); err != nil {
				return usage(err)
			}
			r, _, err := measure(cmd.Context(), a, spec, "", "", selftest.Run)
			if err != nil {
				return err
			}
			return a.printSelftest(r, json)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.Platform, "platform", spec.Platform, "hardware profile: a name or a .toml file")
	fs.Var(flags.Seeds(&spec.Seeds), "seeds", "run each program with so many seeds, from 1 on, or with these, with and without each plant")
	fs.IntVar(&spec.Pairs, "pairs", spec.Pairs, "comparisons of each program and plant")
	fs.IntVar(&spec.Runs, "runs", spec.Runs, "runs on each side of a comparison")
	fs.StringVar(&spec.Gate, "fail-on", spec.Gate, "conditions of the gate, as of sigview diff")
	jsonFlag(fs, &json)
	a.completePlaces(cmd)
	return cmd
}

// printSelftest prints the rates, and returns the error of those that are out of bounds.
func (a *app) printSelftest(r *selftest.Result, json bool) error {
	if err := a.print(json, selftestDocument(r), report.Tables{Title: selftestTitle(r), Views: r.Views(), Remarks: r.Summary()}); err != nil {
		return err
	}
	if f := r.Failures(); len(f) > 0 {
		return outOfBounds("%s", strings.Join(f, "; "))
	}
	return nil
}

func selftestTitle(r *selftest.Result) string {
	return fmt.Sprintf("Self-test of %s on %s: %d seeds from %d on, %d runs a side", r.Spec.Gate, r.Spec.Platform, r.Spec.Seeds.N, r.Spec.Seeds.First, r.Spec.Runs)
}

func selftestDocument(r *selftest.Result) any {
	views := r.Views()
	return struct {
		judge.Stamp
		Gate     string        `json:"gate"`
		Seeds    int           `json:"seeds"` // from the stamp's seed on
		Runs     int           `json:"runs"`
		Summary  []string      `json:"summary"`
		Failures []string      `json:"failures"`
		Rates    analysis.View `json:"rates"`
		Over     analysis.View `json:"coverage_over_runs"`
		Within   analysis.View `json:"coverage_within_runs"`
	}{platformStamp(selftestSchema, r.Spec.Seeds.First, r.Spec.Platform), r.Spec.Gate, r.Spec.Seeds.N, r.Spec.Runs, r.Summary(), append([]string{}, r.Failures()...), views[0], views[1], views[2]}
}
