// Package userspace measures the rows of the study of user-level communication:
// five layers on a pair of nodes.
//
// A row is a test: a function that measures it in a study, and its criterion if it
// is a statement in words. An error ends the measurement (judge.Session); errors
// of a testbed stick to the testbed. A counter-experiment is the same test of another layer,
// on a platform changed by an overlay of overlays.toml, or with another argument.
//
// Files, in reading order:
//
//   - rows.go: the rows of the paper
//   - machine.go: the machine: hardware, network, transfers between host and card
//   - layers.go: curves of the layers: latency, bandwidth, knees
//   - parameters.go: how O_s, O_r and L change with the size and with slower stages
//   - methods.go: how the study measures
//   - designs.go: designs of the layers, and what their sends and receives do
//   - limits.go: what no layer does well, and what LogP does not show
//   - cells.go: the comparison of layers, cell by cell
//   - findings.go: the experiments of its cells
//   - study.go: tests, testbeds, curves and figures of layers
package userspace
