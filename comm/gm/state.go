package gm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Node is the layer on one node.
type Node struct {
	firmware.Base
	spec        Spec
	queue       firmware.Queue
	connections []connection // by node and priority, the low one first
	ports       []*Endpoint  // in the order of Open
	prefers     bool         // a port has messages of high priority
	stats       Stats
}

// connection is the state for one peer and priority, in both directions.
type connection struct {
	peer  int32
	flags uint8 // of its packets

	sent     firmware.Window[kept]
	refused  bool // the oldest found no receive token
	deadline sim.Time
	timeouts int // since the last answer

	expected uint32 // number of the next packet of the peer
	landed   uint32 // its packets below it are in host memory
	deposits int    // accepted packets that are not
	gap      bool   // reported, and not filled since
	buffer   int    // of the message that is arriving
	length   int    // of that message
	arrived  int    // bytes of it
}

// kept is a packet until its acknowledgement.
type kept struct {
	slot uint32
	last *Endpoint // whose message it ends, or nil
}

// Endpoint is a port and the library behind it.
type Endpoint struct {
	library.Process
	library.Inbox
	node     *Node
	flags    uint8     // of its packets
	other    *Endpoint // the port's part for the other priority, or nil
	most     int       // longest message
	copies   firmware.Copies
	sending  int        // messages that are not acknowledged
	returned host.Watch // fires when a send token comes back
	short    bool       // a packet has been refused since a buffer was freed
}

// Stats counts packets that were not simply delivered.
type Stats struct {
	NoToken    uint64 // packets that found no receive token
	OutOfOrder uint64 // packets after one that is missing
	Duplicates uint64 // packets that had come before
	Timeouts   uint64
	GivenUp    uint64 // connections whose peer does not answer
	Refused    uint64 // messages for a port that is not open, or longer than its buffers
	Protection uint64 // directed sends to memory that is not registered
	Malformed  uint64 // packets with header fields out of range
	Moved      uint64 // messages moved out of their buffers to make room
}

// Types of packets.
const (
	opMessage  uint8 = iota
	opDirected       // of a directed send
	opGap            // of a Nack: packet Seq is missing
	opNoToken        // of a Nack: packet Seq found no receive token
)

// priorities is their number.
const priorities = 2

// flagHigh marks packets of high priority and their answers.
const flagHigh = ni.FirstProgramFlag

// Words of a packet's header.
const (
	wordLength  = iota // of the message
	wordOffset         // of the packet in it
	wordAddress        // of a directed send
	wordBuffer         // in the pool: the receiver's own note
)
