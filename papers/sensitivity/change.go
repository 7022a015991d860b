package main

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/papers/judge"
)

// leastPct is the least change of a figure that counts, in per cent of its mean and
// beyond the range that it has over seeds.
const leastPct = 2

// usual is what a row says of the unchanged profiles, over seeds.
type usual struct {
	row          judge.Row
	lo, hi, mean float64
	met          bool
	steady       bool // it is met with every seed, or with none
	first        outcome
}

// summarize returns what a row says over seeds.
func summarize(row judge.Row, seeds []outcomes) (usual, error) {
	u := usual{row: row, lo: math.Inf(1), hi: math.Inf(-1), steady: true, first: seeds[0][row.ID]}
	u.met = u.first.Met
	for _, s := range seeds {
		o := s[row.ID]
		if o.Err != "" {
			return u, fmt.Errorf("row %s: %s", row.ID, o.Err)
		}
		u.lo, u.hi = min(u.lo, o.Value), max(u.hi, o.Value)
		u.mean += o.Value / float64(len(seeds))
		u.steady = u.steady && o.Met == u.met
	}
	return u, nil
}

// figure reports whether the row is a figure that the model predicts.
func (u usual) figure() bool { return u.row.Numeric && u.row.Evidence == judge.Prediction }

// change is how a row differs from its usual outcome. The zero value is no change.
type change struct {
	Pct   float64 // of a figure
	Flips bool    // it is met where it was not, or the reverse
	Fails string  // why it cannot be measured
}

// changed returns how an outcome differs from the usual one.
func (u usual) changed(o outcome) (c change) {
	if o.Err != "" {
		return change{Fails: o.Err}
	}
	if beyond := o.Value - min(max(o.Value, u.lo), u.hi); u.figure() && math.Abs(beyond) > leastPct/100.0*math.Abs(u.mean) {
		c.Pct = 100 * (o.Value - u.mean) / math.Abs(u.mean)
	}
	c.Flips = u.steady && o.Met != u.met
	return c
}

// differs reports whether an outcome differs at all.
func (u usual) differs(o outcome) bool { return o != u.first }
