// Package trace is the vocabulary of what the monitor records: packet kinds,
// the four latencies, the tables of a run directory. It knows nothing of the
// simulator, so that records may later come from real hosts as well.
//
// Files, in reading order:
//   - run.go: everything that a run directory holds
//   - manifest.go: run.json
//   - log.go: what the nodes of a traced run recorded, put together
//   - assemble.go: operations from calls and packets
//   - join.go: packets from the records of both ends
//   - clock.go: the table of clock rounds
//   - histogram.go: the table of latency bins
//   - bench.go: the tables of measured layers
//   - signature.go: the tables of a signature
//   - span.go: the tables of operations and their steps
//   - spans.go: what upper layers report of operations
//   - packet.go: the table of packets
//   - table.go: tables as columns of a row type
//   - meta.go: tags, spans, kinds and stages
//   - opt.go: values that may be missing
package trace
