package tui

import "github.com/sigview/sigview/analysis"

// Compared is run b compared with run a. Comparing takes time, so it is done once
// for each pair, outside of Update.
type Compared struct {
	a, b *Data
	made analysis.Comparison
	err  error
}

// NewCompared compares two runs over all pairs of nodes together.
func NewCompared(a, b *Data) *Compared {
	c := &Compared{a: a, b: b}
	x, y := a.Signature, b.Signature
	x.Pairs, y.Pairs = nil, nil
	c.made, c.err = analysis.Compare(x, y)
	return c
}
