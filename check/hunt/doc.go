// Package hunt looks for faults of the simulator itself. It draws specifications of runs at
// random, runs each twice, and checks what has to hold for every run. A specification that
// fails a check is made as small as it can be while it fails.
//
// Files, in reading order:
//   - round.go: many random cases
//   - tally.go: how many of what
//   - trial.go: one specification, run and checked
//   - accounts.go: checks of sums
//   - verdict.go: checks of how a run ends
//   - again.go: checks of files and of a second run
//   - shrink.go: the smallest specification that fails
//   - random.go: specifications drawn at random
//   - faults.go: faults drawn at random
//   - command.go: the command line of a specification
//   - draw.go: random numbers
//   - outcome.go: what a run has left
//   - case.go: a specification and the file that it needs
package hunt
