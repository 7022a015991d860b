// Package gm is GM, the message layer of Myrinet's maker (the manual at
// http://laplace.physics.ubc.ca/Doc/gm/gm_3.html and gm_8.html; the sizes of packets,
// tokens and events are those of its published header gm_types.h).
//
// A process has a port. It sends messages of any length from registered memory. A
// send takes a send token and returns at once. The token comes back, and the memory
// may be written again, when the peer's interface has acknowledged all packets. The
// receiving process provides buffers, each a receive token. Here the library does
// that: all buffers have the length of the longest message that the program announces
// when it connects, and the process reads messages in them. A directed send writes
// to an address of the peer's memory and takes no receive token; its receiver is not
// told.
//
// The interface fetches a message by DMA in packets of a page, translates addresses
// by a table of registered pages, and writes arriving packets into the buffer. A
// message of up to 128 B comes with its event in one DMA. After the last packet of a
// longer one the event is written by a DMA of its own, into a queue that the host
// polls.
//
// Interfaces keep one reliable connection to each peer, which all ports share.
// Packets are numbered and stay in the sender's memory until they are acknowledged.
// The receiver accepts the next number only. It reports a gap once, and the sender
// sends all from there on again (go-back-N). A packet without a receive token is
// refused, and the sender tries again after a while. So does a sender without an
// answer, until it gives up. The messages of a peer that was given up do not end.
//
// There are two priorities. A port has tokens, buffers and a queue of requests for each,
// and interfaces a connection for each: the order of messages is kept within a priority.
// The interface takes requests of high priority first. Those of low priority leave it a
// send buffer. But a long message of low priority that has begun, and waits for its
// token, may hold all of them (assumed).
//
// All memory of a process is registered; the cost of registering lies in the set-up,
// as that of opening connections. Assumed are all costs, one acknowledgement for each
// packet, and that events of sent messages come with other events. Not modelled are
// sizes of receive tokens, the error of a send that is given up, and the mapping of the
// network: another way past a dead link has to come from outside.
//
// Files, in reading order:
//   - endpoint.go: sending and receiving
//   - node.go: opening, counters
//   - receive.go: arriving packets and where they go
//   - connection.go: numbers, acknowledgements, repetition
//   - state.go: the state of a node, a port and a connection
//   - spec.go: the section of a profile
package gm
