package bip

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
)

// Layer is BIP on one node.
type Layer struct {
	firmware.Base
	spec    Spec
	process *Endpoint // that has opened the interface last

	free    []uint32 // slots of the ring that hold nothing
	unread  []int    // slots per sender that hold something, or are about to
	blocked []bool   // a packet of the sender's waits: all behind it do
	waits   bool     // a packet of some sender's waits
	posts   []*post  // oldest first
	spare   []*post  // free for use

	counts counts
}

// Endpoint is the process's access to BIP.
type Endpoint struct {
	library.Process
	layer *Layer
	ring  host.Addr // slots of short messages
	sent  []uint32  // messages per peer

	come  []record // messages that are complete, oldest first
	watch host.Watch
}

// record is a message that is complete: in a slot, or where a receive was
// announced. One that is longer than that has not come.
type record struct {
	from, bytes int
	at          host.Addr
	slot        uint32
	post        *post // nil in a slot
}

// post is the announcement of a receive: an entry in SRAM with the pages of a
// user's buffer, and what has come into it.
type post struct {
	owner *Endpoint
	from  int
	at    host.Addr
	room  int
	// next marks the announcement that a receive makes for itself. It is for the
	// next message of its sender: not for a long one while an earlier short one is
	// unread.
	next bool

	busy    bool // a message is coming into it
	message coming
}

// counts are the layer's losses.
type counts struct {
	overflow  uint64 // short messages that found no slot
	broken    uint64 // fragments of long messages of which an earlier one is lost
	long      uint64 // messages longer than the room for them: their first fragments
	unclaimed uint64 // packets to a node without a process
	malformed uint64 // packets that were changed on the way, unnoticed by the CRC
}

// coming is a long message of which not all has landed.
type coming struct {
	from   int
	number uint32
	bytes  int
	next   int // offset of the next fragment
	landed int
}
