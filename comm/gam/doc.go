// Package gam models Generic Active Messages (userspace §2, §4 and Tables 1-3;
// logp §2.2, §2.3, §4).
//
// Every operation is a round trip. A request names a handler and carries four
// words. The handler runs in the call of the receiver that polls, and what it
// returns is the one reply. A store is a request whose data lie in the
// receiver's memory before the handler runs. The data of a get come with the reply.
//
// Nothing overflows. A sender has a fixed number of tokens for each peer, and a
// token is a slot of the peer's memory: a request takes one, its reply brings
// it back. With none left the sender spins and meanwhile handles what arrives.
//
// Short messages are stored into the request queue by the host. Longer ones are
// fetched by DMA. Where the interface cannot reach a program's own memory (cards
// on an I/O bus), the host first copies them into pinned memory of the library. At
// the receiver they land in the slot, from where the host copies them, or directly
// at their place. A message without data stays in the receive ring, where the host
// loads it word by word across the bus or line by line from memory, or goes to host
// memory by DMA.
//
// Messages of one sender stay in order. A message that is ready to be sent waits
// until the data of earlier ones are fetched, and one that has arrived waits until
// earlier ones are in memory.
//
// An interface does more for a request than for a reply: the receiver of a request
// keeps the way back and finds a place for the reply. So the receiver's work is the
// gap of one pair. The gap of a sender with several receivers is its own work, which
// is less (logp §3.5). Part of an interface's work is done after a message has left
// or has arrived: it is in the gap and not in the latency.
//
// Messages by Send and Receive are requests whose data wait in the slot until a
// Receive copies them out and replies (userspace §4.1). A sender that spins for
// a token moves messages for it into memory of its own, so that two processes that
// send to each other do not block each other.
//
// Nothing is sent again. A lost packet takes its token with it, and a program that
// waits for the reply never gets it. A loss that the interface sees is counted.
//
// Files, in reading order:
//   - request.go: requests, replies, stores and gets
//   - endpoint.go: messages, and where what arrives is put
//   - layer.go: opening, counters, what the control program does with arrivals
//   - state.go: what a node, a process and a peer keep
//   - stage.go: pinned memory that the interface fetches from
//   - message.go: requests and replies, as packets and as arrivals
//   - spec.go: the section of a profile
package gam
