package data

import (
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/report"
)

// Compared is run b compared with run a. Comparing takes time, so it is done once
// for each pair, outside of Update.
type Compared struct {
	A, B *Data
	Made []analysis.Change
	Said []string // what moved, as sigview diff says it
	Diff report.Diff
	Err  error
}

// NewCompared compares two runs, or the runs of two directories, over all pairs of nodes
// together.
func NewCompared(a, b *Data) *Compared {
	c := &Compared{A: a, B: b}
	var sides [2]compare.Side
	for i, d := range []*Data{a, b} {
		if sides[i], c.Err = d.side(); c.Err != nil {
			return c
		}
	}
	made := compare.Compare(sides[0], sides[1], compare.LeastPackets)
	c.Made, c.Said, c.Err = made.Stages, made.Moved(), made.StagesError
	c.Diff.Comparison = made
	if causes, err := explain.Differ(sides[0], sides[1]); err == nil && causes != nil && !made.Same { // what cannot be read is told elsewhere
		c.Diff.Causes = causes
		c.Said = append([]string{causes.String()}, c.Said...)
	}
	return c
}

// side returns the runs whose mean is shown, or the run.
func (d *Data) side() (compare.Side, error) {
	if len(d.Run.Manifest.Seeds) > 1 {
		return explain.Side(d.Dir)
	}
	s := d.Signature
	s.Pairs = nil
	return compare.Side{Name: d.Dir, Runs: []compare.Run{compare.OfSignature(d.Run, s)}}, nil
}
