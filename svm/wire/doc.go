// Package wire carries the messages of shared virtual memory by deposits.
//
// Every node exports to every other one a ring that protocol messages are
// deposited into, and the address range of the shared memory, whose frames are
// bound as pages are requested: a page reply lands in its frame without a
// copy, and a message in the ring says that it is complete.
//
// Deposits have no flow control. The ring's reader tells its writer how much it
// has consumed, in a word that it deposits into the writer's memory after each
// quarter of the ring. A writer without room takes what has arrived for itself
// while it waits, so that two writers cannot wait for each other.
//
// On a layer whose hosts poll, every look for messages polls, and what arrives
// while nobody looks is told as a request is.
//
// Files, in reading order:
//   - receive.go: packets of rings put together and handed over
//   - send.go: records and pages out
//   - wire.go: ports and their connections
//   - record.go: the header of a record
package wire
