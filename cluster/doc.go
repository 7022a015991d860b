// Package cluster turns a specification into a running cluster: hosts, cards
// with their control programs and monitors, clocks and the network. It is the
// only place that knows all models.
//
// Files, in reading order:
//   - cluster.go: a specification made into nodes, clocks and a network
//   - process.go: a process on every node, and the running of programs
//   - pair.go: programs that measure a layer
//   - load.go: a program that keeps the interfaces busy by deposits
//   - memory.go: shared memory
//   - messages.go: message passing
//   - sockets.go: stream sockets
//   - trace.go: packet traces and operations of all nodes
//   - clocklog.go: what each clock round tells
//   - clockerrors.go: errors of conversions between clocks
//   - state.go: what a cluster and a node consist of
//   - spec.go: the specification
package cluster
