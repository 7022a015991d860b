package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Outcome is what the interval of a difference shows against the threshold.
type Outcome string

// Outcomes.
const (
	Changed   Outcome = "changed"        // the whole interval lies beyond the threshold
	Unchanged Outcome = "same"           // the whole interval lies within it
	Unknown   Outcome = "cannot be told" // neither
)

// Cell compares one quantity of side A with the same quantity of side B. Its figures have the unit of the
// quantity.
type Cell struct {
	Key
	Real bool               // B is of real hosts
	A, B trace.Opt[float64] // means over the runs
	// Diff is B − A, with its 95 % interval from Lo to Hi. For a mean latency it is the difference at equal
	// packet sizes; BySizes is the rest of B − A, which comes from other sizes.
	Diff, Lo, Hi       trace.Opt[float64]
	BySizes            float64
	Effect             trace.Opt[float64] // Hedges' g: Diff in standard deviations of one run, of single runs of one packet
	Base               float64            // of which the difference is a share
	PacketsA, PacketsB int64              // of a run on average
	PartA, PartB       float64            // of a cause: the share of messages of which it is so
	// WithinRun says that the interval comes from the packets of one run. Such an interval does not say what a
	// second run would show.
	WithinRun bool
	// Silent is the reason why the cell has no outcome; empty if it has one.
	Silent  string
	Limit   float64 // the threshold of the outcome, in the unit of the quantity
	Outcome Outcome
	Runs    int // a side that would tell, if the outcome cannot be told; 0: not known

	a, b  []float64 // by run, without what is due to other sizes
	bases []float64 // of the runs of A
	pairs bool
	bound float64 // of what clocks can make wrong in the difference
}

// Unit returns the unit of the cell's figures.
func (c Cell) Unit() string { return of(c.Quantity).unit }

// Share returns Diff over Base. It is unknown without a difference or with a base of 0.
func (c Cell) Share() trace.Opt[float64] {
	if !c.Diff.OK || c.Base == 0 {
		return trace.Opt[float64]{}
	}
	return trace.Some(c.Diff.Value / math.Abs(c.Base))
}

// Cost returns what the difference costs a run: for a latency |Diff| times the packets of a run of B, in ns;
// for other quantities |Diff|.
func (c Cell) Cost() float64 {
	return math.Abs(c.Diff.Value) * float64(max(c.PacketsB, 1))
}

// values returns the figures with the key k, one of each run that has it, and their bases. packets and bound
// are means over the runs: the packets of the figure, and the largest error of the clocks in it. A run without
// packets of kind k.Kind has the value 0.
func (s Side) values(k Key) (values, bases []float64, packets int64, bound float64) {
	for _, r := range s.Runs {
		f, ok := r.figure(k)
		if !ok && k.Kind != "" {
			whole, _ := r.figure(Key{Program: k.Program, Quantity: RunTime})
			f, ok = Figure{Base: whole.Value}, true
		}
		ok = ok || k.seen() && r.Manifest.Detail == trace.DetailWatch
		if !ok {
			continue
		}
		values, bases = append(values, f.Value), append(bases, cmp.Or(f.Base, math.Abs(f.Value)))
		packets += f.Packets
		bound += f.Bound
	}
	n := max(len(s.Runs), 1)
	return values, bases, packets / int64(n), bound / float64(n)
}

// newCell compares the figures with the key k. pairs says that the i-th runs of both sides have the same seed.
// The cell is silent if a run of either side lacks the figure.
func newCell(k Key, a, b Side, pairs bool) Cell {
	c := Cell{Key: k, Real: b.Manifest().Real()}
	var boundA, boundB float64
	c.a, c.bases, c.PacketsA, boundA = a.values(k)
	c.b, _, c.PacketsB, boundB = b.values(k)
	if c.bound = boundA + boundB; c.seen() {
		c.PartA, c.PartB = a.parts(k), b.parts(k)
		if c.Unit() == unitNs {
			c.bound = analysis.LeastSeenNs
		}
	}
	for _, v := range []struct {
		to     *trace.Opt[float64]
		values []float64
	}{{&c.A, c.a}, {&c.B, c.b}} {
		if len(v.values) > 0 {
			*v.to = trace.Some(mean(v.values))
		}
	}
	switch {
	case len(c.a) == len(a.Runs) && len(c.b) == len(b.Runs):
	case len(c.a) == 0 || len(c.b) == 0:
		c.Silent = "on one side only"
	default:
		c.Silent = "in some runs only"
	}
	if c.Silent != "" || !c.A.OK || !c.B.OK {
		return c
	}
	c.pairs, c.Base = pairs, mean(c.bases)
	c.difference()
	return c
}

