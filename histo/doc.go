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
package histo
