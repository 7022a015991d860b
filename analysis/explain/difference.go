package explain

import (
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/compare"
)

// Differ says of what the difference of the run times of two sides is made. It returns nil unless each is one run of the
// model whose trace tells who waited for whom, and is not long. What takes long is kept in the user's cache directory.
func Differ(a, b compare.Side) (*causal.Difference, error) {
	var of [2]causal.Split
	for i, side := range []compare.Side{a, b} {
		if len(side.Runs) > 1 || !explained(side.Runs[0].Manifest) {
			return nil, nil
		}
		run, err := ReadSummary(side.Runs[0].Dir)
		if err != nil {
			return nil, err
		}
		told, err := Causes(run.Dir, run)
		if err != nil || told.Path.Length == 0 {
			return nil, err
		}
		of[i] = told.Path
	}
	d := causal.Differ(of[0], of[1])
	return &d, nil
}
