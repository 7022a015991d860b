// Package trapeze is Trapeze, a messaging layer for the kernel: network memory, file
// service, TCP/IP (abstract of Yocum et al., HPDC 1997,
// https://scholars.duke.edu/publication/764790, and
// http://www.cs.duke.edu/ari/trapeze/freenix/node3.html; its figures for a Pentium
// of 450 MHz with a LANai 4 are grim, Table 5.5).
//
// A message is a control message of fixed length and, if it is longer, a payload of at
// most a page frame. The host stores the control message into the card's send ring by
// programmed I/O; the card fetches the payload from its frame by DMA. With cut-through
// delivery the card sends while it still fetches, and the receiving one writes to the host
// while the payload still arrives. It writes the payload into a frame that the host has
// provided, without a copy, and then, if the payload is undamaged, the control message
// into the host's receive ring. The host polls the ring.
//
// The public description gives no protocol of flow control or repair. Here a payload
// without a frame waits in the card. Then the network stops the sender, and after its
// block limit a forward reset loses what waits. So does an error of the network. Users of
// Trapeze are requests and replies, of which only so many are under way; they see to
// losses themselves. Programs that need every message do not run on it.
//
// One process of a node uses the layer, in place of the kernel. All costs are assumed but
// one that the published latency sets. Not modelled are interrupts.
//
// Files, in reading order:
//   - node.go: opening, counters, the control program
//   - endpoint.go: sending and receiving
//   - state.go: the state of a node and a process
//   - spec.go: the section of a profile
package trapeze
