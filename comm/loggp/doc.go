// Package loggp stands for any communication layer where only its costs are wanted: programs
// run on it unchanged, by comm/deposit, on modelled hosts without interfaces, network or
// monitor. What a message costs follows from package fast. Its bytes are in the receiver's
// memory when it has arrived as a whole.
//
// On a layer whose interface stores messages itself, the receiver's processor has no part.
// On one whose hosts poll, a process that waits in the library, or that is interrupted,
// spends o_r for each message. Windows, acknowledgements, retransmission, translation
// caches and everything else that firmware does is in the costs, or is missing.
//
// Files, in reading order:
//   - redirect.go: ports, and redirection of deposits
//   - poll.go: arrivals on layers whose hosts poll
//   - port.go: sends of a process
//   - net.go: messages between the layers of all nodes
//   - region.go: exported memory
//   - state.go: the state of a network, a layer and a process
//   - link.go: the two directions of an interface
package loggp
