package judge

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sigview/sigview"
)

// Kind says what a row is about.
type Kind string

// The kinds of row.
const (
	Input     Kind = "input"     // a property of the hardware or set-up; may set a parameter
	Output    Kind = "output"    // a measured figure, which the model has to produce
	Behaviour Kind = "behaviour" // how figures relate or change
	Design    Kind = "design"    // how the system is built
)

// Reading says how a published number is read.
type Reading string

// The readings. A statement in words has none.
const (
	Range  Reading = "range"  // within value_lo and value_hi, ends included
	Exact  Reading = "exact"  // a property of the construction, to be met exactly
	Approx Reading = "approx" // to be met within a tolerance
)

// Status says what is known about the model and a row before it is measured.
type Status string

// The statuses. A row without one is measured, and met or missed.
const (
	SetsParameter Status = "calibrated" // it set a parameter, so that meeting it proves nothing
	Gap           Status = "gap"        // the model is known to miss it
	Absent        Status = "absent"     // the model does not contain what it is about
)

// Evidence says what a row shows when the model meets it.
type Evidence string

// The kinds of evidence. Rows that set a parameter, and absent ones, have none.
const (
	Prediction   Evidence = "predicted"       // a quantity that nothing set
	Provocation  Evidence = "provoked"        // behaviour that a counter-experiment does not show
	Derivation   Evidence = "derived"         // a sum, inverse or repeat of figures that rows set
	Construction Evidence = "by_construction" // a field of a profile, a constant, an error message
)

// textUnit marks rows whose value is a text: the entry of a published table.
const textUnit = "text"

// wordUnits mark rows that state something in words and have no number.
var wordUnits = []string{"predicate", textUnit, "formula"}

// Row is one published statement, with the columns that are used to judge and show
// it. The other columns are for readers of the table.
type Row struct {
	ID         string `json:"id"`
	Paper      string `json:"paper"` // short name of the source
	Where      string `json:"where"` // section, table or figure
	Platform   string `json:"-"`
	Layer      string `json:"-"`
	Quantity   string `json:"quantity"`
	Conditions string `json:"-"`
	Unit       string `json:"unit"`
	Kind       Kind   `json:"kind"`

	// Numeric is false for statements in words; then Lo and Hi are zero and
	// there is no Reading.
	Numeric bool `json:"-"`
	// Lo and Hi are the published range in Unit: equal for a single value,
	// infinite where one side is open.
	Lo      float64 `json:"-"`
	Hi      float64 `json:"-"`
	Reading Reading `json:"-"`
	Text    string  `json:"published_text"` // the published value of a row whose unit is text

	Evidence Evidence `json:"-"`       // what it shows to meet the row; empty if that shows nothing
	Because  string   `json:"because"` // why the row is this kind of evidence

	Status   Status  `json:"-"`
	Why      string  `json:"-"` // why a gap is missed or a row is absent
	Sets     string  `json:"-"` // the parameter that a calibrated row set
	Expected float64 `json:"-"` // the model's value for a gap with a number, in Unit

	// WithinPct is the row's own tolerance, in per cent of the published
	// value, and WithinWhy its reason. Zero means the default.
	WithinPct float64 `json:"-"`
	WithinWhy string  `json:"-"`

	// HingesOn are the assumed numbers of profiles with whose change by 20 % the
	// verdict changes.
	HingesOn []string `json:"hinges_on,omitempty"`

	Line int `json:"-"` // in the file, from 1
}

// Table is a set of rows in file order, with unique ids.
type Table struct {
	Name string
	Rows []Row
	byID map[string]Row
}

// Row returns the row with this id.
func (t *Table) Row(id string) (Row, bool) {
	r, ok := t.byID[id]
	return r, ok
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
	"text", "reading", "status", "evidence", "because", "why", "sets", "expected", "within_pct", "within_why",
}

