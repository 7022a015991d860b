// Package tcp models TCP as the kernels of Linux 2.0 and 2.2 had it, with messages
// in its byte streams: what MPI ran on between the clusters of DAS (plogp, section 4).
//
// All of it is software on the hosts. A send is one system call. It copies a
// message, after a mark of its length, into segments of kernel memory. The kernel
// sends a segment as soon as the receiver's window and the congestion window allow
// it; delays for the sake of fuller segments are switched off, as MPI libraries do. Segments also
// wait in the socket while the driver has no free descriptor: no system call waits for the
// controller. (The kernels have a queue of frames before the driver, and drop what does not
// fit; this is not modelled.) Bytes
// that have to wait join the last segment that has not left, if it has messages of the same kind. The controller is a simple DMA device that reads and writes
// kernel memory and interrupts (package kernel). The interrupt's handler puts segments in order into the
// socket, from which system calls of the process copy them. A process that waits
// blocks, and waking it costs time.
//
// A receiver acknowledges every second segment, at once what is out of order or
// arrives again, and any other after a delay, unless a segment of the other
// direction carries the acknowledgement. It tells how much room its socket has. The
// sender keeps segments until they are acknowledged. It sends them again when the
// third acknowledgement of the same byte shows a gap, or when none has come for the
// estimated time (Jacobson's mean and deviation, doubled with each try up to a limit, no
// estimates from segments sent twice: Karn). The congestion window counts segments. It grows by slow start and
// congestion avoidance, halves at a gap and falls to one at a timeout. When the receiver has no room and nothing is in flight, the
// sender asks for the window from time to time. After a number of tries the
// connection fails and calls return an error.
//
// The checksum covers the header and the data, and detects damage that the CRC misses.
// Its time is part of the copies. The byte numbers do not wrap.
//
// Connections exist from the start. Two processes that both send before they
// receive would fill both sockets and wait for ever. A process that waits in a send
// therefore reads what arrives into memory of the library.
//
// Files, in reading order:
//   - layer.go: opening and counters
//   - endpoint.go: messages of a process
//   - read.go: from sockets into the process
//   - write.go: from the process into segments
//   - input.go: segments that arrive
//   - timer.go: what is due without an arrival
//   - output.go: segments and acknowledgements that leave
//   - segment.go: the header of a segment
//   - rtt.go: the estimate of the round-trip time
//   - state.go: the state of a node, a process and a connection
//   - spec.go: the section of a profile
package tcp
