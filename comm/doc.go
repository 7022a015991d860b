// Package comm is the contract between communication layers and their users. A
// layer has a control program for the interface and a library for the host; its
// subfolder holds both. Its Traits state its abilities. A measurement runs on
// every layer with the abilities that it needs, and is refused with the reason
// on the others. Programs use layers through comm/deposit.
//
// Files, in reading order:
//   - spec.go: a layer's section of a profile
//   - endpoint.go: layers, endpoints and their optional abilities
//   - traits.go: the properties and promises of a layer
package comm
