package judge

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Judge measures the rows of table whose id starts with prefix and gives each
// its verdict, in table order. An experiment that fails ends the judgement: a
// failure is neither a pass nor a miss. Before is called ahead of each row
// with its index and the number of rows to judge; it may be nil.
func (rows Rows) Judge(ctx context.Context, table *Table, prefix string, before func(row Row, i, n int)) ([]Result, error) {
	if err := rows.Validate(table); err != nil {
		return nil, err
	}
	part := table.Only(prefix)
	results := make([]Result, 0, len(part))
	for i, row := range part {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if before != nil {
			before(row, i, len(part))
		}
		r, err := rows.judge(ctx, row)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", row.ID, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func (rows Rows) judge(ctx context.Context, row Row) (Result, error) {
	r := Result{Row: row, ErrorPct: math.NaN(), Verdict: NotChecked}
	check, measured := rows[row.ID]
	if !measured {
		if row.Status == Absent {
			r.Verdict, r.Note = NotModelled, row.Why
		}
		return r, nil
	}
	met, err := r.measure(ctx, check)
	if err != nil {
		return r, err
	}
	switch {
	case row.Status == Gap:
		r.settleGap(met)
	case row.Status == SetsParameter:
		r.settleCalibrated(met)
	case met:
		r.Verdict = Pass
	default:
		r.Verdict = Miss
	}
	return r, nil
}

// measure runs the check and its counter-experiment. It reports whether the
// check meets the row and the counter-experiment does not.
func (r *Result) measure(ctx context.Context, c Check) (bool, error) {
	m, err := c.Measure(ctx)
	if err != nil {
		return false, fmt.Errorf("experiment %s: %w", c.Experiment, err)
	}
	r.Measured, r.Experiment, r.Counter, r.Criterion = &m, c.Experiment, c.Counter, c.Criterion
	r.addNote(m.Note)
	met := r.Row.met(m)
	if r.Row.Numeric {
		r.ErrorPct = r.Row.errorPct(m.Value)
		r.Rule = r.Row.band().Rule
	}
	if r.Row.WithinWhy != "" {
		r.addNote(fmt.Sprintf("%g %% allowed: %s", r.Row.WithinPct, r.Row.WithinWhy))
	}
	if c.CounterMeasure == nil {
		return met, nil
	}
	counter, err := c.CounterMeasure(ctx)
	if err != nil {
		return false, fmt.Errorf("counter-experiment %s: %w", c.Counter, err)
	}
	r.addNote(c.Counter + ": " + r.Row.say(counter))
	if r.Row.met(counter) {
		r.addNote(c.Counter + " meets the row too, so the check shows nothing")
		return false, nil
	}
	return met, nil
}

// say puts the outcome of a counter-experiment into words.
func (r Row) say(m Measured) string {
	text := "does not hold"
	switch {
	case r.Numeric:
		text = number(m.Value) + " " + r.Unit
	case m.Holds:
		text = "holds"
	}
	if m.Note != "" {
		text += ", " + m.Note
	}
	return text
}

// met reports whether a measurement satisfies the row.
func (r Row) met(m Measured) bool {
	if !r.Numeric {
		return m.Holds
	}
	return r.band().Contains(m.Value)
}

// settleCalibrated gives the verdict of a row that set a parameter. If the
// model does not meet it, the parameter is not what the row says.
func (r *Result) settleCalibrated(met bool) {
	r.Verdict = Calibrated
	if r.Row.Sets != "" {
		r.addNote("sets " + r.Row.Sets)
	}
	r.addNote(r.Row.Why)
	if !met {
		r.Verdict = Miss
		r.addNote("not met")
	}
}

// settleGap gives the verdict of a known gap. It is a miss if the gap has
// closed or moved, so that the table gets corrected.
func (r *Result) settleGap(met bool) {
	switch {
	case met:
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has closed: remove its status (line %d)", r.Row.Line))
	case !r.Row.expects(r.Measured.Value):
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has moved: %s was expected (line %d)", number(r.Row.Expected), r.Row.Line))
	default:
		r.Verdict = KnownGap
		if r.Row.Numeric {
			r.addNote("expected " + number(r.Row.Expected))
		}
		r.addNote(r.Row.Why)
	}
}

func (r *Result) addNote(s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	if r.Note != "" {
		r.Note += "; "
	}
	r.Note += s
}
