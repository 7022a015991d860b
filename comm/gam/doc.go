// Package gam models Generic Active Messages (userspace §2, §4 and Tables 1-3;
// logp §2.2, §2.3, §4).
//
// Every operation is a round trip. A request names a handler and carries four
// words; the handler runs in whatever call of the receiver polls, and what it
// returns is the one reply. A store is a request whose data lie in the
// receiver's memory before the handler runs; a get's data come with the reply.
//
// Nothing overflows. A sender has a fixed number of tokens for each peer, and a
// token is a slot of the peer's memory: a request takes one, its reply brings
// it back. With none left the sender spins and meanwhile handles what arrives.
//
// Short messages are stored into the request queue by the host. Longer ones are
// fetched by DMA: from pinned memory of the library, into which the host has
// copied them, where the interface cannot reach a program's own memory (cards on
// an I/O bus), and from there otherwise. At the receiver they land in the slot, for
// the host to copy them on, or where they belong. A message without data stays in
// the receive ring, where the host loads it word by word across the bus or line by
// line from memory, or goes to host memory by DMA.
//
// Messages of one sender stay in order: one that is ready to be sent waits for
// the data of those before it to be fetched, and one that has come for those
// before it to be in memory.
//
// What an interface does for a request and for a reply differs: who receives a
// request has to keep the way back and see to a place for the reply. So the gap of one pair
// is the receiver's work, and a sender with several receivers comes to its own, which is
// less (logp §3.5). Part of an interface's work comes when a message has left or is
// there already: it is in the gap and not in the latency.
//
// Messages by Send and Receive are requests whose data wait in the slot until a
// Receive copies them out and replies (userspace §4.1). A sender that spins for
// a token moves messages that have come for it into memory of its own, so that two
// that send to each other do not wait for ever.
//
// Nothing is repeated: a packet that is lost takes its token with it. A program
// that waits for its reply waits for ever, and a loss that the interface sees is counted.
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
