// Package blocks reads and writes storage blocks over the network, as NVMe over Fabrics does.
//
// The first nodes are targets, each with a device; the others are initiators, each with blocks of its
// own on all devices. A command is a capsule of 64 B in the target's memory. To read a block, the target
// gets it from its device, puts it into the initiator's memory and sends a completion of 16 B. To
// write one, the target fetches it from the initiator's memory, if its interface can
// (comm.Remote). Otherwise it tells the initiator that it is ready, and the initiator sends
// the block. An initiator has several commands under way, never two for the same block.
//
// A device has a latency, which commands spend side by side, and then moves one block after another
// at its rate.
//
// The bytes of a block follow from whose it is, its number and how often it has been written. All
// bytes that are read are compared, and at the end all blocks of all devices.
//
// Files, in reading order:
//   - blocks.go: the program, and its result
//   - initiator.go: commands of an initiator
//   - target.go: the process that executes them
//   - device.go: the device of a target
//   - state.go: the state of the program and of a node
//   - message.go: commands and answers in bytes
//   - spec.go: sizes, mix of commands, costs
package blocks
