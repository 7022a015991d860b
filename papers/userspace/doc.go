// Package userspace measures the rows of the study of user-level communication:
// five layers on a pair of nodes.
//
// A row is a test: a function of a study that measures it, and its criterion if it
// states something in words. An error ends the measurement (judge.Session); errors
// of a bed stick to the bed. A counter-experiment is the same test of another layer,
// of a platform changed by an overlay of overlays.toml, or with another argument.
//
// Files, in reading order:
//
//   - rows.go: the rows of the paper
//   - machine.go: the machine: hardware, network, transfers between host and card
//   - layers.go: curves of the layers: latency, bandwidth, sizes at which they bend
//   - parameters.go: how O_s, O_r and L change with the size and with slower stages
//   - methods.go: how the study measures
//   - designs.go: what makes a layer what it is, what its sends and receives do
//   - cells.go: the comparison of layers, cell by cell
//   - findings.go: the experiments of its cells
//   - study.go: tests, beds, curves and figures of layers
package userspace
