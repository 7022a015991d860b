package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// move is how one latency of one size class changed between two runs.
type move struct {
	Stage  trace.Stage
	Class  string
	Pct    float64 // rise in per cent of the first run, negative for a fall
	Proven bool    // the confidence interval of the change excludes zero
	// Open is set when the runs cannot decide: too few packets, or no interval.
	Open bool
}

func (a *app) diffCommand() *cobra.Command {
	format := newFormat()
	var limits limits
	var out string
	cmd := &cobra.Command{
		Use:   "diff DIR_A DIR_B",
		Short: "Show what moved between two runs, stage by stage",
		Long: `Compares two run directories latency by latency, with effect size and
confidence interval, and says which stage moved.

--fail-on takes limits in per cent, for all stages or for one, and ends with
exit code 3 when a latency of DIR_B is higher by more than that and the
confidence interval excludes zero; with 4 when the runs cannot decide.`,
		Example: `  sigview diff before after
  sigview diff before after --fail-on 10
  sigview diff before after --fail-on source:5,net:20`,
		Args: exactly("DIR_A", "DIR_B"),
		RunE: func(_ *cobra.Command, args []string) error {
			before, err := a.lab.read(args[0])
			if err != nil {
				return err
			}
			after, err := a.lab.read(args[1])
			if err != nil {
				return err
			}
			var moves []move
			err = a.data(out, func(w io.Writer) (err error) {
				moves, err = a.lab.diff(w, &before, &after, format.value, a.styleFor(out))
				return err
			})
			if err != nil {
				return err
			}
			return limits.judge(moves)
		},
	}
	fs := cmd.Flags()
	fs.Var(&format, "format", "text, md, html or json")
	fs.Var(&limits, "fail-on", "limits: PERCENT or STAGE:PERCENT, separated by commas")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	completeWords(cmd, "format", format.known)
	return cmd
}

// limits says how much the mean of a latency may rise.
type limits struct {
	text  string
	set   bool
	all   float64 // per cent for stages without their own; NaN when not limited
	stage map[trace.Stage]float64
}

func (l *limits) String() string { return l.text }
func (l *limits) Type() string   { return "limits" }

func (l *limits) Set(s string) error {
	const want = wantError("PERCENT or STAGE:PERCENT, as 10 or source:5,net:20")
	fresh := limits{text: s, set: true, all: math.NaN(), stage: map[trace.Stage]float64{}}
	for part := range strings.SplitSeq(s, ",") {
		name, number, own := strings.Cut(part, ":")
		if !own {
			number = name
		}
		pct, err := strconv.ParseFloat(strings.TrimSuffix(number, "%"), 64)
		if err != nil || !(pct >= 0) || math.IsInf(pct, 0) {
			return want
		}
		if !own {
			fresh.all = pct
			continue
		}
		stage, err := trace.ParseStage(name)
		if err != nil {
			return wantError(stageWant(name))
		}
		fresh.stage[stage] = pct
	}
	*l = fresh
	return nil
}

func stageWant(name string) string {
	var known []string
	for _, s := range trace.Stages() {
		known = append(known, s.String())
	}
	want := "a stage out of " + strings.Join(known, ", ")
	if near := names.Nearest(name, known); near != "" {
		want += " (" + near + "?)"
	}
	return want
}

func (l *limits) of(s trace.Stage) float64 {
	if pct, ok := l.stage[s]; ok {
		return pct
	}
	return l.all
}

// judge ends with a regression, with doubt, or with nothing to say.
func (l *limits) judge(moves []move) error {
	if !l.set {
		return nil
	}
	var broken, open []string
	watched := 0
	for _, m := range moves {
		limit := l.of(m.Stage)
		if math.IsNaN(limit) {
			continue
		}
		watched++
		text := fmt.Sprintf("%s of %s by %+.3g %%", m.Stage, m.Class, m.Pct)
		switch {
		case m.Open:
			open = append(open, fmt.Sprintf("%s of %s", m.Stage, m.Class))
		case m.Proven && m.Pct > limit:
			broken = append(broken, text)
		}
	}
	switch {
	case len(broken) > 0:
		return outOfBounds("above the limit: %s", strings.Join(broken, ", "))
	case watched == 0:
		return inconclusive("the runs have no latency in common that --fail-on watches")
	case len(open) > 0:
		return inconclusive("too few packets to decide: %s", strings.Join(open, ", "))
	}
	return nil
}
