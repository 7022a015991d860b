// Package lu factors a dense matrix into a lower and an upper triangle on
// shared virtual memory, with the structure of the SPLASH-2 kernel with
// contiguous blocks: the matrix in square blocks, dealt to a grid of nodes,
// each node's blocks together in pages that it is home of. Each step factors
// a block on the diagonal, then the blocks beside and below it, then updates
// what remains, with barriers between. There is no pivoting; the input
// has a dominant diagonal.
//
// The arithmetic is real. What it costs on the simulated node is counted in
// operations and bytes that miss the cache and charged to the node's host.
package lu
