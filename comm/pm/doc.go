// Package pm models PM 1.2, the message layer of a workstation cluster whose
// processes are gang scheduled (userspace §2, §4; Tables 1 to 3).
//
// All data is transferred by DMA, even that of the shortest message (§4.1.3). The host builds a message in pinned
// memory (Endpoint.Buffer), stores a descriptor into the interface's queue and returns. Other memory is first copied
// into the library's pinned buffers, the "DMA+Copy" of Table 2. The published measurements build and consume messages
// in place and time no copy (abstract, Table 2). The interface starts to send while it still fetches ("immediate
// sending", §4.2), and the receiving one puts the message and a record of it into the next free pinned buffer of the
// process, which polls for the record and reads the message in place. Neither overhead therefore depends on the size.
// A message is at most a packet: callers cut longer ones (§4.1).
//
// Buffers may overflow (Table 1, "Tolerated"): the receiver's interface rejects a
// packet that finds no free buffer, and all later ones. The sender's interface keeps
// all packets that are not acknowledged. It sends them again, from the rejected one
// on, when the receiver reports room. The details are not published; link documents
// the assumptions. Meanwhile the head of the request queue waits, whatever its
// receiver is. Two processes that both send and do not receive would deadlock, so
// the library then copies messages out of their buffers.
//
// This is flow control, not reliability: the network's errors are catastrophic. A
// damaged packet, or a number that is missing without a rejection, is counted as
// lost and stops the interface. Calls then return an error that says why.
//
// Processes of different programs are kept apart by channels, one per tag: a
// packet of a program that has no process on the node is refused and counted.
// Only one process of a node has the interface at a time, so the control program
// does not distinguish processes: see gang.
//
// A remote write puts data at an address of the receiver's pinned memory. It needs no
// buffer and cannot overflow; otherwise it is a packet like that of a message. The
// published measurements use none. That the interface checks the address against the
// pinned memory of the process is assumed.
//
// Files, in reading order:
//   - node.go: opening, counters, the control program
//   - gang.go: which process has the interface
//   - link.go: acceptance and rejection of packets
//   - write.go: remote writes
//   - endpoint.go: sending, receiving and buffers
//   - state.go: the state of a node, a process and a peer
//   - spec.go: the section of a profile
package pm
