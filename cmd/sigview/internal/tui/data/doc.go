// Package data prepares runs and measurements for drawing. A Data never changes once it is made; what
// is read later of its trace makes a new one. The Selection says which packets are meant.
//
// Files, in reading order:
//   - waits.go: who waited for whom, read for drawing
//   - sought.go: the operation of a packet
//   - ranking.go: the slowest packets of the whole trace
//   - explained.go: what traces tell of causes, and phases
//   - comparison.go: two runs compared
//   - slice.go: packets of a trace by sender and receiver
//   - selection.go: which packets are selected
//   - finding.go: findings of all grades, the worst first
//   - data.go: a run prepared for drawing
//   - packets.go: a trace prepared for drawing
//   - measured.go: measurements in directories
//   - drawn.go: measurements that are shown by a chart of their report
//   - place.go: a place in the views: which one, and what is selected there
//   - operations.go: the operations of a trace
package data
