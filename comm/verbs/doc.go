// Package verbs is the native layer of a card of today: RDMA verbs over reliable connections, and datagrams.
//
// A process has queue pairs, each connected to one of another node. The library stores an entry into
// a send queue and rings: it stores the entry itself into the card if it is short (BlueFlame), data of
// few bytes included, or else a doorbell, after which the card reads the entries from host memory, several at once
// if they are there. Data that is not in the entry is read by DMA when a packet is made of it. A write
// goes into memory that the peer has registered, without the peer; with immediate data its process
// is told. A read or an atomic operation is a request, and the answer comes with its data: an
// operation on a word waits for the one before it, because it reads and writes the word over the bus.
// A message goes into a receive buffer that the peer has posted.
//
// A pair is served by one transmit unit and one receive unit of the card, and units serve their
// pairs in turn, a packet each. The state of pairs and the addresses of pages are in host memory and cached in the card.
//
// The card is reliable: packets of a pair are numbered, the receiver acknowledges messages and asks
// for what is missing, and the sender sends that again, alone (selective repeat) or with all after it (go-back-N), as the
// profile says. It reads the data from host memory again. After a time without an acknowledgement it goes back, and
// after some times the pair fails: its entries complete with the error, and its program may reset it. A receiver without a
// buffer answers that it is not ready, and the sender waits.
//
// A pair of datagrams uses the same queues and units. A datagram is one packet to any such pair, its entry is
// complete when it has left, and it is lost if it does not find a receive buffer.
//
// The monitor's instants: T1 the card has seen the doorbell or the entry, T2 the data is in the card,
// T3 and T4 the first and the last byte leave, T5 the last byte is in, T6 the data can be seen by
// the host. Those of a read's data begin at its responder, when the request has come.
//
// Simplifications: an entry is read once, even if its packets are sent again; what a pair has in the
// receive unit stays in order; one service level; datagrams have no keys and no multicast.
//
// Files, in reading order:
//   - node.go: the layer on a node, its processes and their connections
//   - endpoint.go: messages
//   - datagram.go: datagrams
//   - port.go: deposits
//   - remote.go: reads of and changes to a peer's memory
//   - post.go: the library: entries and completions
//   - receive.go: packets that arrive, and their answers
//   - complete.go: acknowledgements, completions, what is sent again
//   - selective.go: packets behind a gap
//   - send.go: from doorbells to packets
//   - flows.go: counts of each pair by program
//   - errand.go: the card's other transfers
//   - state.go: the state of nodes, processes, pairs and packets
//   - cache.go: what the card has at hand
//   - spec.go: the section of a profile
package verbs
