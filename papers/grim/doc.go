// Package grim says how the rows of the GRIM study are measured (grim, chapter V).
//
// A counter-experiment that changes the machine names an overlay of overlays.toml.
//
// Files, in reading order:
//   - injection.go: from the host into the card
//   - cards.go: between cards, and from a card into the host
//   - rivals.go: GRIM beside them
//   - others.go: the layers that the study compares with
//   - settings.go: sizes of the tests and final settings
//   - transfers.go: transfers by the control program
//   - results.go: latencies and bandwidths
//   - modes.go: how stages overlap
//   - benchmarks.go: how messages are measured
//   - designs.go: how GRIM is built
//   - trail.go: true instants of messages
//   - steps.go: steps of the control program
//   - roundtrips.go: messages back and forth
//   - rows.go: all rows, the platforms and their changes
package grim
