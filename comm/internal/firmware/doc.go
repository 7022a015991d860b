// Package firmware is the common part of the layers' control programs: a request
// queue, outgoing packets (with data that the host has stored into the queue or
// that is fetched by DMA; long messages are cut), and incoming packets (into host
// memory by DMA, or kept in the receive ring for the host to read). Reliability
// and flow control belong to the layer (Layer), which is called at each step.
//
// This package also reports the six instants of a packet, so the monitor works
// with every layer.
//
// Files, in reading order:
//   - base.go: the common part of layers on one node
//   - failstop.go: that of layers that a loss stops
//   - program.go: a control program, its counters and its own packets
//   - request.go: the library's side: posting requests and waiting for them
//   - copies.go: pinned buffers to send copies from
//   - queue.go: the request queues of processes that take turns
//   - send.go: requests cut into packets and injected
//   - relay.go: packets that the interface sends on to other nodes
//   - through.go: packets that are delivered while they arrive
//   - receive.go: arriving packets, and where they go
//   - keep.go: packets kept for retransmission
//   - window.go: numbers of packets without an acknowledgement
//   - waits.go: which packet keeps requests from being taken up, for a log
//   - state.go: the state of the program, of requests and of packets
//   - layer.go: the layer's own part
//   - spec.go: the section of a profile
package firmware