// ParseTable reads and checks a table of published figures. The name appears in
// errors. A row has a number if and only if its unit measures one, and each of the
// other columns is filled if and only if the row's status or tolerance needs it.
// An error in the table is a *SyntaxError.
func ParseTable(name string, r io.Reader) (*Table, error) {
	t := &Table{Name: name, byID: map[string]Row{}}
	err := eachRecord(name, r, tableColumns, func(rec record) error {
		row, err := parseRow(rec)
		if err != nil {
			return err
		}
		if first, twice := t.byID[row.ID]; twice {
			return rec.fail("id", fmt.Sprintf("an id not used before (line %d has it)", first.Line))
		}
		t.byID[row.ID] = row
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

func parseRow(rec record) (row Row, err error) {
	row = Row{
		ID: rec.get("id"), Paper: rec.get("paper"), Where: rec.get("where"), Quantity: rec.get("quantity"),
		Platform: rec.get("platform"), Layer: rec.get("layer"), Conditions: rec.get("conditions"),
		Unit: rec.get("unit"), Text: rec.get("text"), Why: rec.get("why"), Sets: rec.get("sets"),
		Because: rec.get("because"), WithinWhy: rec.get("within_why"), Line: rec.line,
	}
	if !validID.MatchString(row.ID) {
		return row, rec.fail("id", "letters, digits, '-', '.' or '_'")
	}
	row.Numeric = !slices.Contains(wordUnits, row.Unit)
	if row.Kind, err = oneOf(rec, "kind", Input, Output, Behaviour, Design); err != nil {
		return row, err
	}
	if row.Status, err = oneOf(rec, "status", "", SetsParameter, Gap, Absent); err != nil {
		return row, err
	}
	judged := row.Status == "" || row.Status == Gap
	calibrated, hasReason := row.Status == SetsParameter, row.Status == Gap || row.Status == Absent
	for _, c := range []struct {
		column string
		filled bool
		rule   string
	}{
		{"paper", true, "every row has one"},
		{"quantity", true, "every row has one"},
		{"unit", true, "every row has one"},
		{"value_lo", row.Numeric, "a number has both ends and a statement in words none"},
		{"value_hi", row.Numeric, "a number has both ends and a statement in words none"},
		{"reading", row.Numeric, "a number has one and a statement in words none"},
		{"text", row.Unit == textUnit, "a row has one if its unit is text"},
		{"evidence", judged, "a row without a status and a gap have one"},
		{"because", judged, "evidence has a reason"},
		{"sets", calibrated, "a calibrated row has one"},
		{"why", hasReason, "a gap or an absent row has a reason"},
		{"expected", row.Status == Gap && row.Numeric, "a gap with a number has one"},
		{"within_pct", row.Numeric && rec.get("within_pct") != "", "only a number has a tolerance"},
		{"within_why", rec.get("within_pct") != "", "a tolerance has a reason"},
	} {
		if err := rec.filled(c.column, c.filled, c.rule); err != nil {
			return row, err
		}
	}
	if judged {
		if row.Evidence, err = oneOf(rec, "evidence", Prediction, Provocation, Derivation, Construction); err != nil {
			return row, err
		}
	}
	if row.Numeric {
		err = row.parseNumbers(rec)
	}
	return row, err
}

// parseNumbers reads the published number, how it is read, and its tolerance.
func (r *Row) parseNumbers(rec record) (err error) {
	for _, n := range []struct {
		to     *float64
		column string
		limit  float64
	}{
		{&r.Lo, "value_lo", math.Inf(1)}, {&r.Hi, "value_hi", math.Inf(1)},
		{&r.Expected, "expected", math.MaxFloat64}, {&r.WithinPct, "within_pct", math.MaxFloat64},
	} {
		if *n.to, err = rec.number(n.column, n.limit); err != nil {
			return err
		}
	}
	if r.Reading, err = oneOf(rec, "reading", Range, Exact, Approx); err != nil {
		return err
	}
	switch tolerance := rec.get("within_pct") != ""; {
	case r.Lo > r.Hi || (r.Lo == r.Hi && math.IsInf(r.Lo, 0)):
		return rec.fail("value_hi", "at least value_lo "+rec.get("value_lo"))
	case (r.Lo != r.Hi) != (r.Reading == Range):
		return rec.fail("reading", "range if value_lo and value_hi differ, and exact or approx if not")
	case tolerance && (r.WithinPct <= 0 || r.Reading != Approx):
		return rec.fail("within_pct", "a positive number, and only for a value read as approx")
	}
	return nil
}

var validID = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// Published returns the table that the binary carries, which is read once. Nobody
// changes it.
var Published = sync.OnceValues(func() (*Table, error) {
	t, err := ParseTable("testdata/published.csv", strings.NewReader(sigview.Published()))
	if err != nil {
		return nil, fmt.Errorf("reference table: %w", err)
	}
	return t, t.readHinges("testdata/sensitivity.csv", strings.NewReader(sigview.Sensitivity()))
})

// readHinges sets the rows' HingesOn.
func (t *Table) readHinges(name string, r io.Reader) error {
	return eachRecord(name, r, []string{"row", "number"}, func(rec record) error {
		i := slices.IndexFunc(t.Rows, func(row Row) bool { return row.ID == rec.get("row") })
		if i < 0 {
			return rec.fail("row", "the id of a row")
		}
		t.Rows[i].HingesOn = append(t.Rows[i].HingesOn, rec.get("number"))
		t.byID[t.Rows[i].ID] = t.Rows[i]
		return nil
	})
}
