package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Measured is what one experiment says about one row.
type Measured struct {
	Value float64 // in the row's unit; not used for rows in words
	Holds bool    // for rows in words: the statement is true of the model
	Note  string  // the figures behind it, shown beside the verdict

	// Criterion says in words what was tested, for checks without a Criterion.
	Criterion string
}

// Measure measures one row, by a new experiment or from one that has run. It
// returns an error, never a zero, when it cannot measure.
type Measure func(context.Context) (Measured, error)

// Experiment returns results from which rows are measured, or an error.
type Experiment[T any] = func(context.Context) (T, error)

// Check says how a row is measured.
type Check struct {
	Experiment string // name of the experiment
	Measure    Measure

	// Counter names the counter-experiment: the same experiment with the
	// mechanism switched off. It must not meet the row. A row that
	// is provoked needs one; any row may have one.
	Counter        string
	CounterMeasure Measure

	// Criterion states in words what Measure tests, with its thresholds. It is
	// shown with the row.
	Criterion string
}

// Rows are the checks of a table's rows, by row id.
type Rows map[string]Check

// Add adds the check of one row. It panics if the row has one already.
func (rows Rows) Add(id string, c Check) {
	if _, twice := rows[id]; twice {
		panic("judge: row " + id + " is measured twice")
	}
	rows[id] = c
}

// Of adds the check of a row without a counter-experiment. The optional criterion
// states in words what is tested.
func (rows Rows) Of(id, experiment string, m Measure, criterion ...string) {
	rows.Versus(id, experiment, m, "", nil, criterion...)
}

// Versus is Of with a counter-experiment.
func (rows Rows) Versus(id, experiment string, m Measure, counter string, cm Measure, criterion ...string) {
	rows.Add(id, Check{Experiment: experiment, Measure: m, Counter: counter, CounterMeasure: cm, Criterion: strings.Join(criterion, "; ")})
}

// Merge adds all checks of others. It panics if a row has a check in both.
func (rows Rows) Merge(others Rows) {
	for _, id := range others.ids() {
		rows.Add(id, others[id])
	}
}

// Validate checks that the table has the row of every check, does not mark it
// absent, and that the check has a counter-experiment if the row needs one.
func (rows Rows) Validate(table *Table) error {
	for _, id := range rows.ids() {
		c := rows[id]
		row, ok := table.Row(id)
		switch {
		case !ok:
			return fmt.Errorf("check %s: no such row in %s", id, table.Name)
		case row.Status == Absent:
			return table.statusError(row, "another status, because experiment "+c.Experiment+" measures the row")
		case c.Experiment == "" || c.Measure == nil:
			return fmt.Errorf("check %s: needs a named experiment and a measurement", id)
		case (c.Counter == "") != (c.CounterMeasure == nil):
			return fmt.Errorf("check %s: a counter-experiment needs both a name and a measurement", id)
		case row.Evidence == Provocation && c.Counter == "":
			return fmt.Errorf("check %s: a row that is %s needs a counter-experiment that fails", id, row.Evidence)
		}
	}
	return nil
}

// Complete returns an error if a row of the table is neither measured nor marked
// absent.
func (rows Rows) Complete(table *Table) error {
	for _, row := range table.Rows {
		if _, measured := rows[row.ID]; !measured && row.Status != Absent {
			return table.statusError(row, fmt.Sprintf("%s with the reason, because nothing measures row %s", Absent, row.ID))
		}
	}
	return nil
}

func (t *Table) statusError(row Row, want string) error {
	return &SyntaxError{File: t.Name, Line: row.Line, Field: "status", Value: string(row.Status), Want: want}
}

func (rows Rows) ids() []string { return slices.Sorted(maps.Keys(rows)) }

// Once returns a function that runs f on its first call and returns the same result
// on every call, so that rows can share an experiment. It is not safe for concurrent
// use.
func Once[T any](f func(context.Context) (T, error)) func(context.Context) (T, error) {
	var (
		done  bool
		value T
		err   error
	)
	return func(ctx context.Context) (T, error) {
		if !done {
			value, err = f(ctx)
			done = true
		}
		return value, err
	}
}
