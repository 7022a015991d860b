package explain

import (
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/compare"
)

// Differ says of what the difference of the run times of two sides is made. It returns nil unless each is one run of the
// model whose trace tells who waited for whom, and is not long.
func Differ(a, b compare.Side) (*causal.Difference, error) {
	var of [2]*causal.Explanation
	for i, side := range []compare.Side{a, b} {
		if len(side.Runs) > 1 || !explained(side.Runs[0].Manifest) {
			return nil, nil
		}
		t, err := Explain(side.Runs[0].Dir, Question{Top: 1})
		if err != nil || t.NoPath || t.PacketsOnly {
			return nil, err
		}
		of[i] = t.Explanation
	}
	d := causal.Differ(of[0], of[1])
	return &d, nil
}
