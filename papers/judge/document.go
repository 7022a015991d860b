package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Verdict is the result of comparing the model with a row.
type Verdict string

// The verdicts, in the order of the totals.
const (
	Predicted      = Verdict(Prediction) // the model meets the row, and this is what that shows
	Provoked       = Verdict(Provocation)
	Derived        = Verdict(Derivation)
	ByConstruction = Verdict(Construction)

	Calibrated  Verdict = "calibrated"   // the row set a parameter, and the model meets it
	KnownGap    Verdict = "known_gap"    // missed as the table expects, with the cause
	Miss        Verdict = "miss"         // the model does not meet it
	NotModelled Verdict = "not_modelled" // it is about something that the model does not contain
)

// Verdicts are all verdicts with their meaning for readers, in the order of the
// totals.
var Verdicts = []struct {
	Verdict
	Meaning string
}{
	{Predicted, "the model meets a quantity that nothing set"},
	{Provoked, "the model shows the behaviour, and not in the counter-experiment, without its cause"},
	{Derived, "met, as a sum, inverse or repeat of figures that rows set"},
	{ByConstruction, "met, as a field of a profile, a constant or an error message"},
	{Calibrated, "the row set a parameter and proves nothing"},
	{KnownGap, "missed as expected, with the cause; a gap that closes or moves is a miss"},
	{Miss, "the model does not meet it"},
	{NotModelled, "it is about something that the model does not contain"},
}

// Result is one judged row. A number that does not exist, or is infinite (a
// range with an open end), is null in JSON.
type Result struct {
	Row
	PublishedLo *float64 `json:"published_lo"`
	PublishedHi *float64 `json:"published_hi"`
	// Modelled is a number (*float64), the median over seeds, with its range. It is
	// true or false for a statement in words, or nil when nothing was measured.
	Modelled   any      `json:"modelled"`
	ModelledLo *float64 `json:"modelled_lo"`
	ModelledHi *float64 `json:"modelled_hi"`
	BySeed     []any    `json:"by_seed"` // in the order of seeds
	ErrorPct   *float64 `json:"error_pct"`
	Verdict    Verdict  `json:"verdict"`
	// Held is the number of seeds with which the model meets the row, of Seeds.
	Held      int      `json:"-"`
	Seeds     int      `json:"-"`
	HeldShare *float64 `json:"held_share"`
	// Experiment and Counter name what was run.
	Experiment string `json:"experiment"`
	Counter    string `json:"counter_experiment"`
	// Rule says in words which values meet the row, and Criterion what the
	// experiment tests. Either may be empty.
	Rule      string `json:"rule"`
	Criterion string `json:"criterion"`
	Note      string `json:"note"`
}

// documentSchema is the version of Document.
const documentSchema = 2

// Stamp identifies the build and the settings behind a document.
type Stamp struct {
	SchemaVersion int    `json:"schema_version"`
	ToolVersion   string `json:"tool_version"`
	Seed          uint64 `json:"seed"`
	Platform      string `json:"platform"`
}

// Document is the machine-readable form of a validation.
type Document struct {
	Stamp
	Seeds  int      `json:"seeds"` // how many, from the stamp's on
	Totals Totals   `json:"totals"`
	Flips  []string `json:"flips"` // ids of the rows that are met with some seeds only
	Rows   []Result `json:"rows"`
}

// Totals counts rows per verdict.
type Totals struct {
	Predicted      int `json:"predicted"`
	Provoked       int `json:"provoked"`
	Derived        int `json:"derived"`
	ByConstruction int `json:"by_construction"`
	Calibrated     int `json:"calibrated"`
	KnownGap       int `json:"known_gap"`
	Miss           int `json:"miss"`
	NotModelled    int `json:"not_modelled"`
	Rows           int `json:"rows"`
}

// Of returns the number of rows with verdict v.
func (t Totals) Of(v Verdict) int { return *t.counter(v) }

// Measured returns the number of rows that the model contains.
func (t Totals) Measured() int { return t.Rows - t.NotModelled }

func (t *Totals) counter(v Verdict) *int {
	n := map[Verdict]*int{
		Predicted: &t.Predicted, Provoked: &t.Provoked, Derived: &t.Derived, ByConstruction: &t.ByConstruction,
		Calibrated: &t.Calibrated, KnownGap: &t.KnownGap, Miss: &t.Miss, NotModelled: &t.NotModelled,
	}[v]
	if n == nil {
		panic(fmt.Sprintf("judge: verdict %q", v))
	}
	return n
}

// NewDocument makes a document from results with so many seeds. It sets the stamp's schema version.
func NewDocument(stamp Stamp, seeds int, results []Result) Document {
	stamp.SchemaVersion = documentSchema
	doc := Document{Stamp: stamp, Seeds: seeds, Totals: Totals{Rows: len(results)}, Flips: []string{}, Rows: results}
	for _, r := range results {
		*doc.Totals.counter(r.Verdict)++
		if r.Held > 0 && r.Held < r.Seeds {
			doc.Flips = append(doc.Flips, r.ID)
		}
	}
	return doc
}

// finite returns nil for NaN and infinities.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// of returns what the row needs of a measurement: the value, nil if it is not finite, or whether
// the statement holds.
func (r Row) of(m Measured) any {
	if !r.Numeric {
		return m.Holds
	}
	return finite(m.Value)
}

// WriteJSON writes the document, indented, with a final newline.
func (d Document) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

// Number writes a value with four significant digits at most, or as a whole number from 1000 on.
func Number(v float64) string {
	if a := math.Abs(v); a >= 1000 && a < 1e9 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
