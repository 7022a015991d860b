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
// Requests for a receiver without credit let others pass. Interfaces forward multicasts along
// a tree, by the same credits, and add to a variable of another interface for its host
// (fetch-and-add). A polling watchdog interrupts a host that does not poll. The public
// description names these mechanisms. Assumed are the shape of the tree, that the interface
// looks through the request queue at no cost, the answer of a fetch-and-add by DMA, and
// that it needs no credit of its own: room for one is kept.
//
// One process of a node uses the interface. Its program's nodes are one multicast group.
//
// Files, in reading order:
//   - endpoint.go: sending and receiving
//   - node.go: opening, counters, the control program
//   - multicast.go: packets to all nodes, which interfaces send on
//   - fetch.go: the network-wide fetch-and-add
//   - credits.go: which packets may be sent
//   - state.go: the state of a node, a process and a peer
//   - spec.go: the section of a profile
package lfc
