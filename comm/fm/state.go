package fm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Node is the layer on one node.
type Node struct {
	firmware.Base
	spec    Spec
	place   int    // bytes of a ring that a packet takes
	credits uint64 // packets of one sender that a ring holds

	endpoints []*Endpoint // in the order of Open
	stats     Stats
}

// Endpoint is one process's library.
type Endpoint struct {
	library.Process
	library.Bell // something has landed
	node         *Node
	peers        []peer
	ring         ring
	words        host.Addr // where peers' credits land, one word each
	handlers     [256]Handler
	mailbox      mailbox
	err          error // why the endpoint has failed
}

// peer is a process's state for the process of another node with its tag.
type peer struct {
	sent  uint64 // packets
	freed uint64 // packets taken out of the peer's ring, by its latest credit
	out   Stream

	taken    uint64 // packets taken out of the ring
	credited uint64 // taken, in the latest credit to the peer
	in       Arrival
}

// Stream is a message that is being sent, piece by piece.
type Stream struct {
	ep      *Endpoint
	to      int
	handler uint8
	meta    trace.Meta
	bytes   int // of the message
	given   int // of them in pieces so far
	open    bool

	request *firmware.Request // the packet that is being filled, or nil
	owed    sim.Duration      // of the library's time, spent with the packet
	missing int               // bytes of the packet that were not in the cache
}

// Arrival is an arriving message, as its handler sees it.
type Arrival struct {
	From  int
	Bytes int // of the message
	Done  int // of them read

	handler Handler
	to      host.Addr // of the piece that is being read
	want    int       // that it lacks
	open    bool
	skip    bool // the handler discards the rest
	letter  *letter
}

// Handler returns the address of the next n bytes of a message (FM_receive). It is
// called when the first packet of the message has arrived, again whenever those
// bytes have been copied, and a last time when the message is complete. If n is not
// positive, it discards the rest and is not called again. It runs in the context
// that extracts. It may compute, but must not call the layer. Where a handler of FM
// is suspended to wait for more bytes, this one returns.
type Handler func(c *host.Context, m *Arrival) (into host.Addr, n int)

// Stats counts packets that did not reach a handler, and credits.
type Stats struct {
	Refused   uint64 // for a process that the node does not have
	Malformed uint64 // with header fields out of range
	Overflow  uint64 // found the ring full: only after undetected damage to headers
	Holes     uint64 // flushed by a forward reset with a place in the ring
	Unhandled uint64 // messages for a handler that the process does not have
	Unread    uint64 // bytes that handlers discarded
	Credits   uint64 // messages that returned credit
}

// mailbox holds the messages for Receive in the order in which they began. One
// that begins while a Receive waits for it goes to the caller's buffer. Others
// are stored in the library's memory and copied again.
type mailbox struct {
	letters []*letter
	blank   library.Spares[letter]
	wanted  wanted
	spare   library.Memory
	handed  library.Piece // that the caller of Receive reads
}

// letter is a message for Receive.
type letter struct {
	from, bytes int
	at          host.Addr
	own         library.Piece // the library's memory that it lies in, if any
	whole       bool
}

// wanted describes the message that a Receive waits for.
type wanted struct {
	waiting bool
	from    int
	into    host.Addr
	bytes   int
}

// letters is the handler of messages for Receive.
const letters uint8 = 0

// Types of packets.
const (
	opData uint8 = iota
	opCredit
)

// Words of a packet's header.
const (
	wordHandler = iota // or how many packets have been taken, in all: opCredit
	wordLength         // of the message
	wordOffset         // of the packet in it
	wordPlace          // in the ring: the receiver's own note
)
