// Package logp measures the rows of the assessment of network interfaces by the
// LogP model.
//
// A row is a function of a session, which gives figures of machines and what
// programs see on them. A counter-experiment is the same on machines with a
// change, which an overlay of overlays.toml says, or with another argument.
//
// Files, in reading order:
//
//   - machines.go: the rows of the paper, and properties of the machines
//   - parameters.go: LogP parameters, what sets them, and machines that differ in parts
//   - signatures.go: how signatures are measured, their form, and patterns of several nodes
//   - messages.go: requests, replies and stores, and when they happen
//   - session.go: how rows are added, machines, their changes, and what is measured of them
package logp
