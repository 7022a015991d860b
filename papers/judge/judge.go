package judge

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Verdict says how a row stands.
type Verdict string

// The verdicts, in the order in which totals are given.
const (
	Pass        Verdict = "pass"
	Miss        Verdict = "miss"
	KnownGap    Verdict = "known_gap"    // missed as written down, with the cause
	Calibrated  Verdict = "calibrated"   // the row set a parameter, and where it is measured it is met
	NotChecked  Verdict = "not_checked"  // modelled, or not of the model's concern, and nothing measures it
	NotModelled Verdict = "not_modelled" // speaks of something that the model does not contain
)

// Verdicts lists all verdicts in the order in which totals are given.
func Verdicts() []Verdict {
	return []Verdict{Pass, Miss, KnownGap, Calibrated, NotChecked, NotModelled}
}

// Result is one judged row.
type Result struct {
	Row      Row
	Verdict  Verdict
	Measured *Measured // nil when nothing was measured
	ErrorPct float64   // NaN when it cannot be given
	Rule     string    // what was asked of the value, in words; empty when nothing was
	// Experiment and Counter name what was run.
	Experiment, Counter string
	Note                string
}

// Judge measures every row of table that the plan has a check for and gives
// each row its verdict. Rows come in table order. An experiment that fails
// ends the judgement: a failure never reads as a pass, nor as a miss.
func (p Plan) Judge(ctx context.Context, table *Table, gaps map[string]Gap) ([]Result, error) {
	if err := p.Validate(table); err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(table.Rows))
	for i, row := range table.Rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.Before != nil {
			p.Before(row, i)
		}
		r, err := p.judge(ctx, row, gaps)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", row.ID, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func (p Plan) judge(ctx context.Context, row Row, gaps map[string]Gap) (Result, error) {
	r := Result{Row: row, ErrorPct: math.NaN()}
	gap, isGap := gaps[row.ID]
	check, checked := p.Checks[row.ID]
	parameter, calibrated := p.Calibrated[row.ID]
	if isGap && (!checked || calibrated) {
		return r, fmt.Errorf("a known gap (line %d) needs a check and cannot set a parameter", gap.Line)
	}
	if !checked && !calibrated {
		r.Verdict = NotChecked
		if p.NotModelled != nil {
			if reason, yes := p.NotModelled(row); yes {
				r.Verdict, r.Note = NotModelled, reason
			}
		}
		return r, nil
	}
	ok := false
	if checked {
		var err error
		if ok, err = r.measure(ctx, check); err != nil {
			return r, err
		}
	}
	switch {
	case calibrated && checked && !ok:
		r.Verdict = Miss
		r.addNote("sets " + parameter + ", and is not met")
	case calibrated:
		r.Verdict = Calibrated
		r.addNote("sets " + parameter)
	case isGap:
		r.settleGap(ok, gap)
	case ok:
		r.Verdict = Pass
	default:
		r.Verdict = Miss
	}
	return r, nil
}

// measure runs the check and its counter-experiment and reports whether the
// row is met by the one and not by the other.
func (r *Result) measure(ctx context.Context, c Check) (bool, error) {
	m, err := c.Measure(ctx)
	if err != nil {
		return false, fmt.Errorf("experiment %s: %w", c.Experiment, err)
	}
	r.Measured, r.Experiment, r.Counter = &m, c.Experiment, c.Counter
	r.addNote(m.Note)
	met := r.Row.met(m, c.WithinPct)
	if r.Row.Numeric {
		r.ErrorPct = r.Row.errorPct(m.Value)
		r.Rule = r.Row.band(c.WithinPct).Rule
	}
	if c.Why != "" {
		r.addNote(fmt.Sprintf("%g %% allowed: %s", c.WithinPct, c.Why))
	}
	if c.CounterMeasure == nil {
		return met, nil
	}
	counter, err := c.CounterMeasure(ctx)
	if err != nil {
		return false, fmt.Errorf("counter-experiment %s: %w", c.Counter, err)
	}
	r.addNote(c.Counter + ": " + r.Row.say(counter))
	if r.Row.met(counter, c.WithinPct) {
		r.addNote(c.Counter + " meets the row too, so the check shows nothing")
		return false, nil
	}
	return met, nil
}

// say puts a counter-experiment's outcome into words.
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
func (r Row) met(m Measured, withinPct float64) bool {
	if !r.Numeric {
		return m.Holds
	}
	return r.band(withinPct).Contains(m.Value)
}

func (r *Result) settleGap(ok bool, gap Gap) {
	switch {
	case ok:
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has closed: remove it (line %d)", gap.Line))
	case !gap.holds(r.Measured.Value):
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has moved: %s written down (line %d)", number(gap.Expected), gap.Line))
	default:
		r.Verdict = KnownGap
		if gap.Numeric {
			r.addNote("expected " + number(gap.Expected))
		}
		r.addNote(gap.Cause)
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

// Once returns a function that runs f at its first call and hands every
// caller the same outcome, so that rows can share an experiment. It is for a
// single goroutine.
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
