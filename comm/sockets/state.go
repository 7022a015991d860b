package sockets

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
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
	redirector deposit.Redirector // the port, if its interface supports that
	listeners  map[int]*Listener
	open       []*Listener // listeners, in the order of Listen
	door       host.Addr   // two lines per node: its call, its answer
	doors      []deposit.Import
	lines      host.Addr // those that are sent to the doors: a call and an answer per node
	calling    []bool    // by node
	hung       host.Watch

	service   *host.Context    // with Spec.Blocking: wakes programs
	attendant *host.Context    // polls for arrivals, on a layer whose hosts poll; or nil
	woken     ring.Ring[*Conn] // connections with a notice
	stats     Stats
}

// call is a connection being made, identified in messages by its number. It
// holds both sides' exports, which the daemons know.
type call struct {
	number, from, to, port int
	near, far              *Conn // of the caller, of the callee
	answered               bool
	refused                bool
}

// Listener accepts connections to a port of a process.
type Listener struct {
	stack   *Stack
	port    int
	events  Events
	pending []*call
	watch   host.Watch
	closed  bool
}

// Events are functions for a server that notifications start. They run when the
// interface raises a notification and take no time. A nil function raises none.
type Events struct {
	Knock func()      // a connection can be accepted
	Ready func(*Conn) // something has arrived on an accepted connection
}

// Conn is one side of a connection. One process at a time may write and one may
// read; any process may call Close.
type Conn struct {
	stack  *Stack
	peer   int
	kind   trace.Kind
	span   trace.Span
	ready  func(*Conn)
	offers offers
	out    outgoing
	in     incoming
	broken error // why nothing more can be read or written
	closed bool
	marked bool // in Stack.woken
}

// offers holds the regions that this side exports to the other one.
type offers struct {
	data, entries, credit deposit.Export
	creditAt              host.Addr
}

// incoming is the reading half of a connection.
type incoming struct {
	ring    host.Addr // of data
	entries host.Addr
	credit  deposit.Import
	line    host.Addr // the credit that is being sent

	// Arrivals.
	pages    []uint16 // bytes that have arrived, by page of the ring
	present  uint64   // bit mask of lines with an entry that has arrived and is not announced
	seq      uint32   // entries that are complete, in order
	end      uint32   // the ring's data up to here has been announced
	buffered int      // bytes announced and not read
	ended    bool
	gone     bool
	redirect redirect

	// Progress of the program.
	now      entry // entry being read
	left     int   // bytes of it not read
	taken    uint32
	freed    uint32 // bytes of the ring of data freed
	credited struct{ taken, freed uint32 }
	want     want
	busy     bool
	watch    host.Watch
}

// want is the read in progress: the next n bytes of the stream go to a buffer.
type want struct {
	to   host.Addr
	n    int
	done int
}

// redirect is the interface's state of a reader's posted buffer. Transfers that
// begin while it is posted go to their place in it. The interface deposits the
// entries too, so it can count the stream.
type redirect struct {
	posted   bool
	to       host.Addr
	room     int
	since    sim.Time
	at       int       // offset in the buffer of the next transfer's first byte
	segments []segment // bytes placed in the buffer, in order
	received int       // total bytes of segments
	read     int       // bytes of segments announced and taken

	hanging   int    // bytes that have arrived of transfers not yet announced
	front     uint32 // position in the ring after the last byte arrived
	between   bool   // the last packet ended its transfer
	unordered bool   // packets have overtaken one another: nothing more is redirected
	scratch   *[host.PageBytes]byte
	placed    host.Addr // address of the redirected packet that is being written
}

// segment is a run of bytes in the reader's buffer.
type segment struct {
	position uint32 // position in the ring that they were sent to
	bytes    int
	at       int // offset in the buffer
}

// outgoing is the writing half of a connection. Positions in the ring count
// bytes since the connection began, gaps included, and wrap at 2³².
type outgoing struct {
	data     deposit.Import
	entries  deposit.Import
	lines    host.Addr // the entries that are being sent, at the same offsets as in their ring
	copies   host.Addr // copies of short writes, at the same offsets as in the ring
	fetching deposit.Completion
	wrote    uint32
	freed    uint32 // bytes of the ring freed, by the latest credit
	seq      uint32 // entries sent
	taken    uint32 // entries read, by the latest credit
	finished bool
	busy     bool
	fetched  host.Watch // fires when all fetches are complete
	watch    host.Watch
}

// Stats counts the work of a stack.
type Stats struct {
	Connections uint64 // connections made from this side
	Written     uint64 // bytes
	Read        uint64
	Inline      uint64 // entries with their bytes
	Bulk        uint64 // entries that announce bytes in the ring of data
	Copied      uint64 // bytes copied before they were sent
	Redirected  uint64 // bytes that arrived in a reader's buffer
	Drained     uint64 // bytes copied out of a ring of data
	Credits     uint64 // credits returned
	Waits       uint64 // times a writer waited for room
	Damaged     uint64 // connections broken by an impossible entry
}
