// Package logp measures the rows of the assessment of network interfaces by the
// LogP model.
//
// A row is a function of a session, which gives figures of machines and what
// programs see on them. A counter-experiment is the same on machines with a
// change, which an overlay of overlays.toml says, or with another argument.
//
// Files, in reading order:
//
//   - rows.go: the rows of the paper
//   - machines.go: properties of the machines
//   - messages.go: requests and replies, and when they happen
//   - parameters.go: LogP parameters, and the order of the machines
//   - causes.go: what sets the parameters, and machines that differ in parts
//   - method.go: how signatures are measured
//   - bulk.go: stores
//   - shape.go: the form of signatures, and patterns of several nodes
//   - checks.go: how rows are added
//   - session.go: machines, their changes, and what is measured of them
package logp
