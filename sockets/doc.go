// Package sockets is stream sockets on VMMC-2: connections between processes
// that carry ordered bytes both ways, on contexts of the hosts.
//
// Each direction of a connection has two regions of the reader's memory that
// the writer deposits into. A small ring of entries says what the stream
// consists of; up to InlineBytes of it ride in an entry itself, one message of
// VMMC-2 that its sender writes by programmed I/O. More goes by DMA into a ring
// of data, straight from the writer's buffer or, if it is short, from a copy,
// and an entry behind it announces it.
//
// The reader spins on the next entry. What has been announced it copies out of
// the ring, unless it was waiting with a large buffer: then it has posted that
// buffer with the interface, and transfers that begin while it is posted go
// there instead of into the ring (VMMC-2's transfer redirection), to the
// position in the stream that they have.
//
// VMMC-2 has no flow control. The reader tells how much of both rings it has
// freed, in two words that it deposits into the writer's memory after each
// quarter; a writer without room waits.
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
