// Package sampled carries programs over two layers beside each other: the full model of a layer, and the one of
// comm/loggp, where messages have only costs. A node's port sends each message through one of them. The other is
// silent meanwhile, so that a long run has windows in full, and is fast between them.
//
// Messages are numbered as they are sent, those of all nodes together. Whoever makes the Net says at which number the
// detail changes. A node changes it with its next message, and keeps what comm/deposit
// promises. Messages to one receiver arrive in the order in which they are sent: the first in full waits until those that
// are fast have arrived there. An interface fetches buffers and frames later than a send returns: the first fast message
// waits until all that the node has sent in full has arrived. A process that waits for that polls, as one that waits for a
// message. No longer waits are needed, and longer ones would bring nodes out of step, which a window would measure.
//
// There is neither multicast nor access to the memory of other nodes: both belong to the interfaces.
//
// Files, in reading order:
//   - net.go: numbers of messages, and ports
//   - port.go: sends of a process, and its waiting
//   - region.go: memory that is exported in both details
//   - state.go: the state of a network, a process and its memory
package sampled
