// Package why splits what a program waits for by resource, from runs of the program with
// each resource free, with all others free, and twice as fast. It works on rows that were
// measured and knows no model.
//
// What a resource costs has two answers: what is saved when it alone becomes free, and what
// it still costs when all others are free. They differ where resources interact, and both
// are given. They do not sum to the whole.
//
// The unit of repetition is the run: every effect is the mean of differences between two
// runs with the same seed, and its interval is Student's over seeds.
//
// Files, in reading order:
//   - view.go: tables of causes
//   - words.go: the findings in sentences
//   - traced.go: whether a trace of one run agrees
//   - explain.go: effects of changes on latencies and run times
//   - shapley.go: shares that sum to the whole
//   - estimate.go: means of paired differences
//   - study.go: what was run, and what the runs showed
package why
