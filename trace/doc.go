// Package trace is the vocabulary of what the monitor records: packet kinds,
// the four latencies, the tables of a run directory. It knows nothing of the
// simulator, so that records may later come from real hosts as well.
package trace
