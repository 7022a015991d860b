package gam

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
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
	interrupts
	layer *Layer

	peers       []peer
	outstanding int
	slots       host.Addr // the peers' slots: those of requests, and those of replies
	words       host.Addr // scratch memory for the words of a message
	intake      intake
	pinned      host.Addr // a page of pinned memory for each slot, if the library copies what it sends

	requests, replies arrivals  // not handled yet
	messages          []waiting // without a Receive, oldest first
	spare             library.Buffers
}

// peer is the state of an endpoint for another node.
type peer struct {
	tokens []int        // available; the last returned is used first, to keep few slots in use
	out    []bool       // by slot: a request without a reply
	coming [2][]arrival // by slot: the last request, the last reply
	last   *arrival     // message whose packets are arriving
}

// intake is the state of taking in data, in a layer with TakeIn (userspace, Table 3:
// the DMA into the library's buffer is part of the receiver's overhead). Data that have
// arrived wait in the receive ring. A poll that finds nothing else offers the interface
// one slot to write to: that of the oldest message that waits, or of the next.
type intake struct {
	offered bool     // the host has offered a slot
	taking  *arrival // the message whose data the interface writes to its slot, or nil
	held    int      // packets that wait in the receive ring
}

// interrupts lets arrivals interrupt the host, whose service process then handles
// them like a poll, in a layer with Interrupts. A call of the layer masks interrupts
// and handles what arrives by itself; if something is left at its end, it interrupts.
type interrupts struct {
	service *host.Context // nil: handlers run only when the process calls the layer
	user    *host.Context // inside the layer: the service, or a process in a call
	calls   int           // of the user, one inside another
	freed   host.Watch
}

// waiting is a message for Receive.
type waiting struct {
	arrival
	moved host.Addr // address of data moved out of the slot, or 0
}

type stats struct {
	incomplete, malformed, refused uint64
	exhausted, absorbed            uint64
}
