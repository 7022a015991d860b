// Package nx implements message passing with the interface of NX/2 on
// comm/deposit: typed messages between numbered nodes, blocking and
// asynchronous calls, probes, broadcasts and global operations. Its protocol is
// designed for VMMC-2 and runs on every layer that supports programs.
//
// # Protocol
//
// Every process exports to every other one a ring of small entries, a few slots
// for larger messages, and its heap. An entry is one deposit of at most 64 B,
// which VMMC-2 carries in the request itself: a header, and the data of a short
// message. A longer message is deposited straight from the user's buffer into
// the receiver's next slot, and its envelope follows as an entry. For a message
// longer than a slot the envelope goes first. The receiver answers with an
// address in its heap, the sender deposits the data there, and another entry
// says that it is complete.
//
// If the interface can redirect deposits, a receive posted for one sender
// redirects the slot that this sender will use next to the user's buffer. Nothing
// is copied if that guess is right and the data has the same page offset as at
// the sender. Otherwise, or without a posted receive, the library copies. A long
// message is deposited into the user's buffer if a receive matches its envelope.
// If none matches and the process waits in the library, it is deposited into
// system memory.
//
// # Flow control
//
// A sender knows how many entries and slots are free. The receiver returns
// credit, in two words, once a quarter of the entries or half of the slots have
// been read. While a process waits in the library for anything, the library reads
// every entry that arrives. It copies slots without a posted receive to system
// memory when more than half of them are in use. Credit therefore always returns
// while the receiver is in the library, and two processes that both send first do
// not deadlock. Nothing is received while the receiver computes. System memory is
// not limited; Stats reports its peak.
//
// # Order
//
// Messages from one node to another are received in the order in which they
// were sent. A broadcast by tree takes a different path from its origin's other
// messages. Those messages carry the number of earlier broadcasts, and the
// origin sends a mark to all nodes before a broadcast that follows them.
//
// # Broadcast
//
// A message to node −1 goes to all other nodes. Separate sends it to one node
// after another, in the order of nodes after the sender. Tree uses a binomial
// tree, whose inner nodes forward it from their slots when their library reads
// it. Firmware makes one request, whose data the interface fetches once and
// injects for every receiver; the layer must support that. Broadcasts longer than
// a slot, or too long for the interface's multicast, are sent separately.
//
// Files, in reading order:
//   - system.go: the processes of a program, connected and run
//   - calls.go: sending, receiving and probing, as a program calls them
//   - global.go: operations of all processes together
//   - process.go: a process, its progress and its memory
//   - message.go: arrived messages and posted receives
//   - send.go: sending of messages
//   - order.go: broadcasts by tree, and their order
//   - slot.go: slots and their redirection
//   - spans.go: broadcasts reported to the monitor
//   - peer.go: entries and credits of a peer
//   - state.go: the state of a program, a process and a peer
//   - record.go: an entry of a ring
//   - spec.go: specification, limits, ways to broadcast
package nx
