package logp

import "github.com/sigview/sigview/papers/judge"

// Rows says how the rows of the assessment are measured. Nothing runs before a
// row is judged.
func Rows(seed uint64) judge.Rows {
	r := rows{judge.Rows{}, session{seed: seed, known: judge.Memory{}}}
	for _, add := range []func(rows){
		rows.machines, rows.parameters, rows.variants, rows.shapes, rows.patterns, rows.method, rows.causes, rows.messages, rows.bulk,
	} {
		add(r)
	}
	return r.Rows
}
