// Package sigview is the root of the module. It holds the reference tables
// that the model is measured against, so that every binary carries them; the
// program is cmd/sigview and the packages are described in
// docs/architecture.md.
package sigview

import _ "embed" // for the tables below

var (
	//go:embed testdata/published.csv
	published string
	//go:embed testdata/extra.csv
	extra string
	//go:embed testdata/known_gaps.csv
	knownGaps string
)

// Published returns the table of published figures, as CSV with a header
// line: id, paper, where, platform, layer, quantity, conditions, value_lo,
// value_hi, unit, kind, note.
func Published() string { return published }

// Extra returns the table of figures from other public sources, as CSV with a
// header line: id, topic, platform, quantity, conditions, value_lo, value_hi,
// unit, source, note.
func Extra() string { return extra }

// KnownGaps returns the rows of Published that the model is known to miss, as
// CSV with a header line: id, expected, unit, cause.
func KnownGaps() string { return knownGaps }
