// Package rpc models asynchronous remote procedure calls by the kernel's
// datagrams over Ethernet, as the LogP study measured them between
// SparcStations with Solaris 2.4 (logp, section 5, Figure 13). A call returns
// when the kernel has its frame. The reply is handled later, like an Active
// Message, and a call polls for replies before it sends.
//
// All of it is software. A call marshals its data into a buffer of the process,
// which is kept until the reply arrives. A system call copies the buffer into
// kernel memory, through UDP and IP, and passes the frame to the controller. The
// controller is a simple DMA device: its firmware represents hardware and costs
// almost nothing. The receiving controller writes the frame into kernel memory and
// interrupts. The kernel's handler passes the frame through IP and UDP to the
// socket of its port, from which a system call of the process fetches it. Both ends
// therefore spend hundreds of µs of CPU for a frame that takes a hundred on the
// wire. A waiting process blocks, and waking it costs time.
//
// Replies arrive by interrupt, whatever the process does. The callee does no more
// work for a call than the caller, which also maintains its table and timers and
// polls for replies. The caller's CPU is therefore the bottleneck even without a
// delay between calls: Idle = 0, g = o_s + o_r, and any delay lifts the gap.
//
// Frames have at most 1500 bytes; a caller cuts longer messages. A frame that is
// damaged, or that finds the controller's ring or the socket full, is lost and
// counted. The library calls again after a timeout when it polls or waits. The
// callee identifies calls by their numbers (xid) and keeps its replies, so a
// procedure runs at most once (package calls). After a number of tries the call
// fails. Calls of one process are carried out in order, which datagrams do not
// promise; messages built of calls need it.
//
// The kernels are trusted. They write the sender's port into each frame. A socket
// accepts frames of the ports to which its process is bound (Connect models the
// port mapper); others are refused and counted. A switch with full-duplex links at
// the segment's rate models the shared segment: stations do not collide, and calls
// do not compete with replies.
//
// Files, in reading order:
//   - endpoint.go: the system calls of a process
//   - kernel.go: the kernel's part: frames for sockets
//   - layer.go: opening and counters
//   - state.go: the state of a node and a process
//   - spec.go: the section of a profile
package rpc
