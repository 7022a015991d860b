// Package rpc models asynchronous remote procedure calls by the kernel's
// datagrams over Ethernet, as the LogP study measured them between
// SparcStations with Solaris 2.4 (logp, section 5, Figure 13). A call returns
// when its frame is with the kernel; the reply is taken later, like an Active
// Message, and a call polls for replies before it sends.
//
// All of it is software. A call marshals its data into a buffer of the process,
// which is kept until the reply comes; a system call takes the buffer into
// kernel memory, through UDP and IP, and hands the frame to the controller. The
// controller is a simple DMA device: its firmware is hardware and costs next to
// nothing. At the other end it writes the frame into kernel memory and
// interrupts; the kernel's handler takes the frame through IP and UDP to the
// socket of its port, from where a system call of the process fetches it. So both
// ends spend hundreds of µs of CPU for a frame that is on the wire for a hundred. A
// process that waits blocks, and waking it costs time.
//
// Replies come by interrupt, whatever the process does. The callee does no more for
// a call than the caller, who also keeps its table and timers and looks for
// replies. The caller's CPU is therefore the bottleneck even without a delay
// between calls: Idle = 0, g = o_s + o_r, and any delay lifts the gap.
//
// Frames have at most 1500 bytes; a caller cuts longer messages. A frame that is
// damaged, or that finds the controller's ring or the socket full, is lost and
// counted. The library calls again after a timeout when it polls or waits. The
// callee knows calls by their numbers (xid) and keeps its replies, so a procedure
// runs at most once (package calls). After a number of tries the call fails. Calls
// of one process are carried out in order, which datagrams do not promise; messages
// built of calls need it.
//
// The kernels are trusted. They write the sender's port into each frame. A socket
// takes frames of the ports that its process is bound to (Connect stands for the
// port mapper); others are refused and counted. A switch between full-duplex links
// stands for the one segment that all stations share, at the segment's rate:
// stations do not collide, and calls do not compete with replies.
//
// Files, in reading order:
//   - endpoint.go: the system calls of a process
//   - kernel.go: the driver, its interrupt and its buffers
//   - layer.go: opening and counters
//   - state.go: what a node and a process keep
//   - spec.go: the section of a profile
package rpc
