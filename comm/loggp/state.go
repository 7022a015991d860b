package loggp

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/host"
)

// Net carries messages between nodes.
type Net struct {
	engine   *sim.Engine
	params   *fast.Params
	costs    *fast.Costs
	traits   *comm.Traits
	layers   []*Layer
	messages []message
	free     []uint32
}

// message is one on its way.
type message struct {
	from, bytes int
	to          *region
	offset      int
	notify      bool
	part        content.Part        // that it is, if its bytes are described
	data        []byte              // otherwise
	done        *deposit.Completion // until the interface has taken the message; nil
	uses        int8                // events that are left
}

// Layer is the layer on a node. It implements comm.Layer and deposit.Native.
type Layer struct {
	net      *Net
	node     int
	frames   *host.Frames
	link     link
	sent     uint64
	inFlight int
}

// port is the access of a process. The fields after space are of layers whose hosts poll.
type port struct {
	layer *Layer
	space *host.Space

	queue   ring.Ring[uint32] // messages that have arrived
	busy    bool              // a context uses the library
	waiting deposit.Waiting
}

// region is exported memory.
type region struct {
	port     *port
	at       host.Addr
	bytes    int
	place    func(offset, n int) []byte // of an export of frames
	written  func(deposit.Arrival)
	notify   func(deposit.Arrival)
	redirect host.Addr // of the offsets from lo to hi
	lo, hi   int
}

// remote is an import of a region of another node.
type remote struct {
	owner  *port
	region *region
}
