package experiment

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// rows is how the rows of the published table are measured. The files whose names
// begin with rows_ hold nothing else: rows_shrimp_*, rows_userspace_* and
// rows_logp_* one theme of a paper each, the others what papers share: a bed with
// its witness, a live pair. What several rows read runs once, at the first of them.
type rows struct {
	seed   uint64
	checks judge.Rows

	shared
	comparison *comparison
}

// rowChecks says how rows of the published table are measured. Nothing runs
// before a row is judged.
func rowChecks(seed uint64) judge.Rows {
	r := &rows{seed: seed, checks: judge.Rows{}}
	r.shared, r.comparison = newShared(seed), newComparison(seed)
	r.hardware()
	r.network()
	r.layer()
	r.monitor()
	r.histograms()
	r.latencies()
	r.clocks()
	r.probes()
	r.perturbation()
	r.baseline()
	r.transform()
	r.contention()
	r.memory()
	r.programs()
	r.messages()
	r.cells()
	r.compare()
	r.assess()
	return r.checks
}

// add says how a row is measured.
func (r *rows) add(id, experiment string, m judge.Measure) { r.versus(id, experiment, m, "", nil) }

// versus is add with a counter-experiment.
func (r *rows) versus(id, experiment string, m judge.Measure, counter string, cm judge.Measure) {
	r.checks.Add(id, judge.Check{Experiment: experiment, Measure: m, Counter: counter, CounterMeasure: cm})
}

// value is a measured number and the figures behind it.
func value(v float64, note string, args ...any) judge.Measured {
	return judge.Measured{Value: v, Note: fmt.Sprintf(note, args...)}
}

// holds says whether a statement is true of the model, and the figures behind it.
func holds(ok bool, note string, args ...any) judge.Measured {
	return judge.Measured{Holds: ok, Note: fmt.Sprintf(note, args...)}
}

// forAll makes one statement of the same one about several things: it holds if it
// holds of each, and note, which has one verb for them, tells of all in order.
func forAll[T any](things []T, note, between string, f func(T) (judge.Measured, error)) (judge.Measured, error) {
	ok := true
	var seen []string
	for _, t := range things {
		m, err := f(t)
		if err != nil {
			return judge.Measured{}, err
		}
		ok = ok && m.Holds
		seen = append(seen, m.Note)
	}
	return holds(ok, note, strings.Join(seen, between)), nil
}

// plain makes a measurement of an experiment that nobody shares.
func plain(f func() (judge.Measured, error)) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		if err := ctx.Err(); err != nil {
			return judge.Measured{}, err
		}
		return f()
	}
}

// read makes a measurement of an experiment that rows share.
func read[T any](get func(context.Context) (T, error), f func(T) (judge.Measured, error)) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		v, err := get(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		return f(v)
	}
}
