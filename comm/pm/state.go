package pm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
)

// Node is the layer on one node: what its control program does of its own, and
// the processes that use it.
type Node struct {
	firmware.Base
	spec     Spec
	channels [256]*channel // by tag

	processes []*Endpoint // in the order of Open
	owner     *Endpoint   // that has the interface, or nil during a change
	gang      gang
	stopped   error // the network has lost something
	stats     Stats
}

// channel is what a program's processes exchange packets over.
type channel struct {
	process *Endpoint // on this node, or nil
	links   []link    // by node
}

// link is a channel's state with one peer, in both directions.
//
// Packets are numbered. A packet that finds no free buffer is rejected, and
// so are all behind it on the way, which carry the round that the rejection
// ended. The sender's interface has kept them. When the receiver says that there
// is room, it sends them again in the next round, from the rejected one on: as many
// at once as the receiver last had free buffers, or one if there were none, which
// then waits for room as the first one did. A number that is missing within a round
// was lost by the network.
type link struct {
	flow  flow
	next  uint32   // number of the next packet to the peer
	acked uint32   // packets below it are in buffers of the peer
	kept  []uint32 // slots of those from it on
	round uint32   // that packets to the peer carry
	later uint32   // round that a rejection has begun
	again int      // how many of the kept ones have been sent in it

	expected uint32 // number of the next packet of the peer
	wanted   uint32 // round in which it has to come
}

// flow is how far the peer takes packets.
type flow uint8

// Endpoint is the library in a process: its pinned buffers and what has come
// into them.
type Endpoint struct {
	library.Process
	library.Bell // fires when a message arrives
	node         *Node

	sources []region // pinned memory to send from, ascending
	copies  []source // that of the library, for other memory
	copied  int      // that was used last

	pool    host.Addr // of receive buffers
	stride  int
	free    []int // of them, in the order of their use
	arrived []arrival
	holding arrival         // that the process reads in place; its at is 0 when there is none
	spare   library.Buffers // for messages moved out of their buffers

	waiting []int32 // peers whose packets were rejected, in order

	context *host.Context  // of the process, since its last call
	queue   firmware.Queue // of its requests
	late    []answer       // that came while it did not have the interface
	called  bool           // something has
	turn    host.Watch     // fires when it gets it
}

type region struct{ from, to host.Addr }

// source is a buffer to copy to, and the request that sends from it.
type source struct {
	at      host.Addr
	request *firmware.Request
}

// arrival is a message in a receive buffer, or where move has put it.
type arrival struct {
	at          host.Addr
	from, bytes int
	buffer      int  // or -1
	seen        bool // by Poll
}

// gang is the daemon that gives the interface to the process whose program has
// the CPU (userspace §2; Table 2, protection by gang scheduling). A change has
// three parts. After a change of programs no request is taken up for as long as
// packets may be on their way, so that packets of the process that leaves arrive
// while it still has the interface at the other end. Then the interface's state is
// saved and that of the next process restored. Then the next process sends and
// receives.
//
// Where all hosts change programs at the same instants (host.Spec.Gang), so do
// all interfaces, and every packet finds its own process. Otherwise a packet may
// find another one. It is counted as absent and rejected as if there were no
// buffer, so that it is sent again later.
//
// A process that sleeps or has ended has no turn of its own. What is left in its
// queue is sent before the interface changes. It gets the interface for a moment
// when something arrives for it.
type gang struct {
	next     *Endpoint // gets the interface, or keeps it
	changing bool
}

// answer is an Ack or Nack for a process that does not have the interface.
type answer struct {
	from   int32
	header fabric.Header
}

// Stats counts what happened to packets beside being delivered.
type Stats struct {
	Rejected  uint64 // packets that found no buffer
	Discarded uint64 // packets behind a rejected one
	Refused   uint64 // packets for a program that has no process here
	Absent    uint64 // packets for a process that did not have the interface
	Abandoned uint64 // packets that came after the stop
	Malformed uint64 // control packets with fields out of range
	Moved     uint64 // messages moved out of their buffers to make room
	Changes   uint64 // times that the interface was given to another process
}
