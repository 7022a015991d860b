// Package vmmc is VMMC-2, virtual memory-mapped communication: a receiver
// exports a region of its memory, a sender imports it, and a send deposits
// bytes straight into the receiver's address space. There is no receive call;
// a receiver spins on a word of its memory or is notified by an interrupt.
//
// The package has two halves. Endpoint is the library in the user's process:
// it writes requests into the interface's queue by programmed I/O, short
// messages with their data. Node is the control program on the interface:
// translation, packets of at most a page, DMA, the data-link protocol with
// acknowledgements and retransmission from SRAM, protection and redirection.
//
// Files, in reading order:
//   - port.go: the endpoint by the contract of programs
//   - layer.go: the layer by the contract of all layers, with messages
//   - endpoint.go: sends, from the library's side
//   - multicast.go: one request for several receivers
//   - node.go: the control program, its counters and its memory
//   - receive.go: packets in, to their deposit
//   - region.go: exports and imports
//   - send.go: requests to packets, and their injection
//   - link.go: order, acknowledgements and retransmission
//   - state.go: what a node keeps, and messages and packets on their way
//   - tlb.go: the cache of translations
//   - spec.go: the section of a profile
package vmmc
