package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

const (
	attempts   = 12   // draws of a trial, until one matters
	least      = 0.03 // by which a planting that matters makes a run longer, of its time
	otherSeeds = 2    // runs without the planting that show how much a run's time varies by chance
)

// Trial is a planting, measured and asked for.
type Trial struct {
	Number    int     `json:"number"`
	Kind      string  `json:"kind"`
	Where     string  `json:"where"`   // one of wheres
	Command   string  `json:"command"` // without what no flag can say
	Planted   string  `json:"planted"`
	Node      int     `json:"node"` // -1: the whole program
	Matters   bool    `json:"matters"`
	WithoutUs float64 `json:"without_us"`
	AddedUs   float64 `json:"added_us"`
	Strength  float64 `json:"strength"` // AddedUs by WithoutUs
	Largest   bool    `json:"largest"`  // no finding without the planting costs as much
	Noisy     bool    `json:"noisy"`    // a run of another seed without the planting takes as long
	// Pair says that the run without the planting and one of another seed tell why one takes longer, PairOutlier which part
	// is named; nil: none.
	Pair        bool     `json:"pair"`
	PairOutlier *Outlier `json:"pair_outlier"`
	Draws       Draws    `json:"draws"`
	Waits       Verdict  `json:"waits"`   // from the table of waiting
	Records     Verdict  `json:"records"` // from the records of the monitors
}

// Draws counts what became of a trial's draws.
type Draws struct {
	Weak    int `json:"weak"`    // the run is hardly longer
	Refused int `json:"refused"` // options exclude each other, or the run stopped or went wrong
	Quiet   int `json:"quiet"`   // runs without a planting
	Told    int `json:"told"`    // of these, those whose records say who waited
	// Quiet runs with a finding of a part unlike its peers
	OutlierWaits   []Outlier `json:"outlier_waits"`
	OutlierRecords []Outlier `json:"outlier_records"`
}

// Outlier is a part unlike its peers that is named in a quiet run.
type Outlier struct {
	// Machine says that it is a resource. A process that has more to do than others may be so by the program.
	Machine bool   `json:"machine"`
	Command string `json:"command"`
	Text    string `json:"text"`
}

// try draws until a planting of a kind matters, and judges what is found. It keeps the run directories in a folder unless that is "".
func try(ctx context.Context, k kind, number int, seed uint64, keep string) (t Trial, err error) {
	dir := filepath.Join(keep, fmt.Sprintf("%03d", number))
	if keep != "" {
		err = os.MkdirAll(dir, 0o755)
	} else if dir, err = os.MkdirTemp("", "plantings-"); err == nil {
		defer os.RemoveAll(dir)
	}
	d := draw{rand.New(rand.NewPCG(seed, uint64(number)))}
	t.Number, t.Kind = number, k.name
	for i := 0; i < attempts && err == nil && !t.Matters; i++ {
		err = t.attempt(ctx, k, d, filepath.Join(dir, fmt.Sprint(i)))
	}
	return t, err
}

// attempt makes one draw, with run directories of names that begin with dir.
func (t *Trial) attempt(ctx context.Context, k kind, d draw, dir string) error {
	c := Case{base: k.base(d)}
	base, err := run(ctx, c.base, platform.Overlay{}, dir+"-quiet")
	if err != nil || base == 0 {
		t.Draws.Refused++
		return err
	}
	other, err := t.quiet(dir+"-quiet", c.base)
	if err != nil {
		return err
	}
	c.spec, c.node = c.base, d.node(c.base)
	k.plant(&c, d, base)
	longer, err := run(ctx, c.spec, c.change, dir+"-planted")
	switch {
	case err != nil || longer == 0:
		t.Draws.Refused++
		return err
	case longer-base < least*base:
		t.Draws.Weak++
		return nil
	}
	t.Where, t.Command, t.Planted, t.Node, t.Matters = where(c.spec), commandOf(c.spec), strings.Join(c.what, ", "), c.node, true
	t.WithoutUs, t.AddedUs, t.Strength, t.Largest = base, longer-base, longer/base-1, longer-base > other
	if err = t.otherSeeds(ctx, c.base, longer, dir); err != nil {
		return err
	}
	return t.ask(dir+"-planted", k)
}

