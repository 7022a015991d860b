// Package histo keeps the monitor's histograms: fixed-bin count arrays that
// live in the interface's SRAM, and what the host makes of them after
// read-out.
//
// A [Spec] says how much SRAM there is and what is to be told apart; [Plan]
// turns it into a [Layout], coarsening in a stated order until it fits. Every
// interface of a run has one [Bank] of the same layout. The host copies a bank
// into a [Snapshot], merges the snapshots of all nodes and asks for
// [Snapshot.Moments], [Snapshot.Distribution] and [Snapshot.Pair], or turns
// the bins into HdrHistograms.
//
// Source and LANai are recorded at the sender's interface, with the receiver
// as peer; Net and Dest at the receiver's, with the sender as peer. Latencies
// enter as ticks of the interface's clock and leave as nanoseconds.
//
// The arrays follow the firmware monitor of the SHRIMP project: 180 KB of
// SRAM, lengths in units of eight words, latencies in units of 1 µs (Net:
// 2 µs), one set per program tag.
//
// Files, in reading order:
//   - plan.go: the finest layout that fits a budget
//   - hdr.go: latencies as HdrHistograms
//   - hlog.go: HdrHistogram logs
//   - values.go: HdrHistograms of single values
//   - distribution.go: bins of one latency, and their percentiles
//   - query.go: moments of latencies
//   - snapshot.go: a copy of a bank, and sums of copies
//   - bank.go: the counters of one interface
//   - layout.go: which counter lies where
//   - size.go: size bins
//   - scale.go: ticks to nanoseconds
//   - spec.go: what is told apart, and the SRAM for it
package histo
