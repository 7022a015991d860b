// Package causal says who waited for whom, what a run's time was made of, and what it
// would have been without a resource's queues. It works on a log of waiting, of a model
// or rebuilt from traces, and knows neither.
//
// Files, in reading order:
//   - views.go: what is shown of an explanation
//   - faster.go: the run time that a what-if predicts
//   - findings.go: causes of run time, in words
//   - commands.go: commands about findings
//   - explain.go: what a run's time was made of
//   - states.go: what processes wait for that others do
//   - near.go: how near packets are to the critical path
//   - tally.go: sums of waiting by resource, holder and root
//   - own.go: waiting that is no contention
//   - slow.go: engines slower than those of other nodes
//   - along.go: the critical path by node, program and operation
//   - queues.go: the waiting for a resource, and the time at one
//   - classes.go: sorts of actors
//   - words.go: names and figures in sentences
//   - rows.go: the tables actors and waits
//   - replay.go: what-if
//   - slack.go: by how much pieces could end later at no cost
//   - path.go: the critical path
//   - graph.go: what each piece of time depends on
//   - resolve.go: a log becomes pieces, each with the holder and the root of its waiting
//   - root.go: the chain of holders
//   - holds.go: who has a resource at an instant
//   - account.go: actors with the pieces of their time
package causal
