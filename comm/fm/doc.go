// Package fm is Illinois Fast Messages, versions 2.02 and 2.1 (userspace §2,
// §4.1; the streaming calls as FM 2.x has them).
//
// A message names a handler, which the receiving library runs when it extracts the
// message's packets from the network. Messages of one sender arrive in order. The
// network is assumed reliable: nothing is sent again. A lost packet is
// catastrophic: the model counts it, and the next call returns an error.
//
// Sending: the host stores every packet, however long the message, into the
// interface's memory by programmed I/O with write combining. A send therefore
// ends when its last byte has crossed the bus, and its overhead grows with the
// size. Bytes of the source that are not in the cache are read from memory first.
// A message may be gathered from pieces (Begin, Stream.Piece, Stream.End). A
// packet leaves as soon as it is full, before later pieces are given.
//
// Receiving: the interface writes packets by DMA into a ring in pinned memory of
// the library. The library polls the ring when the program polls, and copies each
// packet to the addresses that the message's handler returns, so the receive
// overhead grows with the size as well. A handler is called when the first packet
// of a message has arrived, so with several packets copying overlaps sending. If
// ring and buffers do not fit into the second-level cache together, loads and
// copies go to memory.
//
// Flow control: every sender owns a share of the places of a receiver's ring. It
// counts the packets it has sent and stops when its share is used up. It then
// handles arrivals, so two nodes that send to each other never deadlock. The
// receiver's library counts the packets that it has taken out of the ring. When half
// of a sender's share is free again, it returns credit by a small message, which is
// written to a separate word and needs no credit. The ring therefore never
// overflows.
//
// Version 2.02 serves one process per node. Processes of a node are protected from
// one another because there is only one; any process of another node may send to
// it. Version 2.1, tabulated in the study and not measured, has the same data path.
// Every process has its own ring and its own credits. Packets carry the tag of the
// sender's program, and a node without a process of that program refuses them.
//
// Files, in reading order:
//   - mailbox.go: Receive on top of handlers
//   - stream.go: a message sent piece by piece
//   - arrival.go: packets taken out of the ring and passed to handlers
//   - node.go: opening, counters, arrivals at the control program
//   - endpoint.go: polling and credits
//   - state.go: the state of a node, a process and a peer
//   - ring.go: the receive ring of a process
//   - spec.go: the section of a profile
package fm
