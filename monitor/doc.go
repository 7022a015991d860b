// Package monitor is the performance monitor inside the interface firmware. It
// observes the six instants of every packet, bins the four latencies between
// them into histograms in SRAM, per program, and maintains a global clock by
// its own packets. It runs on the interface processor and spends its own
// cycles, so its perturbation is modelled, not assumed.
//
// Source and LANai are stored at the sender, Net and Dest at the receiver, each
// under the packet's tag. Binning is deferred until the processor is idle.
//
// Files, in reading order:
//   - new.go: the monitor of one card
//   - probe.go: its work at each of the six instants
//   - spans.go: operations and phases that processes report
//   - tracer.go: records of single packets
//   - monitor.go: the state of the monitor
//   - global.go: registers as global time
//   - clock.go: the clock protocol on every node
//   - rounds.go: the rounds of the protocol, on node 0
//   - port.go: packets of the protocol
//   - spec.go: builds, SRAM and cycles in a profile
//   - selection.go: which packets are traced
package monitor
