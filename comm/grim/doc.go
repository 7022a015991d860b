// Package grim models GRIM, which gives active messages and remote memory one path of three
// stages: the host stores a message into the interface, the interfaces transfer it reliably,
// and the receiving interface writes it into host memory (grim, chapter V).
//
// Hosts push: they store the fragments of a message into a logical channel, a queue in the
// interface's SRAM with its own numbers. The interface numbers a fragment, starts its DMA to the
// network and then enters it in the scoreboard (Table 5.1). The receiving interface decodes the
// header, checks the number and the room at the endpoint, moves the data and answers. A
// message stays in SRAM until its ACK. A NACK (a number is missing, or there is no room) and
// a timeout make the sender repeat it and all later ones of the channel to the same node.
// The answers' form and the times are not published; link states what is assumed.
//
// The endpoint decides what becomes of a message:
//
//   - An active message goes into a FIFO of the process in pinned memory. A second DMA writes
//     the queue's pointer, in the host's order of bytes, which the host polls (Table 5.2). A message of several fragments is
//     put together in a buffer, which is a copy more.
//   - RM-P writes to the physical address in the header.
//   - RM-V writes to a virtual address, page by page. A page that the interface's cache does not
//     have is translated by the host's driver, which an interrupt calls (Table 5.3).
//   - RM-RV reads virtual memory: the interface fetches the block and sends it back.
//
// Each may write a word in virtual memory when it is complete, a lock: that of a read is in the
// reader's memory (assumed), behind the last block.
//
// Requests and replies are active messages. The data of a store goes ahead of its request by
// remote memory, that of a get ahead of its reply: a channel keeps the order.
//
// Without options, the stages follow one another: store and forward. Fragments overlap
// the stages of a message. With sender cut-through the interface sends what segments have
// come, and appends. With receiver cut-through the DMA to the host follows the arrival. A
// damaged packet may then already be in the endpoint's memory: it is not announced, and its
// repetition overwrites it. The header is assumed to have a check of its own.
//
// Files, in reading order:
//   - node.go: opening, counters, the events of the control program
//   - port.go: deposits by remote memory
//   - remote.go: remote memory operations of a process
//   - request.go: requests and replies of a process
//   - endpoint.go: active messages of a process
//   - fifo.go: their queue in host memory
//   - push.go: fragments into a channel
//   - inject.go: how the host stores their data
//   - send.go: fragments out of a channel
//   - arrive.go: arriving packets and their checks
//   - deliver.go: what becomes of a packet
//   - translate.go: virtual addresses
//   - link.go: numbers, answers and repetition
//   - state.go: the state of a node, a process, a message and a packet
//   - call.go: requests and replies as active messages
//   - spec.go: the section of a profile
package grim
