// Package monitor is the performance monitor inside the interface firmware.
// It observes the six instants of every packet, bins the four latencies that
// they bound into histograms in SRAM, per program, and keeps a global clock
// with packets of its own. All of it runs on the interface processor and pays
// for its cycles, so that its perturbation is modelled, not assumed.
//
// Source and LANai are stored at the sender, Net and Dest at the receiver,
// each under the tag that the packet carries. Binning is put off to moments
// at which the processor would idle.
package monitor
