package judge

import (
	"fmt"
	"io"
	"math"
)

// gapPct is how far a known gap may move before it has to be written down
// anew.
const gapPct = 10

// Gap is a row that the model is known to miss. It fails as soon as the row
// passes, so that it gets removed, and when the figure moves.
type Gap struct {
	ID       string
	Numeric  bool    // false for a row in words
	Expected float64 // what the model gives, in the row's unit
	Cause    string
	Line     int
}

var gapColumns = []string{"id", "expected", "unit", "cause"}

// ParseGaps reads the known gaps of a table: each names a row of it, the
// model's present figure in the row's unit (empty for rows in words) and the
// cause.
func ParseGaps(name string, r io.Reader, table *Table) (map[string]Gap, error) {
	gaps := map[string]Gap{}
	err := eachRecord(name, r, gapColumns, func(rec record) error {
		g := Gap{ID: rec.get("id"), Cause: rec.get("cause"), Line: rec.line}
		row, ok := table.Row(g.ID)
		if !ok {
			return rec.fail("id", "the id of a row of "+table.Name)
		}
		if first, twice := gaps[g.ID]; twice {
			return rec.fail("id", fmt.Sprintf("an id not used before (line %d has it)", first.Line))
		}
		if g.Cause == "" {
			return rec.fail("cause", "the reason why the model misses the row")
		}
		if rec.get("unit") != row.Unit {
			return rec.fail("unit", "the row's unit "+row.Unit)
		}
		if g.Numeric = row.Numeric; g.Numeric {
			var err error
			if g.Expected, err = rec.number("expected"); err != nil {
				return err
			}
		} else if rec.get("expected") != "" {
			return rec.fail("expected", "nothing, as the row has no number")
		}
		gaps[g.ID] = g
		return nil
	})
	return gaps, err
}

// holds reports whether a measured value is still the one written down.
func (g Gap) holds(v float64) bool {
	if !g.Numeric {
		return true
	}
	return math.Abs(v-g.Expected) <= math.Abs(g.Expected)*gapPct/100+exact
}
