package firmware

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Program is the control program of one interface.
type Program struct {
	nic   *ni.NIC
	spec  Spec
	cost  *Cycles
	layer Layer

	queue   *Queue // the queue in use
	spare   []*Request
	sorts   bool        // requests that flow control holds let others pass
	current *Request    // request that is being cut into packets
	active  int         // packets between fetch and the end of their injection
	moving  int         // packets, new, relayed or kept and sent again, that are not injected
	fetches int         // packets whose data the H engine is to fetch
	order   []*outgoing // these packets in the order of their requests, if the H engine is free
	outs    []*outgoing
	outFree []uint32

	waiting []*fabric.Packet // in the receive ring for a Retry, oldest first
	retried []*fabric.Packet // those of the latest Retry; its memory is used again

	holds map[*fabric.Packet]bool // held packets in the receive ring, and whether they are dropped

	ins    []*incoming
	inFree []uint32

	heads map[*fabric.Packet]*incoming // packets of which only the head has been handled; nil: they are not delivered yet

	acks     Acknowledger // the layer, if it is one
	preview  Previewer    // the same
	deposits Depositor    // the same
	brief    int          // bytes that the H engine fetches in the time of its set-up

	stats Stats

	slotted []*outgoing // packets with a slot, oldest first, for the log
}

// Queue is the sending side of a process: its waiting requests, and the send
// buffers of its kept packets. A program has one, unless processes take turns
// at the interface (Use).
type Queue struct {
	requests []*Request // oldest first
	room     host.Watch // the library waits here for a free entry
	kept     int        // kept packets, while another queue is in use
}

// Stats counts packets of the control program.
type Stats struct {
	Packets   uint64 // sent with data of requests
	Delivered uint64 // packets made visible to the host
	Control   uint64 // control packets sent
	Nacks     uint64 // of Control: Nacks
	Damaged   uint64
	Flushed   uint64
	Repeated  uint64 // kept packets sent again
	Relayed   uint64 // of Packets: from a buffer of another packet
	Underruns uint64 // cut-through packets whose data was fetched too late for the S engine
}

// Request is an entry of the request queue: a message or a packet of one, to be
// sent.
type Request struct {
	To    int32
	Bytes int // of data; 0: a message without data
	Meta  trace.Meta
	Op    uint8 // the layer's own type of packet
	Flags uint8 // the layer's, from ni.FirstProgramFlag up; the first packet also gets ni.FlagFirst
	Words [ni.FirstProbeWord]uint64
	Order uint32 // the layer's sequence number, of the first packet

	// The data: inline, stored into the queue by the host, or to be fetched. If
	// Space is nil, it is the data of Put.
	Inline bool
	Space  *host.Space
	From   host.Addr

	// Piece is the largest payload of its packets; 0: the layer's.
	Piece int

	// MinFetch is the minimum number of bytes fetched with a packet. Some
	// control programs fetch even for a message without data.
	MinFetch int
	// Ahead takes the request up before all that are not.
	Ahead bool
	// Keep leaves the packets in SRAM until the layer forgets them.
	Keep bool

	// Descriptor is how many words the host stores besides the data.
	Descriptor int

	Gone  bool // all data has left host memory: the buffer may be written again
	Left  bool // the last packet has left the interface
	Watch host.Watch

	queue  *Queue
	held   bool // the library reads Gone or Left and frees the request itself
	sent   int  // bytes cut into packets so far
	left   int  // packets that are not injected yet
	more   bool // not all packets are made
	posted ni.Posted
	data   []byte // of an inline request
}

// outgoing is a packet until the end of its injection.
type outgoing struct {
	ni.Record
	dma     ni.DMA
	request *Request
	offset  int // of its data in the message
	data    []byte
	through bool // passed to the S engine while its data was being fetched
	come    bool // its data is in SRAM, perhaps before that of earlier ones
	fetched bool
	left    bool // the S engine has finished
	done    bool // the processor has finished its part of the injection

	keep, forgotten bool
	repeats         int           // retransmissions of a kept packet not injected yet
	relayed         func()        // of a packet from a receive buffer: runs when it has left
	header          fabric.Header // of a kept packet
}

// incoming is a packet until it is visible to the host.
type incoming struct {
	dma     ni.DMA
	record  ni.DMA // of a target with one
	program *Program
	slot    uint32
	packet  *fabric.Packet // nil if it has been flushed
	target  Target

	through bool // the delivery began while it was arriving
	moved   bool // then: its data is in host memory
	whole   bool // it has arrived, or is lost
}
