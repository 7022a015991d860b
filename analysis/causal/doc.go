// Package causal says who waited for whom, what a run's time was made of, and what it
// would have been without a resource's queues. It works on a log of waiting, of a model
// or rebuilt from traces, and knows neither.
//
// Files, in reading order:
//   - views.go: what is shown of an explanation
//   - faster.go: the run time that a what-if predicts
//   - findings.go: causes of run time, in words
//   - through.go: for which port packets wait, in words
//   - commands.go: commands about findings
//   - attributed.go: what is attributed to what runs can have free
//   - explain.go: what a run's time was made of
//   - states.go: what processes wait for that others do
//   - near.go: how near packets are to the critical path
//   - tally.go: sums of waiting by resource, holder and root
//   - line.go: waiting in line, summed up at once
//   - own.go: waiting that is no contention
//   - slow.go: engines slower than those of other nodes
//   - along.go: the critical path by node, program and operation
//   - queues.go: the waiting for a resource, and the time at one
//   - classes.go: sorts of actors
//   - words.go: names and figures in sentences
//   - rows.go: the tables actors and waits
//   - rerun.go: what-if, in the order of time
//   - giving.go: who gets a place next
//   - duties.go: handlers, and the processes that they interrupt
//   - clocks.go: pieces that others slow or stop
//   - layout.go: what happens when what they wait for has come
//   - events.go: what happens when
//   - replay.go: what-if, with all orders kept
//   - slack.go: by how much pieces could end later at no cost
//   - path.go: the critical path
//   - turns.go: in which order places that serve one at a time did so
//   - slots.go: who had send slots
//   - sharing.go: by how much others slow transfers at buses
//   - grants.go: who had such places
//   - episodes.go: what handlers did for which packet
//   - ring.go: packets that a full receive ring refuses
//   - graph.go: what each piece of time depends on
//   - beyond.go: what processors do for packets that have gone on
//   - resolve.go: a log becomes pieces, each with the holder and the root of its waiting
//   - chain.go: the chain of holders at an instant
//   - root.go: the chain of holders
//   - account.go: actors with the pieces of their time
//   - holds.go: who has a resource at an instant
package causal
