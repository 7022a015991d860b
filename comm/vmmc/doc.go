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
//   - daemon.go: connections opened while programs run
//   - port.go: the endpoint as a port of programs
//   - layer.go: the contract of all layers, with messages
//   - endpoint.go: sends, from the library's side
//   - multicast.go: one request for several receivers
//   - node.go: the control program, its counters and memory
//   - receive.go: incoming packets, up to their deposit
//   - region.go: exports and imports
//   - send.go: requests cut into packets, and their injection
//   - throttle.go: fewer packets in flight to swamped peers
//   - link.go: order, acknowledgements and retransmission
//   - waits.go: which message keeps others from being taken up, for a log
//   - state.go: the state of a node, of messages and of packets
//   - tlb.go: the cache of translations
//   - spec.go: the section of a profile
package vmmc
