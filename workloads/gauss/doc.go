// Package gauss is Gaussian elimination of a dense matrix by message passing.
//
// Rows are dealt to the nodes in turn. In step k the owner of row k sends the
// rest of it to all others. Every node finds the largest element, the pivot, and
// exchanges its column with column k, so that pivoting needs no message of its
// own. Then every node eliminates column k from its rows below. The messages
// shrink from a whole row to two elements.
//
// The arithmetic is real. Its cost on the simulated node is counted in
// operations and in bytes that miss the cache, and charged to the node's host.
//
// Files, in reading order:
//   - program.go: the program of a node
//   - verify.go: a system of equations solved with the factors
//   - gauss.go: the elimination, its input, rows in a process's memory
//   - cost.go: what the parts cost a host
//   - spec.go: sizes
package gauss
