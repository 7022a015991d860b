package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report"
)

// Formats of a comparison beside those of every report.
const (
	formatJUnit  = "junit"
	formatGitHub = "github"
)

type diffFormats struct{}

func (diffFormats) Words() names.Words {
	return names.NewWords("format", formatText, formatMarkdown, formatHTML, formatPage, formatJSON, formatJUnit, formatGitHub)
}

// diffFlags are the flags of diff.
type diffFlags struct {
	format     names.Word[diffFormats]
	fail       conditions
	minPackets int64
	unlike     bool
	references string // folder
	out        string
}

func newDiffFlags() diffFlags {
	return diffFlags{format: formatText, minPackets: compare.LeastPackets}
}

func (a *app) diffCommand() *cobra.Command {
	f := newDiffFlags()
	cmd := &cobra.Command{
		Use:   "diff A B|@NAME",
		Short: "Show what changed between runs, and fail if it is too much",
		Long: `Compares run directories, directories of several runs (sigview run --seeds) and
directories of logp, bandwidth, perturb, tpil and verbs, or references (@NAME, always
the side A; see sigview reference): latencies by stage and packet size, run
time and its parts, packets lost and repeated, LogP parameters and bandwidth.

What one run shows another may not: a difference counts if it is more than runs
with other seeds differ. So give several runs a side; five are the rule, two the
least. With the same seeds on both sides, pairs of runs are compared too. What runs
cannot tell is said, with the number of runs that would.

--fail-on takes conditions [PROGRAM:][CLASS/]QUANTITY>LIMIT on the change from A to
B, separated by commas. QUANTITY is a stage (source, lanai, net, dest), any of them,
runtime, a part of it (computing, pages, locks, barriers, messages, service and
others, in % of the run time), lost, repeated, o_s, o_r, L, g or bandwidth. LIMIT is
in % or a unit, and "<-LIMIT" means a fall. "default" is ` + compare.DefaultGate + `.
The exit code is 3 when a whole confidence interval lies beyond a limit, and 4 when
the runs cannot tell. Equal runs are the same and pass.`,
		Example: `  sigview run fft --seeds 5 -o before
  sigview diff before after --fail-on default
  sigview diff before after --fail-on 'under_128/source>2us,net>20%,lost>0'
  sigview diff before after --fail-on 'bandwidth<-5%' --format junit -o diff.xml`,
		Args: exactly("A", "B"),
		RunE: func(_ *cobra.Command, args []string) error { return a.diff(args[0], args[1], f) },
	}
	fs := cmd.Flags()
	word(cmd, &f.format, "format", "output format")
	fs.Var(&f.fail, "fail-on", `conditions [PROGRAM:][CLASS/]QUANTITY>LIMIT, separated by commas, or "default"`)
	fs.Int64Var(&f.minPackets, "min-packets", f.minPackets, "packets of a run below which a mean latency decides nothing")
	fs.BoolVar(&f.unlike, "unlike", false, "compare also what does other work: other programs, sizes or numbers of nodes")
	referencesFlag(fs, &f.references)
	fs.StringVarP(&f.out, "output", "o", "", "file to write to")
	return cmd
}

func (a *app) diff(from, to string, f diffFlags) error {
	d, err := f.compared(from, to)
	if err != nil {
		return err
	}
	if err := a.data(f.out, func(w io.Writer) error { return printDiff(w, d, string(f.format), a.styleFor(f.out)) }); err != nil {
		return err
	}
	return outcome(d)
}

// compared compares two sides, and says of what the difference of their run times is made.
func (f diffFlags) compared(from, to string) (d report.Diff, err error) {
	if strings.HasPrefix(to, referenceMark) && !strings.HasPrefix(from, referenceMark) {
		from, to = to, from // changes are from the reference on
	}
	var sides [2]compare.Side
	for i, name := range []string{from, to} {
		dir, err := f.dir(name)
		if err == nil {
			sides[i], err = explain.Side(dir)
		}
		if err != nil {
			return d, err
		}
		sides[i].Name = name
	}
	d = report.Diff{Comparison: compare.Compare(sides[0], sides[1], f.minPackets)}
	if other := compare.Unlike(d.Differs, experiment.Work()); len(other) > 0 && !f.unlike {
		var text []string
		for _, o := range other {
			text = append(text, o.String())
		}
		return d, usagef("%s and %s do other work (%s), want the same, or --unlike", from, to, strings.Join(text, "; "))
	}
	if !d.Same {
		if d.Causes, err = explain.Differ(sides[0], sides[1]); err != nil {
			return d, err
		}
	}
	d.Verdict, d.Judgements = d.Check(f.fail.list)
	return d, nil
}

// dir returns the directory of a side, which may be that of a reference.
func (f diffFlags) dir(name string) (string, error) {
	name, isReference := strings.CutPrefix(name, referenceMark)
	if !isReference {
		return name, nil
	}
	store, err := references(f.references)
	if err != nil {
		return "", err
	}
	_, dir, err := store.Find(name)
	return dir, err
}

// outcome returns nil, or the error of a regression or of an undecided comparison. The
// report has the reasons.
func outcome(d report.Diff) error {
	var which []string
	for _, j := range d.Judgements {
		if j.Verdict == d.Verdict {
			which = append(which, j.Condition)
		}
	}
	switch d.Verdict {
	case compare.Same, compare.Pass:
		return nil
	case compare.Fail:
		return outOfBounds("failed on %s", strings.Join(which, ", "))
	case compare.Inconclusive:
		return inconclusive("the runs cannot tell %s", strings.Join(which, ", "))
	}
	return errors.New("no verdict: " + string(d.Verdict))
}

// conditions is the --fail-on flag.
type conditions struct {
	text string
	list []compare.Condition
}

func (c *conditions) String() string { return c.text }
func (c *conditions) Type() string   { return "conditions" }

func (c *conditions) Set(s string) error {
	list, err := compare.ParseConditions(s)
	if err != nil {
		reason, want, _ := strings.Cut(err.Error(), "; wanted ")
		return flags.Want(want + " (" + reason + ")")
	}
	c.text, c.list = s, list
	return nil
}
