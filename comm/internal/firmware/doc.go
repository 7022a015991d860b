// Package firmware is what the control programs of layers have in common: a
// request queue, packets on their way out (with data that the host has stored
// into the queue, or fetched by DMA, a message cut into packets where it must
// be), and packets on their way in (into host memory by DMA, or kept in the
// receive ring for the host to read). Reliability and flow control are the layer's
// (Layer), which is asked at each step.
//
// The six instants of a packet are told to the monitor here, so that it works
// below every layer.
//
// Files, in reading order:
//   - base.go: what all layers on one node say and keep
//   - program.go: a control program, its counters and its own packets
//   - request.go: the library's side: posting requests and waiting for them
//   - queue.go: the request queues of processes that take turns
//   - send.go: requests cut into packets and injected
//   - receive.go: arriving packets, and where they go
//   - keep.go: packets kept for sending again
//   - state.go: what the program keeps, and requests and packets on their way
//   - layer.go: what a layer adds
//   - spec.go: the section of a profile
package firmware
