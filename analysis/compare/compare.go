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
	// Stages are the latencies that both sides have, with the intervals and the outcomes of their cells.
	Stages      []analysis.Change
	StagesError error // why there are none
	Programs    []Decomposition
	Warnings    []string
}

// LeastPackets is the number of packets of a run below which a mean latency has no outcome, unless somebody
// asks for another.
const LeastPackets = 30

// Compare compares side B with side A. Each side has at least one run. A latency of fewer than minPackets
// packets in a run has no outcome.
func Compare(a, b Side, minPackets int64) Comparison {
	c := Comparison{A: a, B: b, Differs: analysis.Differs(a.Manifest(), b.Manifest(), a.Runs[0].Platform, b.Runs[0].Platform), Pairs: slices.Equal(a.Seeds(), b.Seeds())}
	c.Same = same(a, b, c.Differs)
	sizes := c.sizes()
	stages := map[Key]int{} // the cell of each latency
	for _, k := range c.keys() {
		cell := newCell(k, a, b, c.Pairs)
		if x, ok := sizes[k]; ok {
			cell.atSameSizes(x)
			stages[k] = len(c.Cells)
		}
		cell.silence(minPackets, c.Same)
		c.Cells = append(c.Cells, cell)
	}
	c.outcomes()
	for i := range c.Stages {
		if n, ok := stages[c.key(c.Stages[i])]; ok {
			c.Cells[n].decide(&c.Stages[i])
		}
	}
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

// sizes fills Stages and StagesError. It returns the change of each latency by its key: which part of it comes
// from other packet sizes, and for single runs the interval over packets.
func (c *Comparison) sizes() map[Key]analysis.Change {
	out := map[Key]analysis.Change{}
	a, errA := meanSignature(c.A)
	b, errB := meanSignature(c.B)
	if c.StagesError = cmp.Or(errA, errB); c.StagesError == nil {
		c.Stages, c.StagesError = analysis.Changes(a, b)
	}
	for _, x := range c.Stages {
		out[c.key(x)] = x
	}
	return out
}

// key returns the key of a latency's figure. Program is empty in a run of one program.
func (c *Comparison) key(x analysis.Change) Key {
	k := Key{Quantity: x.Stage.String(), Where: x.Class}
	if m := c.B.Runs[0].Manifest; len(m.Tags) > 1 {
		k.Program = m.Program(x.Tag)
	}
	return k
}

// meanSignature returns the mean over the runs of a side. Only rows and classes have a mean.
func meanSignature(s Side) (analysis.Signature, error) {
	if len(s.Runs) == 1 {
		return s.Runs[0].Signature, nil
	}
	var manifests []trace.Manifest
	var signatures []analysis.Signature
	for _, r := range s.Runs {
		sizes := analysis.Signature{Rows: r.Signature.Rows, Classes: r.Signature.Classes, Real: r.Signature.Real, Warnings: r.Signature.Warnings}
		manifests, signatures = append(manifests, r.Manifest), append(signatures, sizes)
	}
	return analysis.MeanSignature(manifests, signatures)
}

// warn says why latencies are not compared at the same sizes, if there are any, and collects the warnings of both
// sides. One that both sides have is listed once, without the letter of a side.
func (c *Comparison) warn() {
	if c.StagesError != nil && len(c.A.Runs[0].Signature.Classes)+len(c.B.Runs[0].Signature.Classes) > 0 {
		c.Warnings = append(c.Warnings, "latencies are not compared at the same packet sizes: "+c.StagesError.Error())
	}
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
