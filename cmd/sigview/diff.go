package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report"
)

func (a *app) diffCommand() *cobra.Command {
	format := names.Word[formats](formatText)
	var fail conditions
	var out string
	cmd := &cobra.Command{
		Use:   "diff DIR_A DIR_B",
		Short: "Show what moved between two runs, stage by stage",
		Long: `Compares two run directories latency by latency, at the same packet sizes, with
effect size and confidence interval, and says which stage moved.

--fail-on takes conditions STAGE[@CLASS]>LIMIT on the change from DIR_A to
DIR_B. LIMIT is in % or us, "<-LIMIT" means a fall, and "any" means every stage.
The exit code is 3 when a whole confidence interval lies beyond the limit, and 4
when the runs cannot decide.`,
		Example: `  sigview diff before after
  sigview diff before after --fail-on 'any>10%'
  sigview diff before after --fail-on 'source@under_128>2us,net>20%'`,
		Args: exactly("DIR_A", "DIR_B"),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := a.compare(args[0], args[1], fail.list)
			if err != nil {
				return err
			}
			err = a.data(out, func(w io.Writer) error { return a.lab.printDiff(w, d, string(format), a.styleFor(out)) })
			if err != nil {
				return err
			}
			return outcome(d)
		},
	}
	fs := cmd.Flags()
	word(cmd, &format, "format", "output format")
	fs.Var(&fail, "fail-on", "conditions STAGE[@CLASS]>LIMIT, separated by commas")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	return cmd
}

func (a *app) compare(dirA, dirB string, fail []analysis.FailOn) (report.Diff, error) {
	before, err := a.lab.read(dirA)
	if err != nil {
		return report.Diff{}, err
	}
	after, err := a.lab.read(dirB)
	if err != nil {
		return report.Diff{}, err
	}
	c, err := analysis.Compare(analysis.Of(before), analysis.Of(after))
	if err != nil {
		return report.Diff{}, err
	}
	d := report.Diff{A: before.Manifest, B: after.Manifest, Comparison: c}
	d.Verdict, d.Judgements = c.Check(fail)
	return d, nil
}

// outcome returns nil, or the error of a regression or of an undecided
// comparison. The report has the reasons.
func outcome(d report.Diff) error {
	var which []string
	for _, j := range d.Judgements {
		if j.Verdict == d.Verdict {
			which = append(which, j.Condition)
		}
	}
	switch d.Verdict {
	case analysis.Pass:
		return nil
	case analysis.Fail:
		return outOfBounds("failed on %s", strings.Join(which, ", "))
	case analysis.Inconclusive:
		return inconclusive("the runs cannot decide %s", strings.Join(which, ", "))
	}
	return errors.New("no verdict: " + string(d.Verdict))
}

// conditions is the --fail-on flag.
type conditions struct {
	text string
	list []analysis.FailOn
}

func (c *conditions) String() string { return c.text }
func (c *conditions) Type() string   { return "conditions" }

func (c *conditions) Set(s string) error {
	list, err := analysis.ParseFailOn(s)
	if err != nil {
		_, want, _ := strings.Cut(err.Error(), "wanted ")
		return wantError(want)
	}
	c.text, c.list = s, list
	return nil
}
