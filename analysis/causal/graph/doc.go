// Package graph holds what each piece of time depends on. It finds the critical path and the
// slack of pieces, and replays a run with resources faster or without queues.
//
// Times are in ps. Invariant: without a change a replay ends when the run did.
//
// Files, in reading order:
//   - rerun.go: what-if, in the order of time
//   - giving.go: who gets a place next
//   - duties.go: handlers, and the processes that they interrupt
//   - clocks.go: pieces that others slow or stop
//   - layout.go: what happens when what they wait for has come
//   - events.go: what happens when
//   - replay.go: what-if, with all orders kept
//   - slack.go: by how much pieces could end later at no cost
//   - path.go: the critical path
//   - slots.go: who had send slots
//   - sharing.go: by how much others slow transfers at buses
//   - turns.go: in which order places that serve one at a time did so
//   - grants.go: who had such places
//   - episodes.go: what handlers did for which packet
//   - ring.go: packets that a full receive ring refuses
//   - graph.go: what each piece of time depends on
package graph
