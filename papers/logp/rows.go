package logp

import (
	"context"

	"github.com/sigview/sigview/papers/judge"
)

// Rows says how the rows of the assessment are measured. Nothing runs before a
// row is judged.
func Rows(seed uint64) judge.Rows {
	r := rows{judge.Rows{}, newAssessment(seed)}
	r.machines()
	r.parameters()
	r.variants()
	r.shapes()
	r.method()
	r.patterns()
	r.causes()
	r.messages()
	r.bulk()
	return r.Rows
}

// rows are the checks, which share what they measure.
type rows struct {
	judge.Rows
	*assessment
}

// in makes an experiment of a function that has a session.
func in[T, V any](a *assessment, f func(session, T) V, arg T) func(context.Context) (V, error) {
	return judge.Run(func(s *judge.Session) V { return f(session{s, a}, arg) })
}

// of adds a row that f measures, given arg.
func of[T any](r rows, id, experiment string, f func(session, T) judge.Measured, arg T) {
	r.Of(id, experiment, in(r.assessment, f, arg))
}

// versus is of with a counter-experiment, which is the same with another
// argument.
func versus[T any](r rows, id, experiment string, f func(session, T) judge.Measured, arg T, counter string, other T) {
	r.Versus(id, experiment, in(r.assessment, f, arg), counter, in(r.assessment, f, other))
}

// under adds a row of machines as they are, whose counter-experiment is the
// same on machines with a change.
func (r rows) under(id, experiment string, f func(session, change) judge.Measured, c change) {
	versus(r, id, experiment, f, unchanged, string(c), c)
}
