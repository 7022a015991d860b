// Package bip models BIP-0.92, the basic interface for parallelism, which does the
// least that moves a message (userspace §2, Tables 1 and 2).
//
// # Mechanism
//
// A process stores into the interface directly. The interface serves one process:
// a second one on a node takes the messages of the first. Nothing checks who sends
// what to whom. Messages carry data only and come in order. There is no flow
// control, no acknowledgement and no retransmission: every fault loses data, and the
// layer only counts it.
//
// A message of less than 256 B is stored into the request queue by the host,
// word by word: only active messages and FM combine their stores (userspace
// §4.1). The receiver's interface keeps a ring of slots of fixed size in host
// memory, brings the message into a slot by DMA, and the receive copies it from
// there. A message that finds no free slot is lost (userspace §4.1). The ring
// lies in host memory because loads across the I/O bus cost half a microsecond
// a word: reading 252 B from SRAM would take over 30 µs where their DMA takes
// 4. The host gives a slot back by storing a word into SRAM.
//
// A message of 256 B or more goes from user buffer to user buffer by DMA
// without a copy. The host translates the addresses of both buffers and stores
// them, page by page, into the interface; pages that follow one another are
// taken to lie together in physical memory, so that a fragment is one DMA. The
// interfaces work as a pipeline of host DMA, wire and host DMA. Its fragments
// are chosen by the length of the message, by the model of such a pipeline
// (Prylli and Tourancheau on BIP over Myrinet; Spec.Fragment): short ones fill
// it fast, long ones cost few set-ups.
//
// A receive of a long message is announced (Endpoint.Post, or a Receive that
// waits) before the message comes. Otherwise its fragments wait in the interface's
// receive ring, with all that the same sender sends after them. The ring fills, the
// network's STOP holds the sender, and after 50 ms a forward reset empties the ring
// (userspace §4.1). The rest of the message then comes to an interface that knows
// nothing of it, and is dropped. An announcement whose message was cut short is free
// for the next one.
//
// A send returns when its data have left the buffer. For a long message the send
// overhead is the DMA of all of it and, when the receiver holds the pipeline up, the
// wire and the receiver's DMA too (userspace Table 3); L is what the last fragments
// need. There is no notification. A host that waits looks at the flag that the DMA of
// a short message sets, or, for the end of a long one, at a word in SRAM. That is
// modelled as waiting and one load. Earlier loads would slow the DMA down a little,
// which is left out.
//
// The library adds one thing. A receive with room for 256 B or more and no
// announcement announces its buffer for the next message of the sender, and
// withdraws that when a short one comes instead.
//
// # What it does not show
//
// Both nodes sending at once had a knee at 1 MB that was measured and not
// explained (userspace §4.2). Nothing here has that size: both directions
// share the host's I/O bus from some 256 kB on.
//
// Files, in reading order:
//   - endpoint.go: sending, and the contract of all layers
//   - layer.go: opening, counters, what the control program does with arrivals
//   - post.go: receives announced before their messages
//   - receive.go: receiving
//   - state.go: what a node and a process keep
//   - spec.go: the section of a profile
package bip
