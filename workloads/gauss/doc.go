// Package gauss is Gaussian elimination of a dense matrix by message passing.
//
// Rows are dealt to the nodes in turn. In step k the owner of row k sends what
// is left of it to everybody; all find the largest element, the pivot, and
// exchange its column with column k, so that pivoting needs no message of its
// own; then every node eliminates column k from its rows below. The messages
// shrink from a whole row to two elements.
//
// The arithmetic is real. What it costs on the simulated node is counted in
// operations and bytes that miss the cache and charged to the node's host.
package gauss
