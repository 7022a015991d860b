// Package bip models BIP-0.92, the basic interface for parallelism, a minimal
// message layer (userspace §2, Tables 1 and 2).
//
// # Mechanism
//
// A process stores into the interface directly. The interface serves one process: a
// second one on a node gets the messages of the first. There is no protection.
// Messages carry data only and arrive in order. There is no flow control,
// acknowledgement or retransmission: every fault loses data, and the layer only
// counts it.
//
// A message of less than 256 B is stored into the request queue by the host,
// word by word: only active messages and FM combine their stores (userspace
// §4.1). The receiver's interface keeps a ring of slots of fixed size in host
// memory, brings the message into a slot by DMA, and the receive copies it from
// there. A message that finds no free slot is lost (userspace §4.1). The ring
// lies in host memory because loads across the I/O bus cost half a microsecond
// a word: reading 252 B from SRAM would take over 30 µs where their DMA takes
// 4. The host frees a slot by storing a word into SRAM.
//
// A message of 256 B or more goes from user buffer to user buffer by DMA
// without a copy. The host translates the addresses of both buffers and stores
// them, page by page, into the interface. Successive pages are assumed
// contiguous in physical memory, so a fragment is one DMA. The interfaces work
// as a pipeline of host DMA, wire and host DMA. A model of such a pipeline
// chooses the fragment size by the length of the message (Prylli and
// Tourancheau on BIP over Myrinet; Spec.Fragment): short fragments fill the
// pipeline fast, long ones need few set-ups.
//
// A receive of a long message is announced (Endpoint.Post, or a Receive that waits)
// before the message arrives. Otherwise its fragments wait in the interface's
// receive ring, followed by later packets of the same sender. The ring fills, the
// network's STOP holds the sender, and after 50 ms a forward reset empties the ring
// (userspace §4.1). The interface then drops the rest of the message. An
// announcement whose message was cut short is free for the next one.
//
// A send returns when its data has left the buffer. For a long message the send
// overhead is the DMA of all of it and, if the receiver stalls the pipeline, the wire
// and the receiver's DMA too (userspace Table 3); L is the time of the last
// fragments. There is no notification. A waiting host polls the flag that the DMA of
// a short message sets, or a word in SRAM for the end of a long one. The model waits
// and then charges one load. The small slowdown of DMA by earlier loads is neglected.
//
// The library adds one feature. A receive with room for 256 B or more and no
// announcement announces its buffer for the next message of the sender, and
// withdraws that if a short one arrives instead.
//
// # Limitations
//
// With both nodes sending at once, the measurement has an unexplained knee at 1
// MB (userspace §4.2). The model has no mechanism of that size: both directions
// share the host's I/O bus from about 256 kB on.
//
// Files, in reading order:
//   - endpoint.go: sending, and the contract of all layers
//   - layer.go: opening and counters
//   - post.go: receives announced before their messages
//   - receive.go: receiving
//   - state.go: the state of a node and a process
//   - spec.go: the section of a profile
package bip
