// Package sockets implements stream sockets on comm/deposit: connections between
// processes that carry ordered bytes in both directions. Its protocol is designed
// for VMMC-2 and runs on every layer that supports programs.
//
// For each direction of a connection the writer deposits into two rings in the
// reader's memory. A small ring of entries describes the stream. Up to
// inlineBytes of the stream are sent in an entry itself, which VMMC-2's host
// writes by programmed I/O. Longer data is deposited into a ring of data,
// straight from the writer's buffer or, if it is short, from a copy. An entry
// after the data announces it.
//
// The reader waits for the next entry and copies the announced bytes out of the
// ring. If the interface can redirect deposits, a reader that waits with a large
// buffer posts it. Transfers that begin while it is posted go to their place in
// the buffer instead of the ring (VMMC-2's transfer redirection).
//
// Deposits have no flow control. After each quarter of a ring the reader
// returns credit: it deposits two words, how much of both rings it has freed,
// into the writer's memory. A writer without room waits.
//
// On a layer whose hosts poll, an arrival interrupts a process that computes:
// its server polls, if it has one, or else an attendant.
//
// Files, in reading order:
//   - dial.go: making connections
//   - receive.go: the reading half
//   - conn.go: a connection, its memory and its end
//   - redirect.go: transfers into a reader's buffer
//   - send.go: the writing half
//   - net.go: the processes of a program, waiting and polling
//   - state.go: the state of a program, a process and a connection
//   - entry.go: an entry of the ring
//   - spec.go: specification, errors, costs
package sockets
