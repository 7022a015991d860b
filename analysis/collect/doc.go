// Package collect makes the tables of a run from what its nodes hold at the end. It
// takes plain data: the owner of the nodes, simulated or real, fills in Records.
//
// Files, in reading order:
//   - run.go: from records to the tables and the manifest of a run
//   - logs.go: latencies and operations as HdrHistogram logs
//   - records.go: what nodes hold, as plain data
package collect
