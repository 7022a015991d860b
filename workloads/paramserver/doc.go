// Package paramserver keeps the parameters of a model on servers, to which workers send what they have
// learnt and from which they get the parameters again, step by step.
//
// The first nodes are servers, each with a shard of the parameters; the others are workers. In each step
// every worker sends every server its gradient of the shard, in chunks. A server adds the gradients of a
// chunk once those of all workers have come, changes the parameters, and sends them to all workers. So the
// servers' links carry as much as all workers' together, and many send to one at the same time.
//
// The numbers are whole, so that their sum is the same in any order. A worker's gradient is made when it is
// needed, and the parameters that come are compared and not kept: every worker compares every parameter
// after every step with a sum that was not added up from gradients. The servers keep their shards.
//
// Files, in reading order:
//   - paramserver.go: the program, and its result
//   - worker.go: what a worker does in a step
//   - server.go: what a server does
//   - state.go: the state of the program and of a node
//   - spec.go: sizes
package paramserver
