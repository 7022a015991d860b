// Rounds runs random programs on every layer, with and without faults, side by side. It
// prints every finding with the command that repeats it, and at the end the counts. It can
// write them as a part of docs/reliability.md.
//
// Files, in reading order:
//   - main.go: flags and findings
//   - workers.go: runs side by side
//   - options.go: what is run
//   - tally.go: counts by layer and by fault
package main
