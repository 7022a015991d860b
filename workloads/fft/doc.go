// Package fft is a six-step fast Fourier transform of 2^m complex points on
// shared virtual memory, with the structure of the SPLASH-2 kernel: the data
// as a square matrix in padded rows, each node owner of a band of rows, three
// staggered transposes that read remotely and write locally, transforms of
// the rows in between, seven barriers and one lock.
//
// The arithmetic is real. What it costs on the simulated node is counted in
// operations and bytes that miss the cache and charged to the node's host.
package fft
