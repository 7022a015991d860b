// Package explain answers questions about run directories: what a run, or the mean of several
// with different seeds, holds; who waited for whom in a traced run and what that cost; its longest
// operations, phases and bursts; and what changed between runs. It reads the files and leaves
// the thinking to the packages beside it, so that the commands, the terminal's views and Go
// programs ask in the same way.
//
// Files, in reading order:
//   - difference.go: of what the difference of two run times is made
//   - brief.go: a short trace explained unasked, as the views show it
//   - trace.go: a traced run explained, with what there is to ask
//   - long.go: a long log of waits, explained in windows of time
//   - stops.go: nodes that stop, in a long trace
//   - sample.go: for whom packets wait in a long trace, told by a part of them
//   - spread.go: windows of time over a trace
//   - account.go: who waited for whom, as the model noted it
//   - activity.go: the phases and the bursts of a run
//   - operations.go: the longest operations, and one by its number
//   - sides.go: runs, sets of runs and measurements, as they are compared
//   - runs.go: a run, or the mean of a directory of runs
//   - tables.go: tables of a trace, of which a run may have none
package explain
