// Package ocean solves a Poisson equation on a square grid on shared virtual
// memory, as the SPLASH-2 ocean model does for its stream functions: red and
// black points are relaxed in turns, each node's in a band of rows, which needs
// the nearest rows of the bands beside it; the largest residual of all nodes is
// found under a lock after each sweep, and decides whether there is another.
// The original relaxes on several grids; this program has one.
//
// The arithmetic is real. What it costs on the simulated node is counted in
// operations and bytes that miss the cache and charged to the node's host.
package ocean
