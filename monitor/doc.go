// Package monitor is the performance monitor inside the interface firmware.
// It observes the six instants of every packet, bins the four latencies that
// they bound into histograms in SRAM, per program, and keeps a global clock
// with packets of its own. All of it runs on the interface processor and pays
// for its cycles, so that its perturbation is modelled, not assumed.
//
// Source and LANai are stored at the sender, Net and Dest at the receiver,
// each under the tag that the packet carries. Binning is put off to moments
// at which the processor would idle.
//
// Files, in reading order:
//   - new.go: the monitor of one card
//   - probe.go: what it does at each of the six instants
//   - spans.go: operations and phases that processes report
//   - tracer.go: records of single packets
//   - monitor.go: what the monitor keeps
//   - global.go: registers as global time
//   - clock.go: the clock protocol on every node
//   - rounds.go: the rounds of the protocol, on node 0
//   - port.go: packets of the protocol
//   - spec.go: builds, SRAM and cycles as a profile gives them
package monitor