// mean returns the arithmetic mean, 0 of an empty list.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}

// difference sets the difference of the means and its interval over runs.
func (c *Cell) difference() {
	d := differences(c.a, c.b, c.pairs)
	c.Diff = trace.Some(d[0].value)
	c.Lo, c.Hi = trace.Opt[float64]{}, trace.Opt[float64]{}
	if d.known() {
		lo, hi := d.interval()
		c.Lo, c.Hi = trace.Some(lo), trace.Some(hi)
		c.Effect = effect(d[0].value, c.a, c.b)
	}
}

// oneRun is why a cell of a single run decides nothing.
const oneRun = "one run a side"

// silence sets Silent for a latency of fewer than minPackets packets in a run, and for sides of one run. Two
// sides with the same runs (same) need no second run.
func (c *Cell) silence(minPackets int64, same bool) {
	stage, err := trace.ParseStage(c.Quantity)
	packets := min(c.PacketsA, c.PacketsB)
	switch {
	case c.Silent != "":
	case err == nil && stage <= trace.NetMinusLANai && packets < minPackets:
		c.Silent = fmt.Sprintf("%d packets", packets)
	case same:
	case len(c.a) < 2 || len(c.b) < 2:
		c.Silent = oneRun
	}
}

// atSameSizes subtracts from each run of B what other packet sizes add to the mean latency, x.MixNs. With one
// run a side it takes the interval over packets from x.
func (c *Cell) atSameSizes(x analysis.Change) {
	if !c.Diff.OK || !x.DiffNs.OK {
		return
	}
	c.BySizes = x.MixNs
	c.b = slices.Clone(c.b)
	for i := range c.b {
		c.b[i] -= x.MixNs
	}
	c.difference()
	if !c.Lo.OK && x.CILoNs.OK {
		c.Lo, c.Hi, c.Effect, c.WithinRun = x.CILoNs, x.CIHiNs, x.Effect, true
	}
}

// decide gives the outcome of a latency's cell to its change, and its interval if that is over runs.
func (c Cell) decide(x *analysis.Change) {
	if c.Lo.OK && !c.WithinRun {
		x.CILoNs, x.CIHiNs, x.Effect, x.RunToRun = c.Lo, c.Hi, c.Effect, true
	}
	if x.Level = c.level(); c.Silent != "" {
		x.Warnings = append(x.Warnings, c.Silent)
	}
}

// name returns the quantity in words with its class and program: "Source of under_128".
func (c Cell) name() string {
	text := of(c.Quantity).noun
	if stage, err := trace.ParseStage(c.Quantity); err == nil {
		text = analysis.StageName(stage, c.Real)
	}
	switch {
	case c.ofMessages():
		text += " " + c.Where
	case c.Where != "":
		text += " of " + c.Where
	}
	if c.Program != "" {
		text = c.Program + ": " + text
	}
	return text
}

// line returns the cell's name, difference, share and interval in one line.
func (c Cell) line() string {
	text := fmt.Sprintf("%s %s", c.name(), amount(c.Diff, c.Unit()))
	if c.ofMessages() {
		text = fmt.Sprintf("%s %s (%s)", c.name(), amount(c.Diff, c.Unit()), c.partsText())
	} else if s := c.Share(); s.OK {
		text += fmt.Sprintf(" (%+.1f%%)", 100*s.Value)
	}
	if c.Lo.OK {
		text += fmt.Sprintf(", interval %s to %s", amount(c.Lo, c.Unit()), amount(c.Hi, c.Unit()))
	}
	return text
}

// amount writes a difference with sign and unit; ns are written in µs.
func amount(v trace.Opt[float64], unit string) string {
	switch {
	case !v.OK:
		return analysis.None
	case unit != unitNs:
		return fmt.Sprintf("%+.4g %s", v.Value, unit)
	}
	return analysis.WithUnit(analysis.SignedUs(v), "µs")
}
