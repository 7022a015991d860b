package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
)

// Spec asks for a self-test.
type Spec struct {
	Platform string
	Seeds    experiment.Seeds // of each program, with and without each plant
	Pairs    int              // of sets of runs that are drawn, for each program and plant
	Runs     int              // of a set
	Gate     string           // conditions
}

// Default is a self-test of about a minute.
func Default() Spec {
	return Spec{Platform: experiment.DefaultPlatform, Seeds: experiment.Seeds{First: 1, N: 20}, Pairs: 50, Runs: 5, Gate: compare.DefaultGate}
}

// Validate checks the specification.
func (s Spec) Validate(known experiment.Catalogue) error {
	run := experiment.DefaultRun(programs[0].name)
	run.Platform = s.Platform
	if err := run.Validate(known); err != nil {
		return err
	}
	switch {
	case s.Runs < 2:
		return bounds.Wrong("runs", s.Runs, "at least 2: one run a side tells nothing")
	case s.Seeds.N < 2*s.Runs:
		return bounds.Wrong("seeds", s.Seeds.N, "at least %d, for two sets of %d runs", 2*s.Runs, s.Runs)
	case s.Pairs < 1:
		return bounds.Wrong("pairs", s.Pairs, "at least 1")
	}
	_, err := compare.ParseConditions(s.Gate)
	return err
}

// programs are those that are run, of a size whose runs take a fraction of a second.
var programs = []struct {
	name     string
	size     int64    // in the workload's unit
	messages int      // of a pattern
	work     []string // fields of the profile that make the program as a whole slower
}{
	{"fft", 1 << 16, 0, computing},
	{"radix", 1 << 16, 0, computing},
	{"ocean", 66, 0, computing},
	{"gauss", 128, 0, computing},
	{"alltoall", 0, 128, []string{"ni.clock_hz"}}, // computes nothing
}

var computing = []string{"host.flop_ns", "host.int_ns", "host.load_ns", "host.store_ns"}

// nodes is the size of the cluster.
const nodes = 4

// Result is what a self-test has measured.
type Result struct {
	Spec     Spec
	Rates    []Rate // by program and plant
	Coverage []Coverage
	Within   []Coverage // of intervals within one run
}

// Run runs all programs with and without plants, and measures.
func Run(ctx context.Context, spec Spec, watch experiment.Watch) (*Result, error) {
	if err := spec.Validate(experiment.Known()); err != nil {
		return nil, err
	}
	conditions, err := compare.ParseConditions(spec.Gate)
	if err != nil {
		return nil, err
	}
	p, err := platform.Load(spec.Platform)
	if err != nil {
		return nil, err
	}
	if at, err := p.At(""); err != nil || at.Layer != layer {
		return nil, bounds.Wrong("platform", spec.Platform, "one whose own layer is %s, in which delays are planted", layer)
	}
	out := &Result{Spec: spec}
	ended := watch.Counting(len(programs)*(1+len(plants))*(spec.Seeds.N+sizing), "runs")
	for i, prog := range programs {
		one := experiment.DefaultRun(prog.name)
		one.Platform, one.Nodes, one.Size, one.Pattern.Count = spec.Platform, nodes, prog.size, prog.messages
		t := trial{seeds: spec.Seeds, pairs: spec.Pairs, side: spec.Runs, run: one, conditions: conditions, random: rand.New(rand.NewPCG(1, uint64(i))), ended: ended, work: prog.work, profile: p}
		if t.base, err = t.runs(ctx, platform.Overlay{}, "as it is", spec.Seeds.N); err != nil {
			return nil, err
		}
		out.Rates = append(out.Rates, t.nothing())
		for _, plant := range plants {
			rate, err := t.plant(ctx, plant)
			if err != nil {
				return nil, err
			}
			out.Rates = append(out.Rates, rate)
		}
		out.Coverage = append(out.Coverage, overRuns(prog.name, t.base, spec.Runs)...)
		out.Within = append(out.Within, withinRuns(prog.name, t.base)...)
	}
	return out, nil
}

// Failures says where the result misses what is promised: at most 1 % false alarms, and
// nineteen of twenty plants of each sort found.
func (r *Result) Failures() (out []string) {
	for _, x := range r.Pooled() {
		switch {
		case x.Plant.Quantity == "" && x.share(x.Alarms) > 0.01:
			out = append(out, fmt.Sprintf("%s: %d of %d comparisons failed for nothing", x.Plant.Name, x.Alarms, x.Pairs))
		case x.Plant.Quantity != "" && x.share(x.Found) < 0.95:
			out = append(out, fmt.Sprintf("%s: %d of %d found", x.Plant.Name, x.Found, x.Pairs))
		}
	}
	return out
}

// Pooled returns the rates of each plant over all programs.
func (r *Result) Pooled() (out []Rate) {
	for _, x := range r.Rates {
		i := slices.IndexFunc(out, func(o Rate) bool { return o.Plant.Name == x.Plant.Name })
		if i < 0 {
			i = len(out)
			out = append(out, Rate{Program: "all", Plant: x.Plant})
		}
		o := &out[i]
		o.Pairs, o.Alarms, o.Found, o.Open = o.Pairs+x.Pairs, o.Alarms+x.Alarms, o.Found+x.Found, o.Open+x.Open
	}
	return out
}

// Summary says the result in sentences.
func (r *Result) Summary() []string {
	var out []string
	for _, x := range r.Pooled() {
		if x.Plant.Quantity == "" {
			out = append(out, fmt.Sprintf("%s: %s of %s comparisons failed (%s), %s could not be told.", x.Plant.Name,
				analysis.Digits(int64(x.Alarms)), analysis.Digits(int64(x.Pairs)), x.interval(x.Alarms), analysis.Digits(int64(x.Open))))
			continue
		}
		out = append(out, fmt.Sprintf("%s: found in %s of %s comparisons (%s).", x.Plant.Name,
			analysis.Digits(int64(x.Found)), analysis.Digits(int64(x.Pairs)), x.interval(x.Found)))
	}
	for _, c := range []struct {
		what string
		of   []Coverage
	}{{fmt.Sprintf("95%% intervals over %d runs", r.Spec.Runs), r.Coverage}, {"95% intervals within one run", r.Within}} {
		out = append(out, c.what+" "+covered(c.of))
	}
	if f := r.Failures(); len(f) > 0 {
		out = append(out, "NOT as promised: "+strings.Join(f, "; ")+".")
	}
	return out
}
