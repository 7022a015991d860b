// Package gam models Generic Active Messages (userspace §2, §4 and Tables 1-3;
// logp §2.2, §2.3, §4).
//
// Every operation is a round trip. A request names a handler and carries four
// words. The handler runs when the receiver polls, and returns the one reply. The
// data of a store is in the receiver's memory before the handler runs. The data of
// a get arrives with the reply.
//
// Buffers cannot overflow. A sender has a fixed number of tokens for each peer.
// A token is a slot in the peer's memory: a request takes one and its reply
// returns it. Without a token the sender spins and handles arrivals.
//
// Short messages are stored into the request queue by the host. Longer ones are
// fetched by DMA. Where the interface cannot reach a program's own memory (cards on
// an I/O bus), the host first copies a message as a whole into a pinned page, which
// belongs to the token: like the slot at the other end it is used again after the
// reply. At the receiver data are deposited in the slot, from which the host copies
// them, or directly at their address. A message without data stays in the receive
// ring, where the host loads it word by word across the bus or line by line from
// memory, or goes to host memory by DMA.
//
// With Interrupts an arrival interrupts the host, and a service process handles it as
// a poll would (logp §2.2). No published figure was measured so: it is off in all
// profiles. A program that waits in a call handles arrivals itself, without interrupts.
//
// The stages of one message therefore follow each other. Those of successive messages
// overlap as far as tokens and processors allow: a synchronous send occupies the
// sender for copy and fetch. With take_in a poll occupies the receiver for DMA and
// copy: data that arrive meanwhile wait on the card (userspace, Table 3).
//
// Messages of one sender stay in order. A message that is ready to be sent waits
// until the data of earlier ones are fetched, and one that has arrived waits until
// earlier ones are in memory.
//
// An interface does more work for a request than for a reply: the receiver of a
// request stores the return address and reserves memory for the reply. The
// receiver's work is therefore the gap of one pair. The gap of a sender with several
// receivers is its own, smaller work (logp §3.5). Part of an interface's work is
// done after a message has left or has arrived: it counts in the gap and not in the
// latency.
//
// Messages of Send and Receive are requests whose data waits in the slot until a
// Receive copies it and replies (userspace §4.1). A sender that spins for a token
// moves its own incoming messages to other memory, so two processes that send to
// each other do not deadlock.
//
// Nothing is sent again. A lost packet loses its token, and a program that waits
// for the reply never gets it. Losses that the interface can detect are counted.
//
// Files, in reading order:
//   - request.go: requests, replies, stores and gets
//   - endpoint.go: messages, and memory for arrivals
//   - interrupt.go: arrivals that are handled by interrupt
//   - intake.go: data that wait on the card for a poll
//   - layer.go: opening, counters, arrivals at the control program
//   - state.go: the state of a node, a process and a peer
//   - message.go: requests and replies, as packets and as arrivals
//   - spec.go: the section of a profile
package gam
