// Package library is what the libraries of layers have in common, the part of a
// layer that runs on the host: what every endpoint says of itself, checks of
// arguments, handlers by number, notice of arrivals, memory that is used again.
//
// Files, in reading order:
//   - process.go: what endpoints say of themselves, and checks of arguments
//   - handlers.go: handlers by number
//   - bell.go: who is told of arrivals
//   - buffers.go: pieces of memory that are used again
package library
