package judge

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// Judge measures the rows of table whose id starts with prefix and gives each
// its verdict, in table order. If an experiment fails, Judge returns its error: a
// failure gives no verdict. Before is called before each row with its
// index and the number of rows to judge; it may be nil. The checks have to be valid and
// complete.
func (rows Rows) Judge(ctx context.Context, table *Table, prefix string, before func(row Row, i, n int)) ([]Result, error) {
	if err := rows.Validate(table); err != nil {
		return nil, err
	}
	if err := rows.Complete(table); err != nil {
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
		r, err := rows.One(ctx, row)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", row.ID, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// One measures a row and gives it its verdict.
func (rows Rows) One(ctx context.Context, row Row) (Result, error) {
	r := Result{Row: row, Verdict: NotModelled, Note: row.Why}
	if row.Numeric {
		r.PublishedLo, r.PublishedHi = finite(row.Lo), finite(row.Hi)
	}
	check, measured := rows[row.ID]
	if !measured {
		return r, nil
	}
	r.Note = ""
	m, met, err := r.measure(ctx, check)
	if err != nil {
		return r, err
	}
	r.Met = met
	switch {
	case row.Status == Gap:
		r.settleGap(met, m.Value)
	case row.Status == SetsParameter:
		r.settleCalibrated(met)
	case met:
		r.Verdict = Verdict(row.Evidence)
	default:
		r.Verdict = Miss
	}
	if r.hinges() {
		r.addNote("hinges on " + strings.Join(r.HingesOn, ", "))
	}
	return r, nil
}

// hinges reports whether the row shows something, and would not with an assumed number
// changed by 20 %.
func (r Result) hinges() bool {
	return len(r.HingesOn) > 0 && (r.Verdict == Predicted || r.Verdict == Provoked)
}

// measure runs the check and its counter-experiment. It reports whether the
// check meets the row and the counter-experiment does not.
func (r *Result) measure(ctx context.Context, c Check) (m Measured, met bool, err error) {
	if m, err = c.Measure(ctx); err != nil {
		return m, false, fmt.Errorf("experiment %s: %w", c.Experiment, err)
	}
	r.Modelled, r.Experiment, r.Counter, r.Criterion = r.of(m), c.Experiment, c.Counter, cmp.Or(c.Criterion, m.Criterion)
	r.addNote(m.Note)
	met = r.met(m)
	if r.Numeric {
		r.ErrorPct, r.Rule = finite(r.errorPct(m.Value)), r.band().Rule
	}
	if r.WithinWhy != "" {
		r.addNote(fmt.Sprintf("%g %% allowed: %s", r.WithinPct, r.WithinWhy))
	}
	if c.CounterMeasure == nil {
		return m, met, nil
	}
	counter, err := c.CounterMeasure(ctx)
	if err != nil {
		return m, false, fmt.Errorf("counter-experiment %s: %w", c.Counter, err)
	}
	r.addNote(strings.TrimSuffix(c.Counter+": "+r.say(r.of(counter))+", "+counter.Note, ", "))
	if r.met(counter) {
		r.addNote(c.Counter + " meets the row too, so the check shows nothing")
		met = false
	}
	return m, met, nil
}

// met reports whether a measurement satisfies the row.
func (r Row) met(m Measured) bool {
	if !r.Numeric {
		return m.Holds
	}
	return r.band().Contains(m.Value)
}

// settleCalibrated gives the verdict of a row that set a parameter. It is a miss if
// the model does not meet the row.
func (r *Result) settleCalibrated(met bool) {
	r.Verdict = Calibrated
	r.addNote("sets " + r.Sets)
	if !met {
		r.Verdict = Miss
		r.addNote("not met")
	}
}

// settleGap gives the verdict of a known gap. It is a miss if the gap has
// closed or moved, so that the table gets corrected.
func (r *Result) settleGap(met bool, v float64) {
	switch {
	case met:
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has closed: remove its status (line %d)", r.Line))
	case !r.expects(v):
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has moved: %s was expected (line %d)", number(r.Expected), r.Line))
	default:
		r.Verdict = KnownGap
		if r.Numeric {
			r.addNote("expected " + number(r.Expected))
		}
		r.addNote(r.Why)
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
