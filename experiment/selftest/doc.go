// Package selftest measures how well comparisons of runs tell: it plants delays of known
// size in each stage of packets, and in computing, and none, and counts how often a gate
// finds them, and how often it fails for nothing. It also counts how often intervals
// contain the mean of many runs.
//
// Files, in reading order:
//   - view.go: the result as tables
//   - selftest.go: the runs of a self-test and its result
//   - rates.go: sets of runs drawn at random and compared
//   - plant.go: delays of known size, as changes of the hardware profile
//   - coverage.go: how often intervals contain the mean
//   - trial.go: the runs of one program
package selftest
