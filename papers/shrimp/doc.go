// Package shrimp measures the rows of the paper about the performance monitor in
// the firmware of the SHRIMP cluster's interfaces.
//
// Files, in reading order:
//   - hardware.go: properties of the machine
//   - layer.go: VMMC-2, and messages and shared memory on it
//   - latencies.go: the instants between which each latency is measured, and what
//     raises it
//   - clocks.go: the global clock's protocol and error, and how promptly interfaces
//     read their clocks
//   - future.go: what the paper only plans
//   - monitor.go: what the monitor does, and what its histograms hold
//   - programs.go: applications, alone and two at a time, and their baseline
//   - perturb.go: what the monitor costs
//   - rows.go: all rows, and how they are measured on testbeds and in runs
package shrimp
