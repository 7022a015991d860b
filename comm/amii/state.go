package amii

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Layer is AM-II on one node.
type Layer struct {
	calls.Layer
	spec      Spec
	keys      sim.Stream
	endpoints []*Endpoint
	stats     stats
}

// Endpoint is a process's access to AM-II. It implements comm.Requester.
type Endpoint struct {
	*calls.Endpoint
	layer   *Layer
	regions [2]*region // of requests and of replies
}

// region is memory of the library into which the interface writes packets.
type region struct {
	at     host.Addr
	size   int // of a place
	places int
	used   int         // places claimed so far: the first ones
	spare  []host.Addr // free places among these
}

// stats counts packets that the control program has dropped, and mappings.
type stats struct {
	Refused uint64 // no such endpoint, or a wrong key
	Mapped  uint64 // mappings of the network because of a dead route
	NoRoom  uint64 // sent again while the first copy is still in the region
}
