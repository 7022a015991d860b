// Package team holds what programs on comm/deposit have in common: a process on each node, from
// start to end, and lanes of messages between them.
//
// Deposits have no flow control, so a lane has its own: a ring of slots in the receiver's memory.
// The receiver frees slots in order. It tells the sender by a word deposited into the sender's
// memory when half of them are free, unless the program itself bounds what is under way, as one that
// waits for answers does.
//
// Files, in reading order:
//   - team.go: a program from its start to its end
//   - lane.go: messages from one process to another
//   - member.go: what a process does
//   - state.go: the state of a program and of a process
package team
