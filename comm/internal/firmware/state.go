package firmware

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Program is the control program of one interface.
type Program struct {
	nic   *ni.NIC
	spec  Spec
	cost  *Cycles
	layer Layer

	queue   *Queue // in use
	spare   []*Request
	current *Request // is being cut into packets
	active  int      // packets between fetch and the end of their injection
	moving  int      // of them, and of kept ones sent again, those that are not injected
	fetches int      // packets whose data the H engine is to bring
	outs    []*outgoing
	outFree []uint32

	waiting []*fabric.Packet // in the receive ring for a Retry, oldest first

	ins    []*incoming
	inFree []uint32

	acks  Acknowledger // the layer, if it is one
	brief int          // bytes that the H engine brings in the time of its set-up

	stats Stats
}

// Queue is the sending side of a process: its requests that have not been
// taken up, and the send buffers that its kept packets hold. A program has one,
// unless processes take turns at the interface (Use).
type Queue struct {
	requests []*Request // oldest first
	room     host.Watch // the library waits here for a free entry
	kept     int        // packets, while another queue is in use
}

// Stats counts what passed the control program.
type Stats struct {
	Packets   uint64 // sent with data of requests
	Delivered uint64 // packets that the host has seen
	Control   uint64 // packets of the control program's own, sent
	Nacks     uint64 // of them, refusals
	Damaged   uint64
	Flushed   uint64
	Repeated  uint64 // kept packets sent again
	Underruns uint64 // packets cut through whose data came later than the S engine wanted them
}

// Request is an entry of the request queue: a message, or a packet of one, that
// the host wants sent.
type Request struct {
	To    int32
	Bytes int // of data; 0 is a message without
	Meta  trace.Meta
	Op    uint8 // the layer's own type of packet
	Flags uint8 // the layer's, from ni.FirstProgramFlag up; the first packet also gets ni.FlagFirst
	Words [ni.FirstProbeWord]uint64
	Order uint32 // the layer's sequence number, of the first packet

	// The data: stored into the queue by the host, or to be fetched. With Space
	// nil they are what the library has given by Put.
	Inline bool
	Space  *host.Space
	From   host.Addr

	// Piece is the most data of one of its packets; 0: what the layer's packets hold.
	Piece int

	// MinFetch is the least number of bytes fetched with a packet, by a control
	// program that fetches also for a message without data.
	MinFetch int
	// Keep leaves the packets in SRAM until the layer forgets them.
	Keep bool

	// Descriptor is how many words the host stores beside the data.
	Descriptor int

	Gone  bool // all data have left host memory: the buffer may be written again
	Left  bool // the last packet has left the interface
	Watch host.Watch

	queue *Queue
	held  bool // the library looks at Gone or Left and frees the request itself
	sent  int  // bytes cut into packets so far
	left  int  // packets that are not injected yet
	more  bool // not all packets are made
	seen  sim.Time
	data  []byte // of an inline request
}

// outgoing is a packet from its making to the end of its injection.
type outgoing struct {
	ni.Record
	dma     ni.DMA
	request *Request
	offset  int // of its data in the message
	data    []byte
	through bool // handed to the S engine while its data were being fetched
	fetched bool
	left    bool // the S engine has finished
	done    bool // so has the processor's part of its injection

	keep, forgotten bool
	repeats         int           // of a kept packet, not injected yet
	header          fabric.Header // of a kept packet
}

// incoming is a packet on its way to the host.
type incoming struct {
	dma    ni.DMA
	slot   uint32
	packet *fabric.Packet
	target Target
}
