package gam

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
)

// Layer is Generic Active Messages on one node.
type Layer struct {
	firmware.Base
	spec    Spec
	window  int
	process *Endpoint // the only one, or nil
	stats   stats
}

// Endpoint is the process of a node. It is a comm.Requester.
type Endpoint struct {
	library.Process
	library.Handlers
	library.Bell
	layer *Layer

	peers       []peer
	outstanding int
	slots       host.Addr // the peers' slots: those of requests, and those of replies
	words       host.Addr // where the words of a message are put together
	stage       stage

	requests, replies arrivals  // not looked at yet
	messages          []waiting // that no Receive has asked for, oldest first
	spare             library.Buffers
}

// peer is what an endpoint keeps of another node.
type peer struct {
	tokens []int        // at hand; the one that came back last is used first, so that few slots stay in use
	out    []bool       // by slot: a request without a reply
	coming [2][]arrival // by slot, of requests and of replies: the last one
	last   *arrival     // whose packets arrive now: those of one sender stay in order
}

// waiting is a message for Receive.
type waiting struct {
	arrival
	moved host.Addr // where its data lie that are out of the slot, or 0
}

type stats struct {
	incomplete, malformed, refused uint64
	exhausted, absorbed            uint64
}
