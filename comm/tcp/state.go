package tcp

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/kernel"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Layer is TCP on one node: its kernel, and the sockets of its processes.
type Layer struct {
	firmware.Base
	kernel.Driver // of the node's controller
	spec          Spec
	endpoints     []*Endpoint       // by port
	held          map[host.Addr]int // uses of each buffer: by a connection's queue, and by each frame that is not fetched
	blank         host.Addr         // address of acknowledgements, which have no data
	descriptors   firmware.Queue    // of the controller
	stalled       bool              // segments wait for a free descriptor
	timers        *host.Context
	alarm         sim.Time // of the event for the next timer, or sim.Never
	data          []byte   // of the segment whose checksum is being made
	stats         stats
}

// Endpoint is a process's sockets, one for each peer, and the library above them.
type Endpoint struct {
	library.Process
	library.Bell // rings when bytes arrive
	layer        *Layer
	port         uint16
	conns        []*conn // by node; nil for one that is not connected
	writer       *conn   // whose room the process waits for
	turn         int     // peer whose socket was looked at last
	fresh        int     // segments that have arrived since the last Poll

	out, in host.Addr // marks
	letters []letter  // messages in memory of the library, in the order of their ends
	spare   library.Memory
	handed  library.Piece // that the caller of Receive reads
}

// letter is a message in memory of the library.
type letter struct {
	from, bytes int
	own         library.Piece
}

// conn is an end of a connection.
type conn struct {
	e    *Endpoint
	peer int
	port uint16 // of the peer
	sender
	receiver
	failed error
}

// sender is the state of a connection's outgoing bytes.
type sender struct {
	queue     ring.Ring[segment] // not acknowledged: those in flight, then the others
	flying    int
	una, end  uint64 // numbers of the first byte that is not acknowledged, and after the last written one
	limit     uint64 // the peer has room for bytes below it
	sending   bool   // a context is sending segments
	window    int    // congestion window, segments
	threshold int    // of slow start
	grown     int    // acknowledgements towards the window's next growth
	same      int    // acknowledgements of the same byte in a row
	recovery  uint64 // a gap below it is being repaired

	rtt      estimate
	timed    uint64 // number after the segment that is being timed; 0: none
	timedAt  sim.Time
	deadline sim.Time
	tries    int // since the last progress
}

// receiver is the state of a connection's incoming bytes.
type receiver struct {
	expected     uint64           // number of the next byte
	arrived      ring.Ring[chunk] // in order, not read
	readable     int              // bytes of them
	early        []kernel.Packet  // behind a gap, ascending
	advertised   uint64           // end of the window that the peer knows; it never moves back
	unacked      int              // segments that have arrived and are not acknowledged
	ackAt        sim.Time         // when they will be
	partial      letter           // a message that is being read into memory of the library
	partialBytes int              // of the partial message
	drains       bool             // there is such a message
}

// segment is a piece of the outgoing stream.
type segment struct {
	seq   uint64
	at    host.Addr // in kernel memory
	bytes int
	meta  trace.Meta // of the first message in it
	open  bool       // being filled
	final bool       // has left once
}

// chunk is what is left of a segment that has arrived.
type chunk struct {
	at     host.Addr // of its buffer
	offset int
	bytes  int
}

// stats counts segments that were lost, refused or sent again.
type stats struct {
	Malformed  uint64 // fields out of range
	Checksum   uint64 // damage that the CRC did not show
	Refused    uint64 // for a port that is unknown or not connected to the sender's
	SocketFull uint64
	Duplicates uint64
	OutOfOrder uint64
	Repeated   uint64
	Fast       uint64 // of Repeated: after the third acknowledgement of the same byte
	Timeouts   uint64
	Probes     uint64 // for the window
	Acks       uint64 // sent by themselves
	Failed     uint64 // segments of failed connections
}
