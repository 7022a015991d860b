// Package histo implements the monitor's histograms: fixed-bin count arrays in
// the interface's SRAM, and their evaluation on the host after read-out.
//
// A [Spec] gives the SRAM budget and what the histograms distinguish. [Plan]
// makes a [Layout] of it, coarsening in a fixed order until it fits. Every
// interface of a run has one [Bank] of the same layout. The host copies a bank
// into a [Snapshot] and merges the snapshots of all nodes. It then evaluates
// [Snapshot.Moments], [Snapshot.Distribution] and [Snapshot.Pair], or converts
// the bins to HdrHistograms.
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
//   - runs.go: packets of one sort, recorded together
//   - bank.go: the arrays of one interface
//   - layout.go: the addresses of counters
//   - size.go: size bins
//   - scale.go: ticks to nanoseconds
//   - spec.go: what histograms distinguish, and the SRAM for it
package histo
