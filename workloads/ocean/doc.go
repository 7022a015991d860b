// Package ocean solves a Poisson equation on a square grid on shared virtual
// memory, as the SPLASH-2 ocean model does for its stream functions. Red and
// black points are relaxed in turns. Each node relaxes a band of rows and needs
// the nearest rows of the bands beside it. After each sweep the largest residual
// of all nodes is found under a lock, and decides whether there is another sweep.
// The original relaxes on several grids; this program has one.
//
// The arithmetic is real. Its cost on the simulated node is counted in
// operations and in bytes that miss the cache, and charged to the node's host.
//
// Files, in reading order:
//   - program.go: the program of a node
//   - verify.go: the result against a sequential relaxation
//   - ocean.go: the solution in shared memory, its input
//   - cost.go: what the parts cost a host
//   - spec.go: sizes, and how the bands lie in memory
package ocean
