package rpc

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
)

// Layer is RPC on one node: its kernel and its processes' sockets.
type Layer struct {
	calls.Layer // with the processes' sockets, by port
	spec        Spec
	kernel      kernel
	stats       Stats
}

// Endpoint is a process's socket and the library above it. It implements
// comm.Requester.
type Endpoint struct {
	*calls.Endpoint
	layer *Layer
	in    host.Addr // memory from which the process unmarshals
}

// kernel is a node's driver and protocols.
type kernel struct {
	context  *host.Context // serves the controller's interrupt
	space    *host.Space
	buffers  library.Buffers  // one frame each
	incoming int              // frames from their acceptance until the interrupt has handled them
	ring     ring.Ring[frame] // frames that the controller has delivered
}

// frame is a frame before its socket.
type frame struct {
	to     calls.Address
	packet calls.Packet // with its data in kernel memory
}

// Stats counts frames that were lost or refused in the node.
type Stats struct {
	RingFull   uint64
	SocketFull uint64
	Refused    uint64 // for an unknown port, or from a port to which the process is not bound
}
