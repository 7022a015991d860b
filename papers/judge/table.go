package judge

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind says what a row is to the model.
type Kind string

// The kinds of row.
const (
	Input     Kind = "input"     // a property of the hardware or set-up; may set a parameter
	Output    Kind = "output"    // a measured figure; has to emerge
	Behaviour Kind = "behaviour" // how figures relate or change
	Design    Kind = "design"    // how the system is built
)

var kinds = []Kind{Input, Output, Behaviour, Design}

// needsCounter reports whether a row of this kind passes only beside a
// counter-experiment that fails: a statement about a mechanism says nothing
// unless its absence would show.
func (k Kind) needsCounter() bool { return k == Behaviour || k == Design }

// wordUnits mark rows that state something in words and have no number.
var wordUnits = []string{"predicate", "text", "formula"}

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

	// Numeric is false for statements in words; then Lo and Hi are zero.
	Numeric bool
	// Lo and Hi are the published range in Unit, equal for a single value,
	// infinite where one side is open.
	Lo, Hi float64

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

// Only returns the rows whose id starts with prefix.
func (t *Table) Only(prefix string) *Table {
	out := &Table{Name: t.Name, byID: map[string]int{}}
	for _, r := range t.Rows {
		if strings.HasPrefix(r.ID, prefix) {
			out.byID[r.ID] = len(out.Rows)
			out.Rows = append(out.Rows, r)
		}
	}
	return out
}

// SyntaxError is a flaw in a table: where it stands, what was found and what
// was wanted.
type SyntaxError struct {
	File  string
	Line  int
	Field string // column name, empty for the line as a whole
	Value string
	Want  string
}

func (e *SyntaxError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s:%d: %s, want %s", e.File, e.Line, e.Value, e.Want)
	}
	return fmt.Sprintf("%s:%d: %s is %q, want %s", e.File, e.Line, e.Field, e.Value, e.Want)
}

var tableColumns = []string{
	"id", "paper", "where", "platform", "layer", "quantity", "conditions",
	"value_lo", "value_hi", "unit", "kind", "note",
}

// ParseTable reads a table of published figures. The name appears in errors.
// All of it is checked: header, number of fields, unique ids, known kinds,
// ranges in order, and that a row has a number exactly when its unit is one.
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
	lo, hi := rec.get("value_lo"), rec.get("value_hi")
	if slices.Contains(wordUnits, row.Unit) {
		if lo != "" || hi != "" {
			return Row{}, rec.fail("unit", "the unit of a number, as the row has one")
		}
		return row, nil
	}
	row.Numeric = true
	var err error
	if row.Lo, err = rec.number("value_lo"); err != nil {
		return Row{}, err
	}
	if row.Hi, err = rec.number("value_hi"); err != nil {
		return Row{}, err
	}
	if row.Lo > row.Hi || (row.Lo == row.Hi && math.IsInf(row.Lo, 0)) {
		return Row{}, rec.fail("value_hi", "at least value_lo "+lo)
	}
	return row, nil
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

// record is one line of a CSV file with the names of its columns.
type record struct {
	file    string
	line    int
	columns []string
	fields  []string
}

func (r record) get(column string) string { return r.fields[slices.Index(r.columns, column)] }

func (r record) fail(column, want string) error {
	return &SyntaxError{File: r.file, Line: r.line, Field: column, Value: r.get(column), Want: want}
}

func (r record) number(column string) (float64, error) {
	v, err := strconv.ParseFloat(r.get(column), 64)
	if err != nil || math.IsNaN(v) {
		return 0, r.fail(column, "a number")
	}
	return v, nil
}

// eachRecord reads CSV with exactly these columns and calls f for each line
// below the header.
func eachRecord(name string, r io.Reader, columns []string, f func(record) error) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord = len(columns)
	for first := true; ; first = false {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return &SyntaxError{File: name, Line: 1, Value: "empty file", Want: "the header " + strings.Join(columns, ",")}
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return &SyntaxError{
				File: name, Line: bad.StartLine, Value: bad.Err.Error(),
				Want: fmt.Sprintf("%d well-formed fields", len(columns)),
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		if first {
			if !slices.Equal(fields, columns) {
				return &SyntaxError{File: name, Line: line, Field: "header", Value: strings.Join(fields, ","), Want: strings.Join(columns, ",")}
			}
			continue
		}
		if err := f(record{name, line, columns, fields}); err != nil {
			return err
		}
	}
}
