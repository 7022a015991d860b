// Package sweep compares the runs of a sweep: means over seeds of each combination, the best
// layer by nodes and size, and what free resources save.
//
// Runs with the same seed are compared with each other, so that intervals are over differences.
//
// Files, in reading order:
//   - words.go: the results in sentences
//   - views.go: the results as tables
//   - best.go: which layer is best where
//   - freed.go: what free resources save
//   - cells.go: means over the seeds of a combination
package sweep
