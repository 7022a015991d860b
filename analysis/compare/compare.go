package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Comparison compares side B with side A.
type Comparison struct {
	A, B    Side
	Same    bool // both sides are the same runs
	Pairs   bool // the runs of both sides have the same seeds
	Differs []analysis.Difference
	Cells   []Cell // those that cost most first
	// Stages are the latencies that both sides have, with the intervals of their cells.
	Stages      analysis.Comparison
	StagesError error // why there are none
	Programs    []Decomposition
	Warnings    []string
}

// Compare compares side B with side A. Cells that rest on fewer packets of a run decide
// nothing.
func Compare(a, b Side, minPackets int64) Comparison {
	c := Comparison{A: a, B: b, Differs: analysis.Differs(a.Manifest(), b.Manifest(), a.Runs[0].Platform, b.Runs[0].Platform), Pairs: slices.Equal(a.Seeds(), b.Seeds())}
	c.Same = same(a, b, c.Differs)
	sizes := c.sizes()
	stages := map[Key]Cell{}
	for _, k := range c.keys() {
		cell := newCell(k, a, b, c.Pairs)
		if x, ok := sizes[k]; ok {
			cell.atSameSizes(x)
			stages[k] = cell
		}
		cell.silence(minPackets, c.Same)
		c.Cells = append(c.Cells, cell)
	}
	c.Stages = c.Stages.OverRuns(func(x analysis.Change) (lo, hi, effect trace.Opt[float64]) {
		cell := stages[c.key(x)]
		if cell.WithinRun {
			return lo, hi, effect
		}
		return cell.Lo, cell.Hi, cell.Effect
	})
	c.outcomes()
	c.Programs = runTimes(c.Cells)
	c.Cells = slices.DeleteFunc(c.Cells, func(x Cell) bool { return x.Kind != "" })
	slices.SortStableFunc(c.Cells, func(x, y Cell) int { return cmp.Compare(y.Cost(), x.Cost()) })
	c.warn()
	return c
}

// keys returns the keys of all figures, each once.
func (c *Comparison) keys() (out []Key) {
	seen := map[Key]bool{}
	for _, s := range []Side{c.A, c.B} {
		for _, r := range s.Runs {
			for _, f := range r.Figures {
				if !seen[f.Key] {
					seen[f.Key] = true
					out = append(out, f.Key)
				}
			}
		}
	}
	return out
}

// sizes compares the stages, and returns for each latency the part of the difference that is
// due to other packet sizes, and of single runs the interval within the runs.
func (c *Comparison) sizes() map[Key]analysis.Change {
	out := map[Key]analysis.Change{}
	a, errA := meanSignature(c.A)
	b, errB := meanSignature(c.B)
	if c.StagesError = cmp.Or(errA, errB); c.StagesError == nil {
		c.Stages, c.StagesError = analysis.Compare(a, b)
	}
	for _, x := range c.Stages.Changes {
		out[c.key(x)] = x
	}
	return out
}

// key returns the key of a latency.
func (c *Comparison) key(x analysis.Change) Key {
	k := Key{Quantity: x.Stage.String(), Where: x.Class}
	if m := c.B.Runs[0].Manifest; len(m.Tags) > 1 {
		k.Program = m.Program(x.Tag)
	}
	return k
}

func meanSignature(s Side) (analysis.Signature, error) {
	if len(s.Runs) == 1 {
		return s.Runs[0].Signature, nil
	}
	var runs []trace.Run
	for _, r := range s.Runs {
		run := trace.Run{Manifest: r.Manifest}
		r.Signature.Store(&run)
		run.Pairs, run.Sequences = nil, nil
		runs = append(runs, run)
	}
	run, err := analysis.Mean(runs)
	return analysis.Of(run), err
}

func (c *Comparison) warn() {
	for i, s := range []Side{c.A, c.B} {
		for _, r := range s.Runs {
			if !r.Manifest.Verified {
				c.Warnings = append(c.Warnings, fmt.Sprintf("%c, seed %d: the result is not verified: %s", 'A'+i, r.Manifest.Seed, r.Manifest.Verification))
			}
		}
	}
	var lists [2][]string
	for i, s := range []Side{c.A, c.B} {
		for _, r := range s.Runs {
			lists[i] = analysis.Join(lists[i], r.Manifest.Warnings)
		}
	}
	for i, list := range lists {
		for _, w := range list {
			switch both := slices.Contains(lists[1-i], w); {
			case !both:
				c.Warnings = append(c.Warnings, fmt.Sprintf("%c: %s", 'A'+i, w))
			case i == 0:
				c.Warnings = append(c.Warnings, w)
			}
		}
	}
}
