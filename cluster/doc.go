// Package cluster turns a specification into a running cluster: hosts, cards
// with their control programs and monitors, clocks and the network. It is the
// only place that knows all models.
//
// Files, in reading order:
//   - cluster.go: nodes, clocks and a network built from a specification
//   - process.go: a process on every node, and running programs
//   - pair.go: programs that measure a layer
//   - load.go: a program that keeps the interfaces busy with deposits
//   - memory.go: shared memory
//   - messages.go: message passing
//   - sockets.go: stream sockets
//   - trace.go: packet traces and operations of all nodes
//   - waits.go: what all parts wait for, in a log
//   - clocklog.go: the results of each clock round
//   - clockerrors.go: errors of conversions between clocks
//   - state.go: the state of a cluster and a node
//   - spec.go: the specification
package cluster
