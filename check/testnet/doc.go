// Package testnet has what tests of real networks share.
//
// Files, in reading order:
//   - testnet_linux.go: networks on one host
//   - exchange.go: messages between two ends
//   - skip.go: tests that a host does not let run
package testnet
