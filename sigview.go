// Package sigview is the root of the module. It holds the table of published
// figures that the model is compared with, so that every binary carries it.
// The program is cmd/sigview; docs/architecture.md describes the packages.
//
// Seven uses from Go, each with an example that runs:
//   - run a workload: [github.com/sigview/sigview/experiment.Run]
//   - read a run: [github.com/sigview/sigview/trace/rundir.ReadRun]
//   - ask a run why it took so long: [github.com/sigview/sigview/analysis/explain.Explain]
//   - add a platform: [github.com/sigview/sigview/cluster/platform.Load] of a file
//   - add a layer: [github.com/sigview/sigview/cluster/platform.AddLayer]
//   - add a workload: [github.com/sigview/sigview/experiment.AddMemory]
package sigview

import _ "embed" // for the tables below

//go:embed testdata/published.csv
var published string

// Published returns the table of published figures as CSV, one statement a
// line. The header names the columns:
//
//   - id; paper (a row of testdata/papers.csv), where in it
//   - platform, layer, quantity, conditions
//   - value_lo, value_hi (empty for a statement in words), unit
//   - kind: input, output, behaviour or design; note
//   - text: the published value of a row whose unit is text
//   - reading of the number: range (value_lo to value_hi), exact, or approx (a
//     single value with a tolerance)
//   - status: calibrated (the row set a parameter), gap (the model is known to
//     miss it), absent (the model does not contain what it is about), or
//     empty (the row is measured and judged)
//   - evidence: what a row that the model meets shows: predicted (a quantity that
//     nothing set), provoked (behaviour that the counter-experiment does not
//     show), derived (a sum, inverse or repeat of figures that rows set), or
//     by_construction (a field of a profile, a constant, an error message);
//     because: why it is that; both only for judged rows and gaps
//   - why: the reason for the status; sets: the parameter that a calibrated
//     row set; expected: what the model gives for a gap, in the row's unit
//   - within_pct, within_why: the row's own tolerance, in per cent of the
//     published value, and its reason; empty for the default
func Published() string { return published }

//go:embed testdata/sensitivity.csv
var sensitivity string

// Sensitivity returns, as CSV, the rows of the published table whose verdict hinges on
// an assumed number of a profile: the row's id, and the number with its platform.
// check/sensitivity writes it.
func Sensitivity() string { return sensitivity }

//go:embed testdata/papers.csv
var papers string

// Papers returns, as CSV, the sources of the published table: short name, authors,
// title, year and venue.
func Papers() string { return papers }
