package pm

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Node is the layer on one node: its part of the control program, and the
// processes that use it.
type Node struct {
	firmware.FailStop
	spec     Spec
	channels [256]*channel // by tag

	processes []*Endpoint // in the order of Open
	owner     *Endpoint   // process that has the interface, or nil during a change
	gang      gang
	stats     Stats
}

// channel is a program's connection between its processes.
type channel struct {
	process *Endpoint // on this node, or nil
	links   []link    // by node
}

// link is a channel's state with one peer, in both directions.
//
// Packets are numbered. A packet that finds no free buffer is rejected. So are all
// later ones in flight, which carry the round that the rejection ended. The
// sender's interface keeps them. When the receiver reports room, it sends them
// again in the next round, from the rejected one on. It sends as many at once as
// the receiver last had free buffers, or one if there were none, which waits for
// room as before. A number missing within a round was lost by the network.
type link struct {
	flow  flow
	sent  firmware.Window[uint32] // slots of packets that are not in buffers of the peer
	round uint32                  // round of packets to the peer
	later uint32                  // round that a rejection has begun
	again int                     // kept packets sent in that round

	expected uint32 // number of the next packet of the peer
	wanted   uint32 // round expected of it
}

// flow is the state of a link's sending side.
type flow uint8

// Endpoint is the library in a process: its pinned buffers and the messages in
// them.
type Endpoint struct {
	library.Process
	library.Inbox
	node *Node

	sources []region        // pinned memory to send from, ascending
	copies  firmware.Copies // for data in other memory

	waiting []int32 // peers whose packets were rejected, in order

	context *host.Context  // of the process, since its last call
	queue   firmware.Queue // of its requests
	late    []answer       // answers that arrived while it did not have the interface
	called  bool           // something has arrived while it did not have the interface
	turn    host.Watch     // fires when it gets the interface
}

type region struct{ from, to host.Addr }

// gang is the daemon that gives the interface to the process whose program has the
// CPU (userspace §2; Table 2, protection by gang scheduling). A change has three
// parts. First no request starts for as long as packets may be in flight, so that
// packets of the leaving process arrive while it still has the interface at the
// other end. Then the interface's state is saved and that of the next process
// restored. Then the next process sends and receives.
//
// If all hosts change programs at the same instants (host.Spec.Gang), so do all
// interfaces, and every packet finds its own process. Otherwise a packet may
// find another one. It is counted as absent and rejected as if there were no
// buffer, and sent again later.
//
// A process that sleeps or has ended has no turn of its own. The rest of its
// queue is sent before the interface changes. It gets the interface briefly when
// something arrives for it, or when it has left requests behind in its last turn.
type gang struct {
	next     *Endpoint // gets the interface, or keeps it
	changing bool
}

// answer is an Ack or Nack for a process that does not have the interface.
type answer struct {
	from   int32
	header fabric.Header
}

// Stats counts packets that were not simply delivered, and changes.
type Stats struct {
	Rejected  uint64 // packets that found no buffer
	Discarded uint64 // packets after a rejected one
	Refused   uint64 // packets for a program that has no process here, and writes outside of pinned memory
	Absent    uint64 // packets for a process that did not have the interface
	Malformed uint64 // control packets with fields out of range
	Written   uint64 // remote writes that are in memory
	Moved     uint64 // messages moved out of their buffers to make room
	Changes   uint64 // times that the interface was given to another process
}
