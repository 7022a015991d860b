// Package activity finds when much happened in a run: its phases, and bursts of packets at
// single ports. Packets are counted as they are read, in memory that does not grow with
// their number.
//
// Files, in reading order:
//   - views.go: what is shown of phases and bursts
//   - phases.go: from barrier to barrier, or from one rate of packets to another
//   - bursts.go: times in which a port has far more packets than usual
//   - silences.go: times in which a port has none
//   - series.go: packets by time
package activity
