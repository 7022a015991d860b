package lfc

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
)

// Node is the layer on one node.
type Node struct {
	firmware.FailStop
	spec    Spec
	queue   firmware.Queue
	credits uint32 // packet buffers of an interface for one peer
	links   []link // by node
	casts   map[*fabric.Packet]*cast
	process *Endpoint
	sum     variable
	waiting int // packets that wait for a buffer of the host
	stats   Stats
}

// link is the state for one peer, in both directions. Packets are counted from 0.
type link struct {
	next  uint32 // number of the next packet to the peer
	freed uint32 // packets that have left the peer's buffers, as it has reported

	expected uint32 // number of the next packet of the peer
	emptied  uint32 // its packets that have left their buffers
	credited uint32 // of these, reported to it; credited <= emptied

	peer    int32
	pending []*cast // multicasts to be sent on to the peer, oldest first
}

// cast is a multicast in the receive ring.
type cast struct {
	packet *fabric.Packet
	left   int // nodes that it has not reached: this host and the next interfaces
}

// variable is the interface's part of fetch-and-add: its own variable, and what the host has
// asked for. A process asks for one at a time.
type variable struct {
	value   uint32
	asked   bool // of this interface itself, with delta
	delta   uint32
	dma     ni.DMA // of the answer to the host
	answer  uint32
	landed  func() // rings at the process
	arrived bool
}

// Endpoint is the library in the process.
type Endpoint struct {
	library.Process
	library.Inbox
	library.Watchdog // runs when it is not polled for
	node             *Node
	group            []int32 // nodes of the program's processes, ascending, or nil
}

// Types of packets.
const (
	opMessage   uint8 = iota
	opMulticast       // its root is a header word
	opFetchAdd        // the sum is a header word
	opFetched         // of an Ack: the answer
)

// Words of a packet's header.
const (
	wordBuffer = iota // the receiving interface's note
	wordRoot          // of a multicast
	wordValue         // of a fetch-and-add: what is added, or what was there
)

// Stats counts packets that were not simply delivered.
type Stats struct {
	Waited    uint64 // found no free buffer of the host at first
	Refused   uint64 // arrived while no process had opened the layer
	Malformed uint64 // with header fields out of range
	Moved     uint64 // copied out of their buffers to make room
	Forwarded uint64 // multicasts sent on to another node
	Fetched   uint64 // fetch-and-adds done here
}
