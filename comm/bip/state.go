package bip

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// Layer is BIP on one node.
type Layer struct {
	firmware.Base
	spec    Spec
	process *Endpoint // the process that opened the interface last

	free    []uint32 // empty slots of the ring
	unread  []int    // occupied or reserved slots, by sender
	blocked []bool   // by sender: a packet waits, and so do all later ones
	waits   bool     // a packet of some sender waits
	posts   []*post  // oldest first
	spare   library.Spares[post]

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

// record is a complete message: in a slot or in an announced buffer. A message
// too long for the buffer has no data.
type record struct {
	from, bytes int
	at          host.Addr
	slot        uint32
	post        *post // nil in a slot
}

// post is the announcement of a receive: an entry in SRAM with the pages of a
// user's buffer, and the state of its message.
type post struct {
	owner *Endpoint
	from  int
	at    host.Addr
	room  int
	// next marks an announcement made by a Receive. It is only for the next
	// message of its sender: not for a long one while an earlier short one is
	// unread.
	next bool

	busy    bool // a message is arriving in it
	message coming
}

// counts are the layer's losses.
type counts struct {
	overflow  uint64 // short messages that found no slot
	broken    uint64 // fragments of long messages that have lost an earlier one
	long      uint64 // messages too long for their buffer
	unclaimed uint64 // packets to a node without a process
	malformed uint64 // packets with damage that the CRC did not detect
}

// coming is a long message of which not all fragments have landed.
type coming struct {
	from   int
	number uint32
	bytes  int
	next   int // offset of the next fragment
	landed int
}
