package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Measured is what one experiment says about one row.
type Measured struct {
	Value float64 // in the row's unit; not used for rows in words
	Holds bool    // for rows in words: the statement is true of the model
	Note  string  // the figures behind it, shown beside the verdict
}

// Measure runs an experiment, or reads off one that has run, for one row. A
// measurement that cannot be made is an error, never a zero.
type Measure func(context.Context) (Measured, error)

// Check says how a row is measured.
type Check struct {
	Experiment string // name of the experiment that is run
	Measure    Measure

	// Counter names the counter-experiment: the same with the mechanism
	// switched off. It has to fail the row. Needed for behaviour and design
	// rows, allowed for all.
	Counter        string
	CounterMeasure Measure

	// WithinPct replaces the ten per cent that a single published value is
	// given; Why is then the reason and is shown.
	WithinPct float64
	Why       string
}

// Plan says, for each row of a table, how it is measured or why it is not.
type Plan struct {
	// Checks by row id.
	Checks map[string]Check
	// Calibrated rows set a parameter of the model, by row id: which one.
	// They are never a success of the model, whatever it gives. One that has a
	// check all the same is missed when the check is not met: the parameter is
	// not what the row says.
	Calibrated map[string]string
	// NotModelled says which rows speak of something that the model does not
	// contain, and what that is. Nil means none.
	NotModelled func(Row) (reason string, yes bool)
	// Before is called ahead of each row's judgement with its place in the
	// table. Nil means nobody wants to know.
	Before func(row Row, index int)
}

// Validate checks a plan against the table that it is for.
func (p Plan) Validate(table *Table) error {
	for _, id := range sortedKeys(p.Checks) {
		c := p.Checks[id]
		row, ok := table.Row(id)
		switch {
		case !ok:
			return fmt.Errorf("check %s: no such row in %s", id, table.Name)
		case c.Experiment == "" || c.Measure == nil:
			return fmt.Errorf("check %s: needs a named experiment and a measurement", id)
		case (c.Counter == "") != (c.CounterMeasure == nil):
			return fmt.Errorf("check %s: a counter-experiment needs both a name and a measurement", id)
		case row.Kind.needsCounter() && c.Counter == "" && p.Calibrated[id] == "":
			return fmt.Errorf("check %s: a %s row needs a counter-experiment that fails", id, row.Kind)
		case c.WithinPct < 0:
			return fmt.Errorf("check %s: tolerance is %g %%, want a positive number", id, c.WithinPct)
		case (c.WithinPct != 0) != (c.Why != ""):
			return fmt.Errorf("check %s: a tolerance of its own needs a reason, and a reason a tolerance", id)
		case c.WithinPct != 0 && (!row.Numeric || row.Lo != row.Hi):
			return fmt.Errorf("check %s: a tolerance of its own is for single values", id)
		}
	}
	for _, id := range sortedKeys(p.Calibrated) {
		if _, ok := table.Row(id); !ok {
			return fmt.Errorf("calibrated %s: no such row in %s", id, table.Name)
		}
		if p.Calibrated[id] == "" {
			return fmt.Errorf("calibrated %s: name the parameter that it sets", id)
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
