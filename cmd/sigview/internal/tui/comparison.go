package tui

import (
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
)

// Compared is run b compared with run a. Comparing takes time, so it is done once
// for each pair, outside of Update.
type Compared struct {
	a, b *Data
	made analysis.Comparison
	err  error
}

// NewCompared compares two runs, or the runs of two directories, over all pairs of nodes
// together.
func (lab Lab) NewCompared(a, b *Data) *Compared {
	c := &Compared{a: a, b: b}
	var sides [2]compare.Side
	for i, d := range []*Data{a, b} {
		if sides[i], c.err = lab.side(d); c.err != nil {
			return c
		}
	}
	made := compare.Compare(sides[0], sides[1], 0)
	c.made, c.err = made.Stages, made.StagesError
	return c
}

// side returns the runs whose mean is shown, or the run.
func (lab Lab) side(d *Data) (compare.Side, error) {
	if len(d.Run.Manifest.Seeds) > 1 && lab.Side != nil {
		return lab.Side(d.Dir)
	}
	run := d.Run
	d.Signature.Store(&run)
	run.Pairs = nil
	return compare.Side{Name: d.Dir, Runs: []compare.Run{compare.Of(run)}}, nil
}
