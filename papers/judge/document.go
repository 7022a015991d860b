package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Verdict says how the model stands to a row.
type Verdict string

// The verdicts, in the order in which totals are given.
const (
	Pass        Verdict = "pass"
	Miss        Verdict = "miss"
	KnownGap    Verdict = "known_gap"    // missed as the table expects, with the cause
	Calibrated  Verdict = "calibrated"   // the row set a parameter, and the model meets it
	NotChecked  Verdict = "not_checked"  // nothing measures it
	NotModelled Verdict = "not_modelled" // it speaks of something that the model does not contain
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
	// Rule says what the value had to meet and Criterion what the experiment
	// tested, in words. Either may be empty.
	Rule, Criterion string
	// Experiment and Counter name what was run.
	Experiment, Counter string
	Note                string
}

// SchemaVersion of Document.
const SchemaVersion = 1

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
	Totals Totals `json:"totals"`
	Rows   []Line `json:"rows"`
}

// Totals counts rows per verdict.
type Totals struct {
	Pass        int `json:"pass"`
	Miss        int `json:"miss"`
	KnownGap    int `json:"known_gap"`
	Calibrated  int `json:"calibrated"`
	NotChecked  int `json:"not_checked"`
	NotModelled int `json:"not_modelled"`
	Rows        int `json:"rows"`
}

// Of returns the number of rows with verdict v.
func (t Totals) Of(v Verdict) int { return *t.counter(v) }

func (t *Totals) counter(v Verdict) *int {
	switch v {
	case Pass:
		return &t.Pass
	case Miss:
		return &t.Miss
	case KnownGap:
		return &t.KnownGap
	case Calibrated:
		return &t.Calibrated
	case NotChecked:
		return &t.NotChecked
	case NotModelled:
		return &t.NotModelled
	}
	panic(fmt.Sprintf("judge: verdict %q", v))
}

// Line is one row of a document. A number that does not exist, or is infinite
// (a range with an open end), is null. Modelled is a number, true or false for
// a statement in words, or null when nothing was measured.
type Line struct {
	ID          string   `json:"id"`
	Kind        Kind     `json:"kind"`
	PublishedLo *float64 `json:"published_lo"`
	PublishedHi *float64 `json:"published_hi"`
	Text        string   `json:"published_text"` // for a row whose unit is text
	Unit        string   `json:"unit"`
	Modelled    any      `json:"modelled"`
	ErrorPct    *float64 `json:"error_pct"`
	Verdict     Verdict  `json:"verdict"`
	Experiment  string   `json:"experiment"`
	Note        string   `json:"note"`

	Counter   string `json:"counter_experiment"`
	Rule      string `json:"rule"`
	Criterion string `json:"criterion"`
	Quantity  string `json:"quantity"`
	Where     string `json:"where"`
	Paper     string `json:"paper"`
}

// NewDocument makes a document from results. It sets the stamp's schema version.
func NewDocument(stamp Stamp, results []Result) Document {
	stamp.SchemaVersion = SchemaVersion
	doc := Document{Stamp: stamp, Rows: make([]Line, 0, len(results))}
	for _, r := range results {
		*doc.Totals.counter(r.Verdict)++
		doc.Totals.Rows++
		doc.Rows = append(doc.Rows, newLine(r))
	}
	return doc
}

func newLine(r Result) Line {
	line := Line{
		ID: r.Row.ID, Kind: r.Row.Kind, Text: r.Row.Text, Unit: r.Row.Unit, Verdict: r.Verdict,
		Experiment: r.Experiment, Counter: r.Counter, Rule: r.Rule, Criterion: r.Criterion, Note: r.Note,
		Quantity: r.Row.Quantity, Where: r.Row.Where, Paper: r.Row.Paper,
		ErrorPct: finite(r.ErrorPct),
	}
	if r.Row.Numeric {
		line.PublishedLo, line.PublishedHi = finite(r.Row.Lo), finite(r.Row.Hi)
	}
	if m := r.Measured; m != nil {
		line.Modelled = m.Holds
		if r.Row.Numeric {
			line.Modelled = nil
			if v := finite(m.Value); v != nil {
				line.Modelled = *v
			}
		}
	}
	return line
}

func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// WriteJSON writes the document, indented, with a final newline.
func (d Document) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

// number formats a value with at most four significant digits.
func number(v float64) string {
	if a := math.Abs(v); a >= 1000 && a < 1e9 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
