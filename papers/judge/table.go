package judge

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Kind says what a row is to the model.
type Kind string

// The kinds of row.
const (
	Input     Kind = "input"     // a property of the hardware or set-up; may set a parameter
	Output    Kind = "output"    // a measured figure; must emerge
	Behaviour Kind = "behaviour" // how figures relate or change
	Design    Kind = "design"    // how the system is built
)

var kinds = []Kind{Input, Output, Behaviour, Design}

// needsCounter reports whether a row of this kind passes only together with a
// counter-experiment that fails: a statement about a mechanism shows nothing
// unless its absence shows.
func (k Kind) needsCounter() bool { return k == Behaviour || k == Design }

// Reading says how a published number is read.
type Reading string

// The readings. A statement in words has none.
const (
	Range  Reading = "range"  // within value_lo and value_hi, ends included
	Exact  Reading = "exact"  // a matter of construction, to be met exactly
	Approx Reading = "approx" // to be met within a tolerance
)

var readings = []Reading{Range, Exact, Approx}

// Status says what is known about the model and a row before it is measured.
type Status string

// The statuses. A row without one is measured, and met or missed.
const (
	SetsParameter Status = "calibrated" // it set a parameter, so that meeting it is no success
	Gap           Status = "gap"        // the model is known to miss it
	Absent        Status = "absent"     // the model does not contain what it speaks of
)

var statuses = []Status{"", SetsParameter, Gap, Absent}

// textUnit marks rows whose value is a text: the entry of a published table.
const textUnit = "text"

// wordUnits mark rows that state something in words and have no number.
var wordUnits = []string{"predicate", textUnit, "formula"}

// Row is one published statement.
type Row struct {
	ID         string
	Paper      string // short name of the source
	Where      string // section, table or figure
	Platform   string
	Layer      string
	Quantity   string
	Conditions string
	Unit       string
	Kind       Kind
	Note       string

	// Numeric is false for statements in words; then Lo and Hi are zero and
	// there is no Reading.
	Numeric bool
	// Lo and Hi are the published range in Unit: equal for a single value,
	// infinite where one side is open.
	Lo, Hi  float64
	Reading Reading
	Text    string // the published value of a row whose unit is text

	Status   Status
	Why      string  // why a gap is missed, a row is absent, or a calibrated row proves nothing
	Sets     string  // the parameter that a calibrated row set
	Expected float64 // what the model gives for a gap with a number, in Unit

	// WithinPct is the row's own tolerance, in per cent of the published
	// value, and WithinWhy its reason. Zero means the default.
	WithinPct float64
	WithinWhy string

	Line int // in the file, from 1
}

// Table is a set of rows in file order, with unique ids.
type Table struct {
	Name string
	Rows []Row
	byID map[string]int
}

// Row returns the row with this id.
func (t *Table) Row(id string) (Row, bool) {
	i, ok := t.byID[id]
	if !ok {
		return Row{}, false
	}
	return t.Rows[i], true
}

// IDs returns all ids in file order.
func (t *Table) IDs() []string {
	ids := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		ids[i] = r.ID
	}
	return ids
}

// Only returns the rows whose id starts with prefix, in file order.
func (t *Table) Only(prefix string) []Row {
	var out []Row
	for _, r := range t.Rows {
		if strings.HasPrefix(r.ID, prefix) {
			out = append(out, r)
		}
	}
	return out
}

var tableColumns = []string{
	"id", "paper", "where", "platform", "layer", "quantity", "conditions",
	"value_lo", "value_hi", "unit", "kind", "note",
	"text", "reading", "status", "why", "sets", "expected", "within_pct", "within_why",
}

