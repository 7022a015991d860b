// Package datagram is the path of a message through the kernel of a host of today, as the
// kernel's own stamps divide it: datagram sockets, or short messages of TCP.
//
// The interface stands for kernel and card together. Its processor is the time in system calls
// and protocols, its host DMA the kernel's copies, its SRAM kernel memory, its network DMA what
// the driver gives the card. So the four stages are those that stamps of a kernel give: Source
// until the message has entered the queueing discipline, LANai until the driver has handed it
// over, Net until the receiver's kernel has it, Dest until the program has. A profile with this
// layer takes the start of the insertion as T4 (monitor.hand_over), because a driver does not see
// its end.
//
// The kernel works on the CPU of the program that calls it. A send therefore returns when the data is in kernel
// memory, and then costs the time for which the call goes on, in which a message over loopback
// passes through the receiver's protocol. A message stays in the kernel until the program asks
// for it. A receive waits for the message, in a loop or blocked, and for its copy. Waking a
// program that is blocked takes time, which belongs to Dest.
//
// A packet is a whole message: cutting into frames, and what devices do in place of the kernel,
// is part of the rates. When the receiver's kernel has no room, messages wait in the network, as
// those of TCP do in the sender. A program that waits in a send, or for a message of one node, takes
// what has come into memory of the library, or two that both send would wait for each other. Kernels drop
// datagrams instead; that, retransmission and congestion control are not modelled. A loss stops the
// interface: what came before is received, and calls then return an error that says why.
//
// One process of a node uses the layer. No paper has it: its numbers are fitted to measurements of real
// hosts.
//
// Files, in reading order:
//   - endpoint.go: sending and receiving
//   - node.go: opening, counters, messages that arrive
//   - state.go: the state of a node and a process
//   - spec.go: the section of a profile
package datagram
