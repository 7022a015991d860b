package fabric

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Port is a node's interface to the network. The fabric calls its methods
// within its own events; they may call Inject, Resume, NewPacket and Free.
type Port interface {
	// Accept asks for room for p, whose head is one wire away. True
	// reserves the room. After false the head waits and holds its path, and
	// Net.Resume asks again.
	Accept(p *Packet) bool
	// Arrived reports that the tail of p is in memory, at p.T5. The port owns p
	// from now on. If p.CRCError is set, the contents are damaged.
	Arrived(p *Packet)
	// Sent reports that the tail of p has left this sender, at p.T4. It is
	// called if p.WantSent is set, if p.WantHalted is and p has been halted, and
	// whenever a forward reset cuts p short (p.Lost). The port must not keep p.
	Sent(p *Packet)
	// Reset reports that a forward reset has reached this receiver, which must
	// flush its queues and buffers. A packet that was accepted and has not
	// arrived will not arrive.
	Reset()
}

// Net is a live fabric.
type Net struct {
	engine   *sim.Engine
	spec     Spec
	layout   layout
	hop      sim.Duration // wire and switch
	ch       []channel
	nodes    []node
	faults   faults
	dead     []sim.Time // by channel: when its link fails; nil without breaks
	outages  []Stall    // of nodes' links
	chosen   [][]uint16 // ways by source and destination, after rerouting
	stats    Stats
	packets  []*[poolChunk]Packet // by number
	made     int                  // packets in use and free
	free     []*Packet
	chain    []*Packet // scratch of a forward reset
	log      *waits.Log
	buffers  *buffers // of switches that have them, or nil
	inFlight int
	stepwise bool // no head goes ahead
}

type node struct {
	// What every packet uses is in one cache line.
	port     Port
	expecter Expecter // the port, if it is one
	deafTill sim.Time // injected stall: refuses until then
	lastT5   sim.Time // of the last packet that was parked or waited for a free port, to keep the order
	refused  *Packet  // holds the last channel
	since    sim.Time // when the node's sending was halted

	parked    []*Packet // refused packets on an uncontended fabric
	limitSet  bool      // a limit event is pending
	resetLost uint64    // packets sent and lost in a forward reset
	misled    uint64    // packets received with damage that the CRC does not show
	lacking   uint64    // packets to the node for which a buffer or the node itself had no room
	_         [8]byte   // to two cache lines
}

// Operations of the fabric's events.
const (
	opHead   uint32 = iota // packet: the head requests path[head+1]
	opStart                // packet: injection starts on a cable
	opArrive               // packet: the tail is in the receiver's memory
	opTail                 // channel: the tail may have left
	opStop                 // channel: STOP arrives at the sending side
	opGo                   // channel: GO arrives at the sending side
	opLimit                // node: the block limit may be over
	opDeaf                 // node: an injected stall begins or ends
	opSent                 // packet: the tail has left a free sender
	opBuffer               // the first of those of switches with buffers
)

// channel is one direction of a link together with the input port and slack
// buffer at its far end.
type channel struct {
	// What every packet uses is in two cache lines, because with many nodes each of them is a
	// miss; the rest is apart.

	// The sending side: the packet that holds the channel. end and the
	// copies of its size and rate stay valid after the packet has gone.
	holder *Packet
	end    sim.Time // when the tail leaves; Never while halted
	start  sim.Time // when the channel was taken
	mark   sim.Time // when byte number sent starts or could start
	rate   sim.Rate
	bytes  int32
	sent   int32  // bytes that had started before mark
	gen    uint32 // changes with every holder
	id     int32
	from   int32 // input port that feeds it, or noChannel

	// The receiving side.
	feeding int32    // channel that the port's front packet has taken last, or noChannel; see fed
	until   sim.Time // when the tail of that packet leaves it
	out     int64    // bytes of packets that have taken a channel from the port
	first   *Packet  // front packet waiting for its channel

	// All holders. The time of a halted one counts when it moves again.
	packets uint64
	carried int64 // bytes
	held    sim.Duration

	crowd *crowd

	signal  signal
	blocked bool // the front packet does not move
	flowing bool
	armed   bool // a tail event is pending
	headDue bool // the head could not start because STOP was in force
	want    bool // the holder's sender wants Port.Sent
	queued  bool // crowd.queue is not empty
	backed  bool // crowd.behind is not empty
}

// crowd is what a channel needs when packets wait in it or for it.
type crowd struct {
	queue   []int32   // of the arbiter: input ports whose first packet waits for this channel
	last    int32     // input port that it served last
	flowGen uint32    // changes when a scheduled STOP or GO is cancelled
	behind  []*Packet // packets whose heads arrived after the port's front packet
	newest  uint8
	past    [4]past      // the last holders that can matter, the newest first at index newest
	halt    sim.Time     // when it was halted
	due     sim.Time     // when STOP or GO is sent
	actor   waits.ID     // the holder's, for the log
	stats   ChannelStats // without Packets, Bytes and Held of earlier holders
}

// past is a packet that has left a channel: its last bytes can still be on the
// wire.
type past struct {
	end   sim.Time
	bytes int64
	rate  sim.Rate
}

// signal is the state of STOP/GO between an input port and the sender of
// its channel.
type signal uint8

const (
	clear    signal = iota
	stopping        // STOP is sent at due and arrives one wire later
	stopped         // STOP is in force
	going           // GO is sent at due and arrives one wire later
	open            // the port is free: STOP is never sent
)

const noChannel int32 = -1

// Stats counts packets. Injected = Delivered + Dropped + ResetLost + InFlight.
type Stats struct {
	Injected                  uint64
	Delivered, DeliveredBytes uint64 // with and without errors
	Refused                   uint64 // heads refused by the receiver
	Resets                    uint64 // forward resets
	ResetLost                 uint64 // packets lost in forward resets
	Dropped                   uint64 // packets dropped by the injector, lost at a dead link or for want of room
	Severed                   uint64 // of those dropped, at links that are dead or down
	Overflowed                uint64 // of those dropped, for want of room in a switch's buffer
	Unreceived                uint64 // of those dropped, for want of room in the receiver
	Marked                    uint64 // marks set by switches (ECN)
	Pauses                    uint64 // pause frames (XOFF) sent by switches
	Hit                       uint64 // packets delivered with changed bits
	Detected                  uint64 // of Hit: the CRC shows it
	Undetected                uint64 // of Hit: the CRC does not show it
	InFlight                  int
}

// ChannelStats are the statistics of one direction of one link.
type ChannelStats struct {
	Packets  uint64 // packets whose tail has left or that were cut
	Bytes    uint64
	Held     sim.Duration // held by a packet, moving or not
	Halted   sim.Duration // held and halted by STOP or by the receiver
	Waited   uint64       // packets whose head waited for the channel, or for one before it in the same buffer
	WaitMax  sim.Duration
	QueueMax int    // longest queue of the arbiter
	Stops    uint64 // STOPs that have reached the sending side
	Cut      uint64 // packets cut short by a forward reset

	// Of switches with buffers. The queue is that before the channel, with the packet that is
	// leaving.
	Overflowed uint64       // packets dropped for want of room before the channel
	Unreceived uint64       // packets dropped behind it, where the receiver had no room
	Marked     uint64       // packets marked in the queue (ECN)
	QueueBytes int64        // highest
	Pauses     uint64       // pause frames (XOFF) sent by the input at its end; Stops are those that have arrived
	Paused     sim.Duration // a pause was in force, credits were missing, or the receiver had no room
	Stood      uint64       // packets that stood before it meanwhile
	Blocked    sim.Duration // for how long they stood because of a port that they do not pass
}
