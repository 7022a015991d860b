// Package patterns holds synthetic communication patterns on comm/deposit: what
// applications do to a network, without the application. Message size, number,
// pause and skew are parameters.
//
// Deposits have no flow control, so a pattern that consumes brings its own. Each
// receiver keeps a ring of a few slots for every sender and tells it, with a
// word deposited into its memory, when half of them have been read. A sender
// without room reads what has come for itself while it waits, so that no two
// wait for each other. No such words are sent where the pattern itself says that a
// message was read (an answer has come), or where no more messages come than there
// are slots.
//
// Every message carries bytes that follow from sender, receiver and number,
// and the receiver compares all of them with what they should be. Messages of a
// sender must come in order, none missing and none twice.
//
// Files, in reading order:
//   - pattern.go: a pattern on its nodes, and its result
//   - programs.go: what each node does
//   - mail.go: messages and credits between the nodes
//   - content.go: the bytes of a message
//   - state.go: what a pattern and a node keep
//   - choice.go: random receivers
//   - spec.go: the patterns and their parameters
package patterns
