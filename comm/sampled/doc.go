// Package sampled carries programs over two layers beside each other: the full model of a layer, and the one of
// comm/loggp, where messages have only costs. A node's port sends each message through one of them. The other is
// silent meanwhile, so that a long run has windows in full, and is fast between them.
//
// Messages are numbered as they are sent, those of all nodes together. Whoever makes the Net says at which number the
// detail changes. A node changes it with its next message, after all that it has sent in the old detail is in the memory
// of its receivers. So the messages of a node arrive in the order in which they are sent, and what the contract of
// comm/deposit says of buffers and frames holds. A process that waits for that polls, as one that waits for a message. A
// message that is sent while an arrival is told of cannot wait: it goes in the old detail.
//
// There is neither multicast nor access to the memory of other nodes: both belong to the interfaces.
//
// Files, in reading order:
//   - net.go: which messages go in full
//   - port.go: sends of a process, and its waiting
//   - region.go: memory that is exported in both details
package sampled
