// Package trace defines what the monitor records: packet kinds, the four
// latencies, the tables of a run directory. It is independent of the simulator,
// so records may come from real hosts too.
//
// Files, in reading order:
//   - run.go: everything that a run directory holds
//   - sweep.go: the manifest and the tables of a sweep
//   - manifest.go: run.json
//   - observed.go: what a kernel was seen to do with messages
//   - stamping.go: stamps of real hosts, and their cost
//   - seal.go: the digest of a document in the document
//   - label.go: what files say of their run
//   - log.go: the records of all nodes of a traced run combined
//   - marks.go: the calls of all nodes, operation by operation
//   - assemble.go: operations from calls and packets
//   - join.go: packets from the records of both ends
//   - gap.go: records that nodes have lost
//   - congestion.go: ports, why they were halted, and flows
//   - online.go: the table of what was found while the program ran
//   - clock.go: the table of clock rounds
//   - bins.go: histograms in host memory
//   - histogram.go: the table of latency bins
//   - bench.go: the tables of measured layers
//   - signature.go: the tables of a signature
//   - predecessor.go: the packet that a packet follows
//   - waiting.go: the tables of who waited for whom
//   - span.go: the tables of operations and their steps
//   - spans.go: how upper layers report operations
//   - batch.go: the index of the table of packets
//   - window.go: packets by time and node
//   - packet.go: the table of packets
//   - resource.go: what packets contend for, and in which stages
//   - grade.go: what a finding rests on
//   - check.go: what the values of a row may be, by the tags of its fields
//   - table.go: tables as columns of a row type
//   - stage.go: the latencies of a packet
//   - meta.go: tags, spans and kinds of packets
//   - opt.go: values that may be missing
package trace
