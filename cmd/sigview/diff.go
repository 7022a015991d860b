package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
)

// difference is one run held against another.
type difference struct {
	nameA, nameB string // as they were given
	analysis.Comparison
	verdict    analysis.Verdict     // of all conditions; pass without any
	judgements []analysis.Judgement // one per condition of --fail-on
}

func (a *app) diffCommand() *cobra.Command {
	format := newFormat()
	var fail conditions
	var out string
	cmd := &cobra.Command{
		Use:   "diff DIR_A DIR_B",
		Short: "Show what moved between two runs, stage by stage",
		Long: `Compares two run directories latency by latency, at the same packet sizes, with
effect size and confidence interval, and says which stage moved.

--fail-on takes conditions STAGE[@CLASS]>LIMIT on the change from DIR_A to
DIR_B, with LIMIT in % or us, "<-LIMIT" for a fall, and "any" for every stage.
The command ends with exit code 3 when a whole confidence interval lies beyond
the limit, and with 4 when the runs cannot decide.`,
		Example: `  sigview diff before after
  sigview diff before after --fail-on 'any>10%'
  sigview diff before after --fail-on 'source@under_128>2us,net>20%'`,
		Args: exactly("DIR_A", "DIR_B"),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := a.compare(args[0], args[1], fail.list)
			if err != nil {
				return err
			}
			err = a.data(out, func(w io.Writer) error { return a.lab.printDiff(w, d, format.value, a.styleFor(out)) })
			if err != nil {
				return err
			}
			return d.outcome()
		},
	}
	fs := cmd.Flags()
	fs.Var(&format, "format", "text, md, html or json")
	fs.Var(&fail, "fail-on", "conditions STAGE[@CLASS]>LIMIT, separated by commas")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	completeWords(cmd, "format", format.known)
	return cmd
}

func (a *app) compare(dirA, dirB string, fail []analysis.FailOn) (difference, error) {
	d := difference{nameA: dirA, nameB: dirB}
	before, err := a.lab.read(dirA)
	if err != nil {
		return d, err
	}
	after, err := a.lab.read(dirB)
	if err != nil {
		return d, err
	}
	if d.Comparison, err = analysis.Compare(analysis.Of(before), analysis.Of(after)); err != nil {
		return d, err
	}
	d.verdict, d.judgements = d.Check(fail)
	return d, nil
}

// outcome is the end of the command: nothing to say, a regression, or doubt.
func (d difference) outcome() error {
	var why []string
	for _, j := range d.judgements {
		if j.Verdict == d.verdict {
			why = append(why, j.Condition+": "+strings.Join(j.Why, ", "))
		}
	}
	switch d.verdict {
	case analysis.Fail:
		return outOfBounds("%s", strings.Join(why, "; "))
	case analysis.Inconclusive:
		return inconclusive("%s", strings.Join(why, "; "))
	case analysis.Pass:
		return nil
	}
	return errors.New("no verdict: " + string(d.verdict))
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
