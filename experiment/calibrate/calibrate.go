package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/portable"
)

// Spec says what to fit.
type Spec struct {
	Name  string   `json:"name"`   // of the platform
	Run   string   `json:"run"`    // directory of the run
	LogP  string   `json:"logp"`   // directory with LogP parameters; "": none
	Other []string `json:"checks"` // runs to predict
}

// Result is a platform and how well it meets what was measured.
type Result struct {
	Fit     *bench.Calibration
	Profile string // its file
}

// rounds is how often the numbers are corrected by what the model gives. A second time changes them by
// the cycle to which they are rounded.
const rounds = 3

// Run fits a platform.
func Run(ctx context.Context, s Spec, watch experiment.Watch) (*Result, error) {
	o, err := read(s.Run)
	if err != nil {
		return nil, err
	}
	measured, err := readLogP(s.LogP, o)
	if err != nil {
		return nil, err
	}
	others := make([]*observed, len(s.Other))
	for i, dir := range s.Other {
		if others[i], err = read(dir); err != nil {
			return nil, err
		}
	}
	return fit(ctx, s, o, measured, others, watch)
}

// fit fits a platform to a run and parameters, and predicts others.
func fit(ctx context.Context, s Spec, o *observed, measured *bench.LogP, others []*observed, watch experiment.Watch) (*Result, error) {
	c := &calibration{ctx: ctx, spec: s, run: o, measured: measured, out: &bench.Calibration{
		Platform: s.Name, Run: s.Run, Hosts: o.hosts, LogP: s.LogP, Assumed: []string{}, Costs: []bench.CostFit{}, Checks: []bench.Prediction{},
	}}
	steps := slices.Repeat([]func() error{c.correct}, rounds)
	steps = append(steps, c.compare)
	for _, other := range others {
		steps = append(steps, func() error { return c.predict(other) })
	}
	c.begin()
	for i, step := range steps {
		watch.Report(experiment.Progress{Stage: "fitting", Done: int64(i), Total: int64(len(steps))})
		if err := step(); err != nil {
			return nil, err
		}
	}
	c.out.Parameters = c.numbers.fields()
	return &Result{c.out, c.text()}, nil
}

// calibration is a fit in progress.
type calibration struct {
	ctx      context.Context
	spec     Spec
	run      *observed
	measured *bench.LogP // nil: none
	sizes    []int64     // that the fit sees
	want     [stages]line
	numbers  numbers
	model    model
	profile  *platform.Profile
	out      *bench.Calibration
}

// readLogP reads parameters that were measured as a run was.
func readLogP(dir string, run *observed) (*bench.LogP, error) {
	if dir == "" {
		return nil, nil
	}
	m, err := bench.Read(dir)
	switch {
	case errors.Is(err, bench.ErrNotMeasured):
		return nil, bounds.Wrong("logp", dir, "a directory that sigview live --logp sweep has written")
	case err != nil:
		return nil, err
	case len(m.LogP) != 1 || len(m.LogP[0].Sizes) == 0:
		return nil, bounds.Wrong("logp", dir, "parameters of messages, as sigview live --logp sweep measures them")
	case m.LogP[0].Layer != run.Protocol:
		return nil, bounds.Wrong("logp", dir, "parameters of %s, as %s, not of %s", run.Protocol, run.dir, m.LogP[0].Layer)
	}
	return &m.LogP[0], nil
}

// seen returns the sizes to which the platform is fitted: all, or of four or more the first, the
// last and every second one between. The others test the fit.
func seen(sizes []int64) (out []int64) {
	for i, n := range sizes {
		if len(sizes) < 4 || i%2 == 0 || i == len(sizes)-1 {
			out = append(out, n)
		}
	}
	return out
}

// begin takes the first numbers from the lines of what was measured.
func (c *calibration) begin() {
	c.sizes = seen(c.run.sizes)
	var all []latencies
	for _, n := range c.sizes {
		all = append(all, c.run.medians(n))
	}
	c.want = lines(c.sizes, all)
	c.numbers = numbers{stages: c.want, spin: c.run.Wait == spinning, wakeFrom: "Dest less o_r", backFrom: "o_s less Source"}
	assume := func(format string, args ...any) { c.out.Assumed = append(c.out.Assumed, fmt.Sprintf(format, args...)) }
	or, os := c.overheads()
	switch call := c.want[0].start; {
	case c.numbers.spin:
		c.numbers.wakeFrom = "receivers that are not blocked"
	case or >= 0:
		c.numbers.wake = max(0, c.want[3].start-or)
	default:
		c.numbers.wake, c.numbers.wakeFrom = max(0, c.want[3].start-call), "Dest less Source: assumed"
		assume("How much of Dest is the wake of the receiver is not known without o_r: its call is taken to be as long as the sender's, %s µs", bench.Digits(call))
	}
	if os >= 0 {
		c.numbers.back = os
	} else {
		c.numbers.backFrom = "nothing: assumed"
		assume("How long a sender is busy after its message has left is not known without o_s: it is taken as 0")
	}
	if len(c.sizes) < 2 {
		assume("With one size it is not known what a byte costs: nothing")
	}
	if len(c.sizes) == len(c.run.sizes) {
		assume("With fewer than four sizes none is held out")
	}
	assume("Net is of cards, wire and interrupt together: the profile divides it among two wires and a switch")
	assume("Buffers, losses, and what programs compute are those of the platform %s", basePlatform)
}

