// Package perftest measures RDMA verbs between two nodes with the loops of the perftest tools, so that
// a listing of a real card can be laid beside what it returns.
//
// Latency of writes and messages is half of a round trip, in which each side waits until it
// sees the other's data in its memory, or a completion. That of reads and atomic operations is the whole
// time until the completion. For bandwidth one side keeps so many operations under way on each
// queue pair, and takes completions. Datagrams (send-ud) are as messages, but that some may be lost for want of receive buffers.
//
// Files, in reading order:
//   - perftest.go: a measurement
//   - loops.go: what the two sides do
//   - spec.go: what is measured, and results
package perftest
