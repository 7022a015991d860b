// Package kv is a store of values by key, and a workload on it: clients get and put values and
// add to counters.
//
// The first nodes are servers, each with a part of the keys; the others are clients. On any
// layer a client sends a request, which the process of a server answers. On a layer whose
// interfaces read and change the memory of other nodes (comm.Remote) the servers' processes
// have nothing to do: a client reads a value with its version and checksum, and reads again
// if the two do not fit, because another client writes there. It writes under a lock, which is the
// lowest bit of the version, taken by compare-and-swap. Counters are changed by fetch-and-add.
//
// The bytes of a value follow from who put it and how many values he had put before, so
// that a get that returns a mixture of two values, or one that nobody has put, is noticed. After
// the run the history of each key is checked: there is an order of all operations on it in
// which each one returns what those before it have left, and in which none that ended before
// another one began comes after that.
//
// Files, in reading order:
//   - kv.go: the program, and its result
//   - client.go: operations of a client, by requests
//   - remote.go: the same without the server's process
//   - server.go: the process that answers requests
//   - check.go: the check of histories
//   - state.go: the state of the program and of a node
//   - keys.go: which key is next
//   - message.go: requests and replies in bytes, the bytes of a value
//   - history.go: operations as they were seen
//   - spec.go: sizes, mix of operations, costs
package kv
