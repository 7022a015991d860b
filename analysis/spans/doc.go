// Package spans says where the time of single operations went: which are the longest of
// a run, how the time of nodes divides into phases, operations and steps, and which
// packets and processes kept others waiting. It reads the tables of a trace batch by
// batch.
//
// Files, in reading order:
//   - search.go: one operation by its number
//   - sums.go: the longest operations of each kind
//   - tree.go: time by node, phase, operation and step
//   - blocked.go: who waited for whom, by sorts of actors
package spans
