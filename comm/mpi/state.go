package mpi

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Layer is MPI on one node. It embeds the layer below.
type Layer struct {
	comm.Layer
	spec   Spec
	traits *comm.Traits
	host   *host.Host
	id     int
	nodes  int
	stats  stats
}

// Endpoint is a process's library.
type Endpoint struct {
	library.Process
	library.Bell // rings when the layer below has something
	layer        *Layer
	low          lower
	apart        comm.Scatterer // the layer below, if it is one

	out, in host.Addr // envelopes
	reading host.Addr // the envelope that is being read
	spare   library.Memory
	handed  library.Piece // that the caller of a receive reads

	posted     []*Request // receives that wait for a message, in order
	pending    []*Request // of Post, until a Receive completes them
	unexpected []*letter  // messages that wait for a receive, in order
	peers      []sink     // what the packets of each peer belong to
	grants     []sink     // accepted rendezvous, by handle
	free       []uint32   // handles
	sending    announced  // the rendezvous that the process waits for, if any
	event      event      // what the packet being handled asks for

	blank  library.Spares[Request] // of Receive and Post: nobody holds them after their end
	sheets library.Spares[letter]
	place  func(comm.Message) host.Addr

	holder   *host.Context // context in the library
	passed   host.Watch    // fires when it has left
	watchdog *host.Context // takes messages for a process that stays away
	look     func()        // starts the watchdog of the layer below; nil without one
}

// lower is what MPI needs of the layer below.
type lower interface {
	comm.Gatherer
	comm.Attended
}

// Request is a receive.
type Request struct {
	from, tag  int // from may be comm.Anyone
	into       host.Addr
	room       int
	own        library.Piece // memory of the library, for a receive without a buffer
	got        comm.Message
	done       bool
	err        error
	unexpected bool // its message was there first
}

// letter is a message that no receive expected.
type letter struct {
	from, tag, bytes int
	own              library.Piece
	state            letterState
	handle           uint32 // of the sender, for an announced one
}

// letterState is where the data of a letter is.
type letterState uint8

const (
	withSender letterState = iota // with the sender
	arriving
	whole
)

// sink is the target of arriving data: a receive, a letter or nothing.
type sink struct {
	at      host.Addr
	left    int
	request *Request
	letter  *letter
}

// announced is a long message until the receiver has accepted it.
type announced struct {
	active bool
	handle uint32
	to     int
	from   host.Addr
	bytes  int
	meta   trace.Meta
}

// event is the step that follows when a packet's data is in place.
type event struct {
	envelope
	ok      bool
	request *Request // that an announcement matches
	skipped int      // elements of queues looked at
}

// stats counts messages.
type stats struct {
	Eager, Rendezvous uint64 // sent
	Expected          uint64 // received
	Unexpected        uint64
	Accepted          uint64 // rendezvous into memory of the library
	Malformed         uint64 // packets that fit nothing
	Interrupts        uint64 // looks of the watchdog that found something
}
