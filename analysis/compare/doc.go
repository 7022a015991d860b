// Package compare compares runs with runs: two of them, or several a side with different
// seeds. It finds what has changed, by how much, and whether that is more than seeds alone
// change, and applies the conditions of a gate.
//
// The unit of repetition is the run. A difference has an interval over runs: Welch's, and
// if both sides have the same seeds also Student's over the pairs. An outcome is changed if
// the whole interval lies beyond a threshold, same if it lies within, and else cannot be
// told. Among many cells false discoveries are controlled. Two single runs have no such
// interval; what is shown of them is within the runs only.
//
// Files, in reading order:
//   - seen.go: what the kernel was seen to do on two sides, as a table
//   - view.go: a comparison as tables and in words
//   - judge.go: outcomes, and conditions applied
//   - compare.go: two sides compared, figure by figure
//   - runtime.go: the run time's difference by its parts
//   - cell.go: one figure of two sides
//   - condition.go: conditions under which a comparison fails
//   - document.go: what a comparison needs of a measurement of layers
//   - run.go: the same of a run; which sides are the same, or unlike
//   - observed.go: figures of what the kernel was seen to do
//   - figure.go: the figures of a run, and their names
//   - estimate.go: differences over runs and their intervals
package compare
