package lfc

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
)

// Node is the layer on one node.
type Node struct {
	firmware.Base
	spec    Spec
	queue   firmware.Queue
	credits uint32 // packet buffers of an interface for one peer
	links   []link // by node
	process *Endpoint
	waiting int   // packets that wait for a buffer of the host
	stopped error // why the interface has stopped: a loss in the network
	stats   Stats
}

// link is the state for one peer, in both directions. Packets are counted from 0.
type link struct {
	next  uint32 // number of the next packet to the peer
	freed uint32 // packets that have left the peer's buffers, as it has reported

	expected uint32 // number of the next packet of the peer
	emptied  uint32 // its packets that have left their buffers
	told     uint32 // of these, reported to it
}

// Endpoint is the library in the process.
type Endpoint struct {
	library.Process
	library.Bell // fires when a packet arrives
	node         *Node
	pool         *library.Pool
}

// Stats counts packets that were not simply delivered.
type Stats struct {
	Waited    uint64 // found no free buffer of the host at first
	Refused   uint64 // arrived while no process had opened the layer
	Abandoned uint64 // arrived after the stop
	Malformed uint64 // with header fields out of range
	Moved     uint64 // copied out of their buffers to make room
}
