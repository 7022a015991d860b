package logp

import "github.com/sigview/sigview/papers/judge"

// Names of experiments.
const (
	ofPairs   = "round trips of all pairs of nodes"
	ofBoth    = "signature, and round trips of all pairs"
	signature = "signature"
)

// rows are the checks, which share what their sessions find.
type rows struct {
	judge.Rows
	session session
}

// of adds a row that f measures, given arg.
func of[T any](r rows, id, experiment string, f func(session, T) judge.Measured, arg T) {
	r.Of(id, experiment, r.session.measure(func(s session) judge.Measured { return f(s, arg) }))
}

// versus is of with a counter-experiment, which is the same with another
// argument.
func versus[T any](r rows, id, experiment string, f func(session, T) judge.Measured, arg T, counter string, other T) {
	of(r, id, experiment, f, arg)
	r.counter(id, counter, func(s session) judge.Measured { return f(s, other) })
}

// under adds a row of machines as they are, whose counter-experiment is the
// same on machines with a change.
func (r rows) under(id, experiment string, f func(session) judge.Measured, c change) {
	r.Of(id, experiment, r.session.measure(f))
	r.counter(id, string(c), func(s session) judge.Measured { return f(s.with(c)) })
}

// counter gives a row a counter-experiment.
func (r rows) counter(id, name string, f func(session) judge.Measured) {
	c := r.Rows[id]
	c.Counter, c.CounterMeasure = name, r.session.measure(f)
	r.Rows[id] = c
}
