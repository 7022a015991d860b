// Package logp measures the rows of the assessment of network interfaces by the
// LogP model.
//
// A row is a function of a session, which measures machines and runs programs on
// them. A counter-experiment is the same function on machines changed by an overlay
// of overlays.toml, or with another argument.
//
// Files, in reading order:
//
//   - machines.go: the rows of the paper, and properties of the machines
//   - parameters.go: LogP parameters, what sets them, and variants of machines
//   - signatures.go: how signatures are measured, their form, and patterns of several nodes
//   - messages.go: requests, replies and stores, and their times
//   - session.go: how rows are added; machines, their changes and measurements
package logp
