// Package grim says how the rows of the GRIM study are measured (grim, chapter V).
//
// A counter-experiment that changes the machine names an overlay of overlays.toml.
//
// Files, in reading order:
//   - injection.go: from the host into the card
//   - cards.go: between cards, and from a card into the host
//   - others.go: the layers that the study compares with
//   - rows.go: all rows, the platforms and their changes
package grim
