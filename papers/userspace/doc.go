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
//   - machine.go: properties of the machine, packets and flow control
//   - transfers.go: what moves data between host and card
//   - layers.go: latency and bandwidth of the layers
//   - knees.go: sizes at which curves bend
//   - overheads.go: how O_s, O_r and L change with the size
//   - stages.go: in which parameter the cost of a stage appears
//   - methods.go: how the study measures
//   - sends.go: what sends and receives do
//   - designs.go: what makes a layer what it is
//   - cells.go: the comparison of layers, cell by cell
//   - cells_table1.go: its first table
//   - cells_table2.go: its second table
//   - study.go: tests, beds, curves and figures of layers
package userspace
