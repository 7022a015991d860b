// Package sockets is stream sockets on comm/deposit: connections between processes
// that carry ordered bytes both ways, on contexts of the hosts. Its protocol is
// made for VMMC-2 and runs on every layer that carries programs.
//
// Each direction of a connection has two regions of the reader's memory that
// the writer deposits into. A small ring of entries says what the stream
// consists of. Up to InlineBytes of the stream travel in an entry itself, which
// VMMC-2's host writes by programmed I/O. More is deposited into a ring of data,
// straight from the writer's buffer or, if it is short, from a copy. An entry
// behind the data announces it.
//
// The reader waits for the next entry and copies the announced bytes out of the
// ring. A reader that waits with a large buffer posts that buffer with the
// interface, where the interface can redirect deposits. Transfers that begin while
// it is posted go into the buffer instead of the ring, to their position in the
// stream (VMMC-2's transfer redirection).
//
// Deposits have no flow control. The reader tells how much of both rings it has
// freed, in two words that it deposits into the writer's memory after each
// quarter. A writer without room waits.
//
// On a layer whose hosts poll, a process that computes is interrupted for what
// comes: its server, if it has one, or an attendant.
//
// Files, in reading order:
//   - dial.go: making connections
//   - receive.go: the reading half
//   - conn.go: a connection, its memory and its end
//   - redirect.go: transfers into a reader's buffer
//   - send.go: the writing half
//   - net.go: the processes of a program, waiting and attendance
//   - state.go: what a program, a process and a connection keep
//   - entry.go: the entry of a ring
//   - spec.go: specification, errors, costs
package sockets