// run makes a run directory and returns the run's time in µs: 0 if the run is refused or goes wrong.
func run(ctx context.Context, s experiment.RunSpec, change platform.Overlay, dir string) (us float64, err error) {
	r, err := experiment.RunChanged(ctx, s, change, nil)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil || !r.Manifest.Verified:
		return 0, nil
	}
	if dir != "" {
		err = rundir.WriteRun(ctx, dir, *r)
	}
	return float64(r.Manifest.RunTimeNs()) / 1000, err
}

// otherSeeds runs the base with other seeds. It notes whether one of them takes as long as the planted run, and whether a part of
// the machine is named in the difference between the base and the first of them.
func (t *Trial) otherSeeds(ctx context.Context, s experiment.RunSpec, longer float64, dir string) error {
	for i := range otherSeeds {
		s.Seed += 1000
		pair := ""
		if i == 0 {
			pair = dir + "-pair"
		}
		us, err := run(ctx, s, platform.Overlay{}, pair)
		if err != nil {
			return err
		}
		if t.Noisy = t.Noisy || us >= longer; pair == "" || us == 0 {
			continue
		}
		told, named, err := difference(dir+"-quiet", pair)
		if err != nil {
			return err
		}
		t.Pair = told
		if named != "" {
			t.PairOutlier = &Outlier{Machine: true, Command: commandOf(s), Text: named}
		}
	}
	return nil
}

// difference returns whether two runs without a planting tell why one takes longer, and the sentence if a part unlike its peers is in it.
func difference(a, b string) (told bool, named string, err error) {
	var of [2]causal.Split
	for i, dir := range []string{a, b} {
		e, err := explain.Explain(dir, explain.Question{Top: 1})
		if err != nil || e.NoPath {
			return false, "", err
		}
		of[i] = e.Split()
	}
	d := causal.Differ(of[0], of[1])
	if text := d.String(); slices.ContainsFunc(d.Shifts, func(s causal.Shift) bool { return s.Outlier && strings.Contains(text, s.What) }) {
		return true, text, nil
	}
	return true, "", nil
}

// quiet notes what is named in a run without a planting, and returns the largest cost of a finding, in µs.
func (t *Trial) quiet(dir string, s experiment.RunSpec) (costs float64, err error) {
	t.Draws.Quiet++
	for _, records := range []bool{false, true} {
		all, told, err := findings(dir, records)
		if err != nil {
			return 0, err
		}
		to := &t.Draws.OutlierWaits
		if records {
			to = &t.Draws.OutlierRecords
			t.Draws.Told += map[bool]int{true: 1}[told]
		}
		if o := outlier(all); o != nil {
			o.Command = commandOf(s)
			*to = append(*to, *o)
		}
		for _, f := range all {
			if !records {
				costs = max(costs, f.CostUs)
			}
		}
	}
	return costs, nil
}

// outlier returns the first outlier that is a resource, or the first one, or nil.
func outlier(all []causal.Finding) (out *Outlier) {
	for _, f := range all {
		if machine := f.Resource != waits.Event.String(); f.Outlier && (out == nil || machine && !out.Machine) {
			out = &Outlier{Machine: machine, Text: f.Text}
		}
	}
	return out
}

func (t *Trial) ask(dir string, k kind) error {
	for _, records := range []bool{false, true} {
		all, told, err := findings(dir, records)
		if err != nil {
			return err
		}
		to := &t.Waits
		if records {
			to = &t.Records
		}
		*to = k.judge(all, t.Node, t.AddedUs)
		to.Told = told
	}
	return nil
}

// findings returns the findings of a run, and whether it has what they are made of: records of packets alone, and of
// operations that do not say when processes wait, tell nothing.
func findings(dir string, records bool) (all []causal.Finding, told bool, err error) {
	m, err := rundir.ReadManifest(dir)
	if err != nil || records && m.Rows(trace.StepRow{}) == 0 {
		return nil, false, err
	}
	e, err := explain.Explain(dir, explain.Question{Top: 1000, Records: records})
	if err != nil || e.NoPath {
		return nil, false, err
	}
	return e.Findings, true, nil
}

func commandOf(s experiment.RunSpec) string {
	usual := experiment.DefaultRun(s.Workload)
	return "sigview run " + strings.Join(append([]string{s.Workload}, flags.Args(&s, &usual)...), " ")
}
