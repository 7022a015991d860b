package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
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
	Command   string  `json:"command"` // without what no flag can say
	Planted   string  `json:"planted"`
	Node      int     `json:"node"` // -1: the whole program
	Matters   bool    `json:"matters"`
	WithoutUs float64 `json:"without_us"`
	AddedUs   float64 `json:"added_us"`
	Strength  float64 `json:"strength"` // AddedUs by WithoutUs
	Noisy     bool    `json:"noisy"`    // a run of another seed without the planting takes as long
	Draws     Draws   `json:"draws"`
	Waits     Verdict `json:"waits"`   // from the table of waiting
	Records   Verdict `json:"records"` // from the records of the monitors
}

// Draws counts what became of a trial's draws.
type Draws struct {
	Weak    int `json:"weak"`    // the run is hardly longer
	Refused int `json:"refused"` // options exclude each other, or the run stopped or went wrong
	Quiet   int `json:"quiet"`   // runs without a planting
	Told    int `json:"told"`    // of these, those whose records say who waited
	// Quiet runs with a finding of a part unlike its peers
	OutlierWaits   []string `json:"outlier_waits"`
	OutlierRecords []string `json:"outlier_records"`
}

// Case is a run to be tried, without and with a planting.
type Case struct {
	base, spec experiment.RunSpec
	change     platform.Overlay // of the platform, with the planting
	node       int              // where it is; -1: nowhere in particular
	what       []string
}

// try draws until a planting of a kind matters, and judges what is found.
func try(ctx context.Context, k kind, number int, seed uint64, dir string) (t Trial, err error) {
	d := draw{rand.New(rand.NewPCG(seed, uint64(number)))}
	for range attempts {
		c := Case{base: d.base(k)}
		quiet := filepath.Join(dir, fmt.Sprintf("%03d-quiet-%d", number, t.Draws.Quiet+t.Draws.Refused))
		base, err := run(ctx, c.base, platform.Overlay{}, quiet)
		if err != nil {
			return t, err
		}
		if base == 0 {
			t.Draws.Refused++
			continue
		}
		if err := t.quiet(quiet, c.base); err != nil {
			return t, err
		}
		c.spec, c.node = c.base, d.node(c.base)
		k.plant(&c, d, base)
		with := filepath.Join(dir, fmt.Sprintf("%03d-planted-%d", number, t.Draws.Quiet+t.Draws.Refused))
		longer, err := run(ctx, c.spec, c.change, with)
		switch {
		case err != nil:
			return t, err
		case longer == 0:
			t.Draws.Refused++
			continue
		case longer-base < least*base:
			t.Draws.Weak++
			continue
		}
		t = Trial{Number: number, Kind: k.name, Command: commandOf(c.spec), Planted: strings.Join(c.what, ", "), Node: c.node, Matters: true,
			WithoutUs: base, AddedUs: longer - base, Strength: longer/base - 1, Draws: t.Draws}
		if t.Noisy, err = noisy(ctx, c.base, longer); err != nil {
			return t, err
		}
		return t, t.ask(with, k)
	}
	t.Number, t.Kind = number, k.name
	return t, nil
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

// noisy reports whether a run with another seed and without the planting takes as long.
func noisy(ctx context.Context, s experiment.RunSpec, longer float64) (bool, error) {
	for range otherSeeds {
		s.Seed += 1000
		us, err := run(ctx, s, platform.Overlay{}, "")
		if err != nil || us >= longer {
			return err == nil, err
		}
	}
	return false, nil
}

// quiet notes what is named in a run without a planting.
func (t *Trial) quiet(dir string, s experiment.RunSpec) error {
	t.Draws.Quiet++
	for _, records := range []bool{false, true} {
		all, told, err := findings(dir, records)
		if err != nil {
			return err
		}
		if records && told {
			t.Draws.Told++
		}
		to := &t.Draws.OutlierWaits
		if records {
			to = &t.Draws.OutlierRecords
		}
		if len(all) > 0 && all[0].Outlier { // outliers come first
			*to = append(*to, commandOf(s)+": "+all[0].Text)
		}
	}
	return os.RemoveAll(dir)
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
