package plogp

import (
	"github.com/sigview/sigview/papers/judge"
)

// Rows returns the checks of the paper's rows. No experiment runs before a row is judged.
func Rows(seed uint64) judge.Rows {
	r := rows{Rows: judge.Rows{}, seed: seed}
	r.fast = judge.Memo(r.run)
	for _, add := range []func(rows){rows.method, rows.formulas, rows.model, rows.compare, rows.costs, rows.limits, rows.expected} {
		add(r)
	}
	return r.Rows
}
