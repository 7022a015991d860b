// Package history checks what communication layers deliver: every message once, in order,
// with the bytes that were sent, and nothing else. Random programs run on every layer of
// every platform, with and without faults of the network. A recorder around the endpoints
// keeps what the processes have sent and received. It knows only the contract of package
// comm, so it serves every layer.
//
// Where endpoints reach memory of peers (comm.Remote), nodes also read it and change a word of each node by additions and
// swaps. What these say was there has to lead from the word at first to the word at the end, with each change once.
//
// A run has a finding if something is received that was not sent, or twice, or out of
// order; if something is missing and neither an error nor a counter of the layer says so;
// if there is an error without a fault; or if the program panics or does not end. A layer
// whose traits call errors catastrophic need not tell of packets that the network has lost
// before they came, but of those that came damaged or were lost in resets. More messages
// missing before others that have come than packets were lost are a finding, too.
//
// When the checksum of a damaged packet does not show the damage, a layer may take it for
// sound. Judged are then the streams of nodes that have received none such, and what is
// missing is not.
//
// A run is given up as hung after a time. If a layer still sends again, it has longer.
//
// Files, in reading order:
//   - run.go: one program on one place
//   - drive.go: the program of one node
//   - plan.go: random programs
//   - faults.go: random faults
//   - recorder.go: an endpoint whose calls are recorded
//   - judge.go: what explains what is missing
//   - log.go: what was sent and received, and how it differs
package history
