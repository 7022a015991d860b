// Package lanes says what the parts of each node do over time: the program, the host's
// buses, the DMA engines, the interface processor and the wire.
//
// Times are exact at every scale: a period is answered from sums over sorted intervals, not
// from windows.
//
// Files, in reading order:
//   - path.go: where the critical path is
//   - lanes.go: parts of nodes, made from who waited for whom
//   - busy.go: intervals and the time that they cover
package lanes
