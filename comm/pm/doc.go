// Package pm models PM 1.2, the message layer of a workstation cluster whose
// processes are gang scheduled (userspace §2, §4; Tables 1 to 3).
//
// Data always travel by DMA, those of the shortest message too (§4.1.3): the
// host builds a message in pinned memory (Endpoint.Buffer), stores a descriptor
// into the interface's queue and returns. Memory of other sort is copied into
// the library's pinned buffers first, the "DMA+Copy" of Table 2; the published
// measurements build and consume messages in place and time no copy (abstract,
// Table 2). The interface starts to send while it still fetches ("immediate
// sending", §4.2), and the receiving one puts the message and a record of it
// into the next free pinned buffer of the process, which polls for the record
// and reads the message where it lies. So neither overhead depends on the
// size. A message is at most a packet: callers cut longer ones (§4.1).
//
// Buffers may overflow (Table 1, "Tolerated"): the receiver's interface rejects
// a packet that finds no free buffer, and with it those behind it; the
// sender's interface has kept all that are not acknowledged and sends them
// again, from the rejected one on, when it is told that there is room. How is
// not published in detail: link says what is assumed here. Meanwhile the head
// of the request queue waits, for whomever it is. Two processes that both send
// and do not receive would wait for ever in the end; the library then copies
// messages out of their buffers.
//
// This is flow control, no reliability: the network's errors are
// catastrophic. A damaged packet, or a number missing where none was rejected, is counted
// as lost and stops the interface: calls return an error that says why.
//
// Processes of different programs are kept apart by channels, one per tag: a
// packet of a program that has no process on the node is refused and counted.
// Of several processes on a node only one has the interface at a time, so the
// control program needs not tell processes apart: see gang. A remote write,
// which PM also has, is not modelled.
//
// Files, in reading order:
//   - node.go: opening, counters, what the control program does
//   - gang.go: which process has the interface
//   - link.go: acceptance and rejection of packets
//   - endpoint.go: sending, receiving and buffers
//   - state.go: what a node, a process and a peer keep
//   - spec.go: the section of a profile
package pm