// overheads returns o_r, and o_s less Source, for messages without bytes; below 0 if they are not known.
func (c *calibration) overheads() (or, after float64) {
	if c.measured == nil {
		return -1, -1
	}
	var received, sent []float64
	for _, z := range c.measured.Sizes {
		bytes := float64(z.SizeBytes) / 1000
		if z.Params.Or.OK() {
			received = append(received, max(0, z.Params.Or.Value-float64(bytes*c.want[3].slope)))
		}
		if z.Params.Os.OK() && z.Params.G.OK() { // whoever sends cannot be busy for longer than between two messages
			sent = append(sent, max(0, min(z.Params.Os.Value, z.Params.G.Value)-c.want[0].start-float64(bytes*c.want[0].slope)))
		}
	}
	return median(received), median(sent)
}

// median returns -1 for none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return -1
	}
	slices.Sort(v)
	return portable.Median(v)
}

// lines returns the line of each stage.
func lines(sizes []int64, all []latencies) (out [stages]line) {
	for i := range out {
		var us []float64
		for _, l := range all {
			us = append(us, l[i])
		}
		out[i] = through(sizes, us)
	}
	return out
}

// build makes the model of the present numbers.
func (c *calibration) build() (err error) {
	if c.profile, err = c.numbers.profile(c.spec.Name, "Calibrated: "+c.run.hosts); err != nil {
		return err
	}
	at, err := c.profile.At("")
	c.model = model{at, c.ctx}
	return err
}

// correct changes the times for a message by what those of the model are off. The times for a byte are the
// rates of copies and links.
func (c *calibration) correct() error {
	if err := c.build(); err != nil {
		return err
	}
	var all []latencies
	for _, n := range c.sizes {
		l, err := c.model.stages(n, c.run.conditions)
		if err != nil {
			return err
		}
		all = append(all, l)
	}
	for i, is := range lines(c.sizes, all) {
		s := &c.numbers.stages[i]
		s.start = max(0, s.start+c.want[i].start-is.start)
	}
	return c.build()
}

// compare puts the model beside what was fitted.
func (c *calibration) compare() error {
	for _, n := range c.run.sizes {
		use := bench.Held
		if slices.Contains(c.sizes, n) {
			use = bench.Fit
		}
		l, err := c.model.stages(n, c.run.conditions)
		if err != nil {
			return err
		}
		c.out.Stages = append(c.out.Stages, c.run.beside(n, l, use)...)
	}
	if c.measured == nil {
		return nil
	}
	for _, z := range c.measured.Sizes {
		p, err := c.model.parameters(z.SizeBytes)
		if err != nil {
			return err
		}
		c.out.Costs = append(c.out.Costs, costs(z, p)...)
	}
	return nil
}

// costs puts modelled parameters beside those that were measured.
func costs(z bench.Size, p logp.Params) (out []bench.CostFit) {
	half := func(e logp.Estimate) logp.Estimate {
		return logp.Estimate{Value: e.Value / 2, Lo: e.Lo / 2, Hi: e.Hi / 2, Reason: e.Reason}
	}
	for _, x := range []struct {
		name         string
		is, modelled logp.Estimate
		use          bench.Use
	}{
		{"o_s", z.Params.Os, p.Os, bench.Fit}, {"o_r", z.Params.Or, p.Or, bench.Fit},
		{"g", z.Params.G, p.G, bench.Held}, {"RTT/2", half(z.Params.RTT), half(p.RTT), bench.Held},
	} {
		if x.is.OK() && x.modelled.OK() {
			out = append(out, bench.CostFit{
				SizeBytes: z.SizeBytes, Parameter: x.name, MeasuredUs: x.is.Value, LowUs: x.is.Lo, HighUs: x.is.Hi, ModelledUs: x.modelled.Value, Use: x.use,
			})
		}
	}
	return out
}

// predict puts the model beside another run.
func (c *calibration) predict(other *observed) error {
	p := bench.Prediction{Run: other.dir, How: other.how(), Differs: other.differs(c.run)}
	for _, n := range other.sizes {
		l, err := c.model.stages(n, other.conditions)
		if err != nil {
			return err
		}
		p.Stages = append(p.Stages, other.beside(n, l, bench.Other)...)
	}
	c.out.Checks = append(c.out.Checks, p)
	return nil
}

// text is the profile's file: what it is, where each number is from, and its tables.
func (c *calibration) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A platform that sigview calibrate has fitted to %s: %s, %s.\n", c.run.hosts, c.run.dir, c.run.how())
	if c.spec.LogP != "" {
		fmt.Fprintf(&b, "# LogP parameters: %s.\n", c.spec.LogP)
	}
	b.WriteString("# Fitted are:\n")
	for _, f := range c.numbers.fields() {
		fmt.Fprintf(&b, "#   %s from %s\n", f.Field, f.From)
	}
	worst := 0.0
	for _, f := range c.out.Stages {
		worst = max(worst, math.Abs(f.Apart()))
	}
	fmt.Fprintf(&b, "# Everything else is as in the platform %s. Largest difference of a stage from the median\n# that was measured: %.0f %%.\n\n", basePlatform, 100*worst)
	return b.String() + c.profile.Text()
}
