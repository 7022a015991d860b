// Package library is what the libraries of layers have in common, the part of a
// layer that runs on the host: what every endpoint says of itself and how it
// refuses what cannot be, handlers by number, memory that is used again.
package library
