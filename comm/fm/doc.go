// Package fm is Illinois Fast Messages, versions 2.02 and 2.1 (userspace §2,
// §4.1; the streaming calls as FM 2.x has them).
//
// A message names a handler, which the receiving library runs when it extracts
// the message's packets from the network. Messages of one sender arrive in
// order. The network is taken to be reliable: nothing is repeated, and a packet
// that is lost is a catastrophe, which the model counts and then says so to
// whoever calls next.
//
// Sending: the host stores every packet, however long the message, into the
// interface's memory by programmed I/O with write combining, so a send is over
// when its last byte has crossed the bus and its overhead grows with the size.
// What of the source is not in the cache has to be read from memory first.
// A message may be gathered from pieces (Begin, Stream.Piece, Stream.End); a
// packet leaves as soon as it is full, while later pieces are still to come.
//
// Receiving: the interface puts packets by DMA into a ring in pinned memory of
// the library's. The library looks at the ring when the program polls, and
// copies each packet to where the message's handler wants it, piece by piece,
// so the receive overhead grows with the size as well. A handler is called when
// the first packet of a message is there, not the last: with more than one
// packet, copying overlaps sending. Ring and buffers together have to fit into
// the second-level cache, or loads and copies go to memory.
//
// Flow control: of the places of a receiver's ring every sender owns a share.
// It counts the packets it has sent and stops when its share is used up; it
// then handles arrivals, so that two nodes that send to one another never wait
// for one another. The receiver's library counts what it has taken out of the
// ring, and tells a sender by a small message when half of its share has been
// used and not been told. Such a message lands in a word of its own and needs
// no credit. So the ring never overflows, whatever programs do.
//
// Version 2.02 serves one process per node: processes of a node are protected
// from one another because there is one, with messages copied, but any
// process of another node may send to it. Version 2.1, tabulated in the study
// and not measured, has the same data path. Every process has its own ring and
// its own credits, packets carry the tag of the sender's program, and one for
// which the node has no process is refused.
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
