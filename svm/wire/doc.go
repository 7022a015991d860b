// Package wire carries the messages of shared virtual memory by deposits.
//
// Every node exports to every other one a ring for protocol messages, and the
// address range of the shared memory. A frame is bound to its address when its
// page is requested. A page lands in its frame without a copy, and that completes
// the reply: no message follows it. The requester spins on the frame's last words.
//
// Deposits have no flow control. The reader returns credit: after each quarter
// of the ring it deposits the number of consumed bytes into the writer's
// memory. A writer without room receives its own messages while it waits, so
// two writers cannot deadlock.
//
// On a layer whose hosts poll, every check for messages polls. Arrivals outside
// a poll are notified as requests are.
//
// Files, in reading order:
//   - receive.go: packets assembled into records and delivered
//   - send.go: records and pages sent
//   - wire.go: ports and their connections
//   - record.go: the envelope of a record
package wire
