// Package lfc is LFC, the user-level layer of the Distributed ASCI Supercomputer
// (http://www.cs.vu.nl/lfc/ and the abstracts of its papers; its figures for a
// Pentium Pro of 200 MHz with a LANai 4.1 are grim, Table 5.5).
//
// LFC moves packets, not messages. The host stores a packet of at most one
// kilobyte into the interface's memory by programmed I/O with write combining. The
// receiving interface writes it by DMA into the next free buffer of a pool in pinned
// memory of the host, which polls for it and reads it in place. Callers cut and
// join longer messages.
//
// Flow control is between interfaces, not between libraries. The packet buffers of
// an interface are divided among the peers. A sender's interface has a credit for
// each buffer of its share, and the oldest request waits for a credit of its
// receiver. A buffer is free again when the DMA that empties it has started. The
// count of emptied buffers returns with packets that go the other way, or in a
// packet of its own once it has grown by half of the share. If the host has no free
// buffer, packets wait in the interface and their credits with them, so nothing
// overflows. The library copies messages out of their buffers while it waits for
// room in the request queue, or two processes that both send and do not receive
// would wait for each other forever.
//
// The network is taken to be reliable: nothing is sent again. A damaged packet, or a
// number that is missing, stops the interface. Calls then return an error that says
// why.
//
// One process of a node uses the interface. Not modelled are the forwarding of
// multicasts by interfaces, the network-wide fetch-and-add, and the separate queue of
// requests for each receiver without credit. The polling watchdog, by which an interface
// interrupts a host that does not poll, is that of comm/mpi.
//
// Files, in reading order:
//   - endpoint.go: sending and receiving
//   - node.go: opening, counters, the control program
//   - credits.go: which packets may be sent
//   - state.go: the state of a node, a process and a peer
//   - spec.go: the section of a profile
package lfc
