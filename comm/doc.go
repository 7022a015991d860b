// Package comm is the contract between communication layers and the programs
// that use them. A layer brings a control program for the interface and a
// library for the host; its folder below this one holds both. What a layer can
// and cannot do stands in its Traits, so that a program (a measurement above
// all) works on every layer that can do what the program needs, and is refused
// with the reason on the others.
//
// Files, in reading order:
//   - spec.go: a layer's section of a profile
//   - endpoint.go: layers and endpoints, and what only some of them can do
//   - traits.go: what a layer is and promises
package comm
