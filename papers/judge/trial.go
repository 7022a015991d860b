package judge

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// Trial is what one seed says about the measured rows of a table, by id.
type Trial struct {
	Seed     uint64
	Outcomes map[string]Outcome
}

// Outcome is what one seed says about one row.
type Outcome struct {
	Measured
	Experiment, Counter string
	// Met tells whether the measurement satisfies the row and its
	// counter-experiment does not.
	Met       bool
	countered *Measured // nil without a counter-experiment
}

// Try measures the rows of table whose id starts with prefix and that have a check, in
// table order. The checks have to be valid. An experiment that fails ends it and gives no
// outcome. Before is called before each row; it may be nil.
func (rows Rows) Try(ctx context.Context, table *Table, prefix string, seed uint64, before func(Row)) (Trial, error) {
	t := Trial{seed, map[string]Outcome{}}
	if err := rows.Validate(table); err != nil {
		return t, err
	}
	for _, row := range table.Only(prefix) {
		check, measured := rows[row.ID]
		if !measured {
			continue
		}
		if err := ctx.Err(); err != nil {
			return t, err
		}
		if before != nil {
			before(row)
		}
		o, err := check.try(ctx, row)
		if err != nil {
			return t, fmt.Errorf("row %s: seed %d: %w", row.ID, seed, err)
		}
		t.Outcomes[row.ID] = o
	}
	return t, nil
}

// One measures a row and gives it its verdict by this measurement alone.
func (rows Rows) One(ctx context.Context, row Row) (Result, error) {
	check, measured := rows[row.ID]
	if !measured {
		return row.judge(nil), nil
	}
	o, err := check.try(ctx, row)
	return row.judge([]Outcome{o}), err
}

// try runs a check and its counter-experiment.
func (c Check) try(ctx context.Context, row Row) (Outcome, error) {
	m, err := c.Measure(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("experiment %s: %w", c.Experiment, err)
	}
	m.Criterion = cmp.Or(c.Criterion, m.Criterion)
	o := Outcome{Measured: m, Experiment: c.Experiment, Counter: c.Counter, Met: row.met(m)}
	if c.CounterMeasure == nil {
		return o, nil
	}
	counter, err := c.CounterMeasure(ctx)
	if err != nil {
		return o, fmt.Errorf("counter-experiment %s: %w", c.Counter, err)
	}
	o.countered = &counter
	o.Met = o.Met && !row.met(counter)
	return o, nil
}

// note says what the experiment and the counter-experiment showed.
func (o Outcome) note(row Row) string {
	s := strings.TrimSpace(o.Note)
	if row.WithinWhy != "" {
		s = joined(s, fmt.Sprintf("%g %% allowed: %s", row.WithinPct, row.WithinWhy))
	}
	if o.countered == nil {
		return s
	}
	s = joined(s, strings.TrimSuffix(o.Counter+": "+row.say(row.of(*o.countered))+", "+o.countered.Note, ", "))
	if row.met(*o.countered) {
		s = joined(s, o.Counter+" meets the row too, so the check shows nothing")
	}
	return s
}

// joined appends a part to a note.
func joined(note, part string) string {
	if part = strings.TrimSpace(part); part == "" || note == "" {
		return note + part
	}
	return note + "; " + part
}

// met reports whether a measurement satisfies the row.
func (r Row) met(m Measured) bool {
	if !r.Numeric {
		return m.Holds
	}
	return r.band().Contains(m.Value)
}
