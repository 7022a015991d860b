// Package lu factors a dense matrix into a lower and an upper triangle on
// shared virtual memory, with the structure of the SPLASH-2 kernel with
// contiguous blocks. The matrix is cut into square blocks, which are dealt to a
// grid of nodes. Each node's blocks lie together in pages of its own. Each step
// factors a block on the diagonal, then the blocks beside and below it, then
// updates the rest, with barriers between. There is no pivoting: the input has a
// dominant diagonal.
//
// The arithmetic is real. Its cost on the simulated node is counted in
// operations and in bytes that miss the cache, and charged to the node's host.
//
// Files, in reading order:
//   - program.go: the program of a node
//   - verify.go: the product of the factors against the input
//   - lu.go: the factorization in shared memory, its input
//   - cost.go: what the parts cost a host
//   - kernel.go: the arithmetic on blocks
//   - spec.go: sizes, and how the blocks lie in memory
package lu
