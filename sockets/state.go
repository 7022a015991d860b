package sockets

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Net is the sockets of one program: a process on every node.
type Net struct {
	spec   Spec
	stacks []*Stack
	calls  []*call
}

// Stack is the library in the process of one node.
type Stack struct {
	net        *Net
	id         int
	host       *host.Host
	space      *host.Space
	port       deposit.Port
	redirector deposit.Redirector // the port, if its interface can do that
	listeners  map[int]*Listener
	open       []*Listener // the same, in the order of Listen
	door       host.Addr   // two lines per node: its call, its answer
	doors      []deposit.Import
	line       host.Addr // what is being sent to a door
	calling    []bool    // by node
	hung       host.Watch

	service   *host.Context    // with Spec.Blocking: wakes programs
	attendant *host.Context    // takes in what comes, where the layer does not; or nil
	woken     ring.Ring[*Conn] // connections on which something has happened
	stats     Stats
}

// call is a connection being made. Messages carry its number. It holds what the
// daemons know of both sides' exports.
type call struct {
	number, from, to, port int
	near, far              *Conn // of the caller, of the one that answers
	answered               bool
	refused                bool
}

// Listener takes the connections to a port of a process.
type Listener struct {
	stack   *Stack
	port    int
	events  Events
	pending []*call
	watch   host.Watch
	closed  bool
}

// Events are for a server that a notification starts. They are called at the
// instant at which the interface raises one, take no time, and may be nil; then
// nothing is raised.
type Events struct {
	Knock func()      // a connection can be accepted
	Ready func(*Conn) // something has arrived on an accepted connection
}

// Conn is one side of a connection. One process at a time may write, and one,
// the same or another, may read; Close may come from any.
type Conn struct {
	stack  *Stack
	peer   int
	kind   trace.Kind
	span   trace.Span
	ready  func(*Conn)
	offers offers
	out    outgoing
	in     incoming
	broken error // nothing more can be read or written
	closed bool
	marked bool // among Stack.woken
}

// offers are what this side exports to the other one.
type offers struct {
	data, entries, credit deposit.Export
	creditAt              host.Addr
}

// incoming is the reading half of a connection.
type incoming struct {
	ring    host.Addr // of data
	entries host.Addr
	credit  deposit.Import
	line    host.Addr // what is being told

	// As memory shows it.
	pages    []uint16 // bytes that have come, by page of the ring
	present  uint64   // lines with an entry that has come and is not announced, a bit each
	seq      uint32   // entries that have come whole, in order
	end      uint32   // the ring's data up to here has been announced
	buffered int      // bytes of the stream that have been announced and not read
	ended    bool
	gone     bool
	redirect redirect

	// As far as the program has taken it.
	now   entry // being taken
	left  int   // of its bytes
	taken uint32
	freed uint32 // of the ring
	told  struct{ taken, freed uint32 }
	want  want
	busy  bool
	watch host.Watch
}

// want is what a reader wants: the next n bytes of the stream in a buffer.
type want struct {
	to   host.Addr
	n    int
	done int
}

// redirect is what the interface knows of a reader's buffer: where the bytes
// of the stream go whose transfer begins while the buffer is posted. The
// interface deposits entries too, so it can count the stream.
type redirect struct {
	posted   bool
	to       host.Addr
	room     int
	since    sim.Time
	at       int       // in the buffer, of the next byte of a transfer
	segments []segment // what has gone to the buffer, in order
	got      int       // bytes of them
	read     int       // of these, announced and taken

	hanging   int    // bytes that have come of transfers that are not announced
	front     uint32 // position in the ring behind what has come last
	between   bool   // the last packet ended its transfer
	unordered bool   // packets have overtaken one another: nothing is redirected any more
	scratch   *[host.PageBytes]byte
	placed    host.Addr // of the packet that is being written, when it is redirected
}

// segment is a run of bytes in the reader's buffer.
type segment struct {
	position uint32 // in the ring, where they were sent to
	bytes    int
	at       int // in the buffer
}

// outgoing is the writing half of a connection. Positions in the ring count
// the bytes since the beginning, gaps included, and wrap at 2³².
type outgoing struct {
	data     deposit.Import
	entries  deposit.Import
	line     host.Addr // the entry that is being sent
	copies   host.Addr // copies of short writes, where they lie in the ring
	fetching deposit.Completion
	wrote    uint32
	freed    uint32 // of it, as far as this side has been told
	seq      uint32 // entries sent
	taken    uint32 // of them, as far as this side has been told
	finished bool
	busy     bool
	fetched  host.Watch // fires when nothing is being fetched
	watch    host.Watch
}

// Stats counts what a stack did.
type Stats struct {
	Connections uint64 // made, on this side
	Written     uint64 // bytes
	Read        uint64
	Inline      uint64 // entries with their bytes
	Bulk        uint64 // entries that announce bytes in the ring of data
	Copied      uint64 // bytes copied before they were sent
	Redirected  uint64 // bytes that arrived in a reader's buffer
	Drained     uint64 // bytes copied out of a ring of data
	Credits     uint64 // messages that told of room
	Waits       uint64 // times a writer waited for room
	Damaged     uint64 // connections broken by an entry that cannot be
}
