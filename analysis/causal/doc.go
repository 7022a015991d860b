// Package causal says what a run's time was made of, and names the causes in words: critical
// path, waiting by resource, holder and root, findings, what-ifs.
//
// It rests on two rooms, to be read first. Package account holds who waited for whom: the time of
// each actor in pieces. Package graph holds what each piece depends on: the critical path, slack and
// replays. All three work on a log of waiting, which a model writes or package rebuild makes of
// monitors' records. They know neither.
//
// Files, in reading order:
//   - faster.go: the run time that a what-if predicts
//   - difference.go: of what the difference of two run times is made
//   - views.go: what is shown of an explanation
//   - unlike.go: outliers and busy places in words
//   - retries.go: operations that try again
//   - findings.go: causes of run time, in words
//   - through.go: for which port packets wait, in words
//   - commands.go: commands about findings
//   - attributed.go: what is attributed to what runs can have free
//   - windows.go: for whom packets wait in windows of time
//   - long.go: a long log explained window by window
//   - merge.go: sums of the explanations of windows
//   - explain.go: what a run's time was made of
//   - halts.go: ports that pause frames halt
//   - worth.go: what a run without a cause would save
//   - states.go: what processes wait for that others do
//   - near.go: how near packets are to the critical path
//   - tally.go: sums of waiting by resource, holder and root
//   - line.go: waiting in line, summed up at once
//   - portions.go: the critical path by what is done or waited for
//   - busy.go: places on whose service the run time rests
//   - events.go: what happens to nodes, and when
//   - outliers.go: parts of the machine that are unlike their peers
//   - own.go: waiting that is no contention
//   - along.go: the critical path by node, program and operation
//   - queues.go: the waiting for a resource, and the time at one
//   - words.go: names and figures in sentences
package causal
