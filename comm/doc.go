// Package comm is the contract between communication layers and their users.
// A layer brings a control program for the interface and a library for the
// host; its folder below this one holds both. Its Traits say what it can do. A
// measurement works on every layer that can do what it needs and is refused
// with the reason on the others. Programs use layers by comm/deposit.
//
// Files, in reading order:
//   - spec.go: a layer's section of a profile
//   - endpoint.go: layers and endpoints, and what only some of them can do
//   - traits.go: what a layer is and promises
package comm