// ParseTable reads a table of published figures. The name appears in errors.
// It checks all of it: the header, the number of fields, unique ids, known
// kinds, readings and statuses, ranges in order, that a row has a number
// exactly when its unit measures one, and that each of the other columns is
// filled where the row's status or tolerance needs it and nowhere else.
// A flaw is a *SyntaxError.
func ParseTable(name string, r io.Reader) (*Table, error) {
	t := &Table{Name: name, byID: map[string]int{}}
	err := eachRecord(name, r, tableColumns, func(rec record) error {
		row, err := parseRow(rec)
		if err != nil {
			return err
		}
		if first, twice := t.byID[row.ID]; twice {
			return rec.fail("id", fmt.Sprintf("an id not used before (line %d has it)", t.Rows[first].Line))
		}
		t.byID[row.ID] = len(t.Rows)
		t.Rows = append(t.Rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(t.Rows) == 0 {
		return nil, &SyntaxError{File: name, Line: 1, Value: "no rows", Want: "at least one"}
	}
	return t, nil
}

func parseRow(rec record) (Row, error) {
	row := Row{
		ID: rec.get("id"), Paper: rec.get("paper"), Where: rec.get("where"),
		Platform: rec.get("platform"), Layer: rec.get("layer"),
		Quantity: rec.get("quantity"), Conditions: rec.get("conditions"),
		Unit: rec.get("unit"), Kind: Kind(rec.get("kind")), Note: rec.get("note"),
		Line: rec.line,
	}
	if !validID(row.ID) {
		return Row{}, rec.fail("id", "letters, digits, '-', '.' or '_'")
	}
	if !slices.Contains(kinds, row.Kind) {
		return Row{}, rec.fail("kind", "one of input, output, behaviour, design")
	}
	for _, column := range []string{"paper", "quantity", "unit"} {
		if rec.get(column) == "" {
			return Row{}, rec.fail(column, "some text")
		}
	}
	if err := row.parseValue(rec); err != nil {
		return Row{}, err
	}
	if err := row.parseStatus(rec); err != nil {
		return Row{}, err
	}
	return row, row.parseTolerance(rec)
}

// parseValue reads the published number and how it is read.
func (r *Row) parseValue(rec record) (err error) {
	lo, hi := rec.get("value_lo"), rec.get("value_hi")
	r.Text, r.Reading = rec.get("text"), Reading(rec.get("reading"))
	if err := rec.filled("text", r.Unit == textUnit, "the published text", "the unit is not text"); err != nil {
		return err
	}
	if r.Numeric = !slices.Contains(wordUnits, r.Unit); !r.Numeric {
		if lo != "" || hi != "" {
			return rec.fail("unit", "the unit of a number, as the row has one")
		}
		return rec.filled("reading", false, "", "the row has no number")
	}
	if r.Lo, err = rec.number("value_lo"); err != nil {
		return err
	}
	if r.Hi, err = rec.number("value_hi"); err != nil {
		return err
	}
	switch {
	case r.Lo > r.Hi || (r.Lo == r.Hi && math.IsInf(r.Lo, 0)):
		return rec.fail("value_hi", "at least value_lo "+lo)
	case !slices.Contains(readings, r.Reading):
		return rec.fail("reading", "one of range, exact, approx")
	case r.Lo != r.Hi && r.Reading != Range:
		return rec.fail("reading", "range, as value_lo and value_hi differ")
	case r.Lo == r.Hi && r.Reading == Range:
		return rec.fail("reading", "exact or approx, as value_lo and value_hi are equal")
	}
	return nil
}

// parseStatus reads the status and the columns that depend on it.
func (r *Row) parseStatus(rec record) (err error) {
	r.Status, r.Why, r.Sets = Status(rec.get("status")), rec.get("why"), rec.get("sets")
	if !slices.Contains(statuses, r.Status) {
		return rec.fail("status", "one of calibrated, gap, absent, or nothing")
	}
	if r.Status == SetsParameter {
		if r.Sets == "" && r.Why == "" {
			return rec.fail("sets", "the parameter that the row set, or why it proves nothing in the column why")
		}
	} else {
		if err := rec.filled("sets", false, "", "the row is not calibrated"); err != nil {
			return err
		}
		if err := rec.filled("why", r.Status != "", "the reason for the status", "the row has no status"); err != nil {
			return err
		}
	}
	if r.Status == Gap && r.Numeric {
		r.Expected, err = rec.finite("expected")
		return err
	}
	return rec.filled("expected", false, "", "the row is not a gap with a number")
}

// parseTolerance reads the row's own tolerance, which only an approximate
// value can have.
func (r *Row) parseTolerance(rec record) (err error) {
	r.WithinWhy = rec.get("within_why")
	if r.Reading != Approx {
		if err := rec.filled("within_pct", false, "", "the row is not read as approx"); err != nil {
			return err
		}
	}
	if rec.get("within_pct") == "" {
		return rec.filled("within_why", false, "", "the row has no tolerance of its own")
	}
	if r.WithinPct, err = rec.finite("within_pct"); err != nil {
		return err
	}
	if r.WithinPct <= 0 {
		return rec.fail("within_pct", "a positive number")
	}
	return rec.filled("within_why", true, "the reason for the tolerance", "")
}

func validID(id string) bool {
	for _, c := range id {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-._", c)
		if !ok {
			return false
		}
	}
	return id != ""
}
