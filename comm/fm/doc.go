// Package fm is Illinois Fast Messages, versions 2.02 and 2.1 (userspace §2,
// §4.1; the streaming calls as FM 2.x has them).
//
// A message names a handler, which the receiving library runs when it extracts
// the message's packets from the network. Messages of one sender arrive in
// order. The network is taken to be reliable: nothing is sent again. A lost packet
// is a catastrophe. The model counts it, and the next call returns an error.
//
// Sending: the host stores every packet, however long the message, into the
// interface's memory by programmed I/O with write combining. So a send is over
// when its last byte has crossed the bus, and its overhead grows with the size.
// Bytes of the source that are not in the cache are read from memory first. A
// message may be gathered from pieces (Begin, Stream.Piece, Stream.End). A packet
// leaves as soon as it is full, before later pieces are given.
//
// Receiving: the interface puts packets by DMA into a ring in pinned memory of
// the library. The library looks at the ring when the program polls, and copies
// each packet to where the message's handler wants it, piece by piece, so the
// receive overhead grows with the size as well. A handler is called when the first
// packet of a message is there, not the last: with more than one packet, copying
// overlaps sending. If ring and buffers do not fit into the second-level cache
// together, loads and copies go to memory.
//
// Flow control: every sender owns a share of the places of a receiver's ring. It
// counts the packets it has sent and stops when its share is used up. It then
// handles arrivals, so that two nodes that send to one another never block each
// other. The receiver's library counts what it has taken out of the ring. It tells a
// sender by a small message when half of the sender's share is free again. Such a
// message lands in a word of its own and needs no credit. So the ring never
// overflows, whatever programs do.
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
//   - arrival.go: packets taken out of the ring and handed to handlers
//   - node.go: opening, counters, what the control program does with arrivals
//   - endpoint.go: polling and credits
//   - state.go: what a node, a process and a peer keep
//   - ring.go: the receive ring of a process
//   - spec.go: the section of a profile
package fm
