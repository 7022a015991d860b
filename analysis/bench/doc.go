// Package bench holds the results of measurements of communication layers: LogP
// parameters and bandwidths, as records that are printed, drawn and stored. It knows
// no model: the figures may come from real hosts.
//
// Files, in reading order:
//   - views.go: the records as tables for people
//   - rows.go: the records as rows of files
//   - logp.go: LogP parameters of a layer on a platform
//   - bandwidth.go: bandwidth by message size
//   - place.go: where something was measured
//   - digits.go: how figures are written
package bench
