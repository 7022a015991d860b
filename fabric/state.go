package fabric

import "github.com/sigview/sigview/sim"

// Port is a node's interface to the network. The fabric calls it inside its
// own events; a port may call Inject, Resume, NewPacket and Free from there.
type Port interface {
	// Accept asks for room for p, whose head is one wire away. True
	// reserves the room. After false the head waits and holds its path, and
	// Net.Resume asks again.
	Accept(p *Packet) bool
	// Arrived: the tail of p is in memory, at p.T5. The port owns p from here
	// on. When p.CRCError is set the contents cannot be trusted.
	Arrived(p *Packet)
	// Sent: the tail of p has left this sender, at p.T4. It is called if
	// p.WantSent, and whenever a forward reset cuts p short (p.Lost). The port
	// must not keep p.
	Sent(p *Packet)
	// Reset: a forward reset has reached this receiver, which must flush its
	// queues and buffers. A packet that was accepted and has not arrived will
	// not arrive.
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
	dead     []sim.Time // by channel: when its link dies; nil without any
	chosen   [][]uint16 // ways by source and destination that are not the usual ones
	stats    Stats
	packets  []*Packet
	free     []*Packet
	fresh    []Packet
	chain    []*Packet // scratch of a forward reset
	inFlight int
}

type node struct {
	port     Port
	refused  *Packet   // holds the last channel
	parked   []*Packet // refused ones on an uncontended fabric
	deafTill sim.Time  // injected stall: refuses until then
	lastT5   sim.Time  // of the last one that was parked; later ones keep the order
	since    sim.Time  // when its sending was halted
	limitSet bool      // a limit event is pending

	resetLost uint64 // packets that it has sent and a forward reset has taken
}

// Operations of the fabric's events.
const (
	opHead   uint32 = iota // packet: the head asks for path[head+1]
	opStart                // packet: injection starts on a cable
	opArrive               // packet: the tail is in the receiver's memory
	opTail                 // channel: the tail may have left
	opStop                 // channel: STOP arrives at the sending side
	opGo                   // channel: GO arrives at the sending side
	opLimit                // node: the block limit may be over
	opDeaf                 // node: an injected stall begins or ends
	opSent                 // packet: the tail has left a free sender
)

// channel is one direction of a link together with the input port and slack
// buffer at its far end.
type channel struct {
	// Fields are in the order of their use: with a thousand nodes every cache
	// line of a channel is far away.

	// The sending side: the packet that holds the channel. end and the
	// copies of its size and rate stay valid after the packet has gone.
	holder *Packet
	end    sim.Time // when the tail leaves; Never while halted
	start  sim.Time // when the channel was taken
	bytes  int64
	base   int64 // bytes of all earlier holders
	rate   sim.Rate
	gen    uint32 // changes with every holder
	id     int32
	from   int32 // input port that feeds it, or noChannel
	last   int32 // input port that the arbiter served last

	// The receiving side.
	feeding int32   // channel that the port's front packet holds
	flowGen uint32  // changes when a scheduled STOP or GO is called off
	out     int64   // bytes that have left the port, in whole packets
	first   *Packet // front packet waiting for its channel
	signal  signal
	blocked bool // the front packet does not move

	flowing bool
	armed   bool // a tail event is pending
	headDue bool // the head could not start because STOP was in force
	want    bool // the holder's sender wants to know about the end
	newest  uint8

	mark sim.Time // when byte number sent starts or could start
	sent int64    // bytes that had started before mark

	queue  []int32   // of the arbiter: input ports whose first packet waits for this channel
	behind []*Packet // packets whose heads came after the port's front packet

	stats ChannelStats
	past  [4]past  // the last holders, the newest first at index newest
	halt  sim.Time // when it was halted
	due   sim.Time // when STOP or GO is sent
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
)

const noChannel int32 = -1

// Stats counts packets. Injected = Delivered + Dropped + ResetLost + InFlight.
type Stats struct {
	Injected                  uint64
	Delivered, DeliveredBytes uint64 // with and without errors
	Refused                   uint64 // heads that found no room at the receiver
	Resets                    uint64 // forward resets
	ResetLost                 uint64 // packets lost in them
	Dropped                   uint64 // packets that the injector or a dead link took
	Severed                   uint64 // packets whose route crossed a dead link
	Hit                       uint64 // packets delivered with changed bits
	Detected                  uint64 // of them those that the CRC shows
	Undetected                uint64 // of them those that it does not
	InFlight                  int
}

// ChannelStats are the statistics of one direction of one link.
type ChannelStats struct {
	Packets  uint64 // packets whose tail has left, or that were cut
	Bytes    uint64
	Held     sim.Duration // held by a packet, moving or not
	Halted   sim.Duration // held and halted by STOP or by the receiver
	Waited   uint64       // packets whose head waited for the channel, or for one before it in the same buffer
	WaitMax  sim.Duration
	QueueMax int    // longest queue of the arbiter
	Stops    uint64 // STOPs that have reached the sending side
	Cut      uint64 // packets cut short by a forward reset
}
