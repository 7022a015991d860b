// Package student has Student's t distribution: the half width of 95 % intervals, and the
// probability of a difference. Its digits are the same on every processor.
//
// Files, in reading order:
//   - mean.go: means with their intervals
//   - student.go: quantiles and probabilities
//   - distribution.go: the distribution
package student
