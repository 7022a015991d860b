// Package tpil injects data from a host's memory into the card by the fastest way
// that the host has: the injection library of GRIM (grim §5.2), which other layers
// may use.
//
// A CPU stores data by words, by combined cache lines, by MMX blocks or by SSE
// (package host). For a DMA that the host starts, it programs the card's engine by
// stores, and an interrupt tells the driver of the end. Three mechanisms differ in
// what the engine reads:
//
//   - one-copy: a pinned, contiguous buffer, into which the data is copied first;
//   - double-buffered: the same buffer in two halves. The CPU copies into one of
//     them while the engine reads the other;
//   - zero-copy: the user's pages. They are pinned and translated first. Each page
//     is a transfer of its own, as pages are not contiguous. The driver keeps two in
//     the engine's list and adds the next one at each interrupt.
//
// Which mechanism is fastest depends on host, card and size. Tune measures all of
// them and keeps the fastest of each size.
//
// Files, in reading order:
//   - tune.go: the choice of a mechanism by measurements
//   - bench.go: measurements on a machine of its own
//   - inject.go: injection by each mechanism
//   - driver.go: transfers that the host starts
//   - plan.go: which mechanism takes which size
//   - spec.go: the section of a profile, and the mechanisms
package tpil
