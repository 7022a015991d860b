// Package patterns holds synthetic communication patterns on comm/deposit,
// which load a network as applications do. Message size, number, pause and skew
// are parameters.
//
// Deposits have no flow control, so patterns have their own. Each receiver has a
// ring of a few slots for every sender and returns credit, by a word deposited
// into the sender's memory, when half of them have been read. A sender without
// room reads its own messages while it waits, so no two nodes deadlock. No credit
// is sent if an answer already shows that a message was read, or if there are no
// more messages than slots.
//
// The bytes of every message are a function of sender, receiver and number, and
// the receiver checks all of them. Messages of a sender must arrive in order,
// none missing and none twice.
//
// Files, in reading order:
//   - pattern.go: a pattern on its nodes, and its result
//   - programs.go: the program of each node
//   - mail.go: messages and credits between the nodes
//   - content.go: the bytes of a message
//   - state.go: the state of a pattern and a node
//   - choice.go: random receivers
//   - spec.go: the patterns and their parameters
package patterns
