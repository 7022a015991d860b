// Package fft is a six-step fast Fourier transform of 2^m complex points on
// shared virtual memory, with the structure of the SPLASH-2 kernel. The data are
// a square matrix in padded rows, and each node owns a band of rows. Three
// staggered transposes read remote rows and write local ones, with transforms of
// the rows in between, seven barriers and one lock.
//
// The arithmetic is real. Its cost on the simulated node is counted in
// operations and in bytes that miss the cache, and charged to the node's host.
//
// Files, in reading order:
//   - program.go: the program of a node
//   - verify.go: the result against an independent transform
//   - fft.go: the transform in shared memory, its input
//   - cost.go: what the parts cost a host
//   - kernel.go: the transform of a row, roots of unity
//   - spec.go: sizes, and how the matrix lies in memory
package fft
