// Package nx is message passing in the manner of NX/2 on comm/deposit: typed
// messages between numbered nodes, blocking and asynchronous calls, probes,
// broadcasts and global operations. Its protocol is made for VMMC-2 and runs on
// every layer that carries programs.
//
// # Protocol
//
// Every process exports to every other one a ring of small entries, a few
// slots of a message's size, and its heap. An entry is one deposit of at most
// 64 B, which VMMC-2 carries in the request itself: a header, and the bytes of a
// message that is short enough. A longer message is deposited straight from the
// user's buffer into the receiver's next slot, and its envelope follows it into
// the ring. Above the size of a slot the envelope goes first. The receiver
// answers with an address in its heap, the data goes there, and another entry
// says that it is complete.
//
// Where the interface can redirect deposits, a receive that has been posted for
// one sender redirects the slot that this sender will use next to the user's
// buffer. When the guess was right and the data lies as in its sender's page,
// nothing is copied. Otherwise the library copies, as it does when no receive has
// been posted. A long message lands in the user's buffer when a receive matches
// its envelope. When none does and the process waits for something, it lands in
// system memory.
//
// # Flow control
//
// A sender knows how many entries and slots are free; the receiver tells it of
// room, in two words, once a quarter of the entries or half of the slots have
// been read. While a process waits in the library, for anything, the library
// takes everything that arrives. It takes entries at once. Slots without a posted
// receive it copies to system memory when more than half of them are in use. So
// room always comes back while the receiver is in the library, and two processes
// that both send first do not wait for each other. Nothing moves while the
// receiver computes. System memory is not limited; Stats tells its peak.
//
// # Order
//
// Messages from one node to another arrive in the order in which they were
// sent. A broadcast by tree comes another way than its origin's messages: these
// say how many broadcasts have gone before, and a broadcast after them is
// preceded by a mark to everybody.
//
// # Broadcast
//
// A message to node −1 goes to all others: as one send after the other of the
// same buffer, in the order of nodes after the sender (Separate); by a binomial
// tree whose inner nodes send it on from their slots when their library takes
// it (Tree); or as one request that the interface fetches once and injects for
// every receiver (Firmware), which needs a layer that can. Broadcasts longer than
// a slot, or longer than the interface can multiply, go separately.
//
// Files, in reading order:
//   - system.go: the processes of a program, connected and run
//   - calls.go: sending, receiving and probing as a program sees it
//   - global.go: operations of all processes together
//   - process.go: a process, its progress and its memory
//   - message.go: messages that have come, and receives
//   - send.go: messages on their way out
//   - order.go: broadcasts by tree, and their order
//   - slot.go: room for messages, redirection
//   - spans.go: what is told of broadcasts
//   - peer.go: entries and credits of one other process
//   - state.go: what a program, a process and a peer keep
//   - record.go: the entry of a ring
//   - spec.go: specification, limits, ways to broadcast
package nx
