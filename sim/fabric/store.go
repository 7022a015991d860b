package fabric

import (
	"github.com/sigview/sigview/internal/bitset"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// buffers is the state of all switches of a network that has buffers.
type buffers struct {
	net      *Net
	spec     *Buffer
	ports    []port  // by channel
	switches []store // by switch
	marks    sim.Stream
	drops    sim.Stream
	flows    map[FlowKey]*FlowStats
}

// port is the state of a channel on a network with buffers: the output queue before it, and the
// input behind it.
type port struct {
	// What every packet uses is in one cache line and a half.

	// The output, of a switch or of a node's card.
	queue   ring.Ring[*Packet] // a switch's
	bytes   int64              // of the queue and of the packet that is leaving
	wire    sim.Time           // when the last pause frame has left
	from    int32              // the switch, or noSwitch
	to      int32              // the switch behind the channel
	armed   bool               // an event serves the queue
	halted  bool               // by a pause, for want of credits, or by the receiver
	granted bool               // the receiver, which had no room, has some
	notice  bool               // the input of the other direction has something to tell
	barrier waits.ID           // in the log: who halts the output
	barred  sim.Time           // since when it does

	// The input of the switch behind the channel.
	off      bool  // the sender is to pause
	notified bool  // the sender has been told so
	shared   int64 // bytes in the shared part of the buffer
	headroom int64 // bytes in the input's own part

	place   uint32   // of the channel among the inputs of the switch behind it
	spot    uint32   // of the channel among the outputs of the switch before it
	waiting []int32  // of a switch: packets of the queue by the input through which they have come
	highest int64    // most bytes
	reverse int32    // the channel in the other direction
	since   sim.Time // when the output was halted
	storms  int      // that go on
	through int32    // because of which port
	halts   []Halts
	credits credits
}

// store is the buffer of a switch.
type store struct {
	outputs, inputs []int32    // channels
	busy            bitset.Set // outputs that packets hold, also ones whose packets have left
	pausing         bitset.Set // inputs whose senders are to pause
	used            int64      // bytes of the shared part; those of packets that have left may be among them
	room            int64      // size of the shared part
	off             int        // inputs whose senders are to pause
}

// Operations of the events of switches with buffers.
const (
	opEnter  = opBuffer + iota // packet: a switch has looked at its head
	opServe                    // channel: it may be free
	opCredit                   // channel: credits have come
	opPause                    // channel and 1 to pause: a pause frame has its effect
	opStorm                    // node and 1 to begin: its switch tells it to pause, again and again
	opBegin                    // packet: it begins to leave a node of a cable
	opVanish                   // packet: the tail of one that is lost has come
)

// credits are what the sender of a channel knows of the room at its end.
type credits struct {
	free   int64
	coming []credit // in the order of time
	wake   sim.Time // when an event looks again; 0: none
}

type credit struct {
	at    sim.Time
	bytes int64
}

// Halts counts the halts of a channel by the port that caused them. That port is the one whose
// output queue held most packets of the channel when the halt began, or, if that port was halted
// itself, the one that caused its halt. A channel whose receiver has no room causes its own halt.
type Halts struct {
	Channel, Through int32 // Through is -1 if no queue held anything
	Count            uint64
	Time             sim.Duration
}

// FlowKey names a flow: packets of a program between two nodes that take the same route. Own
// packets are those that interfaces make for no program.
type FlowKey struct {
	Src, Dst int32
	Flow     uint32
	Tag      trace.Tag
	Own      bool
}

// FlowStats is what switches with buffers have done to the packets of a flow.
type FlowStats struct {
	Overflowed uint64       // dropped for want of room in a switch
	Unreceived uint64       // dropped for want of room in the receiver
	Marked     uint64       // ECN
	Halted     uint64       // times that a packet stood before a halted channel
	HaltedTime sim.Duration // for which it did
	Blocked    sim.Duration // the part because of a port that the packet does not pass
}
