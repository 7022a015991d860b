package rpc

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/kernel"
	"github.com/sigview/sigview/sim/host"
)

// Layer is RPC on one node: its kernel and its processes' sockets.
type Layer struct {
	calls.Layer   // with the processes' sockets, by port
	kernel.Driver // of the node's controller
	spec          Spec
	stats         stats
}

// Endpoint is a process's socket and the library above it. It implements
// comm.Requester.
type Endpoint struct {
	*calls.Endpoint
	layer *Layer
	in    host.Addr // memory from which the process unmarshals
}

// stats counts frames that were lost or refused in the node.
type stats struct {
	SocketFull uint64
	Refused    uint64 // for an unknown port, or from a port to which the process is not bound
}
